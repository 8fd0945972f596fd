#pragma once
// The generated parts of doc/literature.md: whose each method and problem is, and what was
// claimed.

#include <string>

namespace dalembert::pages {

/// Every method of the library: its name here, its names in the literature, its sources, and the
/// claims about it by verdict.
std::string literature_methods();
/// Every problem that has a source, and the claims about it by verdict.
std::string literature_problems();
/// All claims, a section for each paper: what was claimed, the verdict, what is left of it, and
/// the run that says so.
std::string literature_claims();

}  // namespace dalembert::pages
