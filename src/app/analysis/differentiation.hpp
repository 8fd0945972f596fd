#pragma once
// What `control` and the analyses of single runs have in common.

#include <vector>

#include "app/arguments/study_arguments.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/message.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

/// Adds the options of a study, or of a problem with a method, whose runs are differentiated.
void add_differentiated_run(CLI::App& command, StudyArguments& arguments);

/// The runs of a study, none of which is an ensemble, with the methods that do not fit.
study::PlannedRuns runs_to_differentiate(const study::Study& study);

/// The exit code, after a sentence for each run that failed.
template <class Result>
int conclude_differentiated(const std::vector<Result>& results) {
  int code = success;
  for (const Result& result : results) {
    if (result.status != Result::Status::failed) continue;
    complain(result.message);
    code = numbers_refused;
  }
  return code;
}

}  // namespace dalembert::app
