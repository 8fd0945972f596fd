#pragma once
// The page about a problem.

#include <string>
#include <vector>

#include "dalembert/mechanics/problem.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::app {

/// What happens on the way, a sentence for each event.
std::vector<std::string> event_sentences(const study::ProblemFile& problem);
/// What the problem says of itself. RequestError where its expressions cannot be read.
std::string problem_page(const study::ProblemFile& problem);
/// What is found out from the equations, and which methods suit them. RequestError where they or
/// the starts are wrong.
std::string findings_text(const study::ProblemFile& problem, const Problem& made);

}  // namespace dalembert::app
