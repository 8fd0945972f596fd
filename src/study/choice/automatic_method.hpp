#pragma once
// The method "auto" of studies. Only for the sources of this room.

#include "dalembert/document/node.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Puts a method for the study's problem and its first start in the place of each method "auto" of
/// the document, and a note of that into the study: the cheapest that keeps its tolerance, or the
/// first that is advised where a step is given. A study with a tolerance and without a method gets
/// one, too. RequestError where none fits.
void choose_automatic_methods(Study& study, DocumentNode& document);

}  // namespace dalembert::study
