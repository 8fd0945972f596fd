#pragma once
// Steps of a method on a problem in C, as they are asked for on the command line.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace dalembert::app {

/// What `export METHOD PROBLEM --c` may say.
struct CStepRequest {
  std::string problem;
  std::vector<std::string> values;  ///< sizes and parameters, as n=5
  std::string prefix;
  bool compensated = false;

  bool is_empty() const {
    return problem.empty() && values.empty() && prefix.empty() && !compensated;
  }
  /// What is wrong where --c is not given.
  std::string complaint_without_c() const;
};

void add_c_step(CLI::App& command, CStepRequest& request);

/// The header in C. `first` is a method and the request names a problem, or the other way round.
/// RequestError with a sentence for what is neither, for a method that does not fit the problem,
/// and for unknown values.
std::string c_step_text(const std::string& first, const CStepRequest& request);

}  // namespace dalembert::app
