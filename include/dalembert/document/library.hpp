#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dalembert/error.hpp"

namespace dalembert::study {

/// Directory of the problem library and the published studies: that in the environment variable
/// DALEMBERT_DATA if set, else that of the sources, else the installed one. Empty if there is none.
std::filesystem::path data_directory();

/// The names of all problems of the library, sorted.
std::vector<std::string> problem_names();
/// The names of all published studies, as "paper/figure", sorted.
std::vector<std::string> study_names();

/// The file of a problem: a name of the library, or a path (with a slash or ending in .toml),
/// relative to `base`. RequestError with the nearest name if there is no such problem.
std::filesystem::path find_problem(const std::string& name_or_path,
                                   const std::filesystem::path& base = {});

/// The file of a study: a path, or a name of the library such as "modin-verdier-2020/figure-6".
std::filesystem::path find_study(const std::string& name_or_path);

}  // namespace dalembert::study
