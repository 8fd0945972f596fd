#pragma once
// What the program says on the terminal.

#include <string>
#include <vector>

#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

/// Prints "dalembert: sentence" on standard error.
void complain(const std::string& sentence);
/// Says what was chosen for the user.
void print_notes(const study::Study& study);
/// Says once on standard error what the methods of the runs warn of.
void print_warnings(const std::vector<study::RunPlan>& plans);
/// Prints run_cautions of each run on standard error.
void print_cautions(const std::vector<study::RunPlan>& plans,
                    const std::vector<study::RunResult>& results);
/// What the problem says of itself and is not so, on standard error.
void print_false_claims(const study::Study& study, const std::vector<study::RunPlan>& plans,
                        const std::vector<study::RunResult>& results);
/// Prints on standard output; OutputError if that fails.
void print(const std::string& text);

/// The exit code for results, after one sentence about runs that failed or were interrupted. `file`
/// names the result to resume.
int conclude(const std::vector<study::RunResult>& results, const std::string& file);
/// The exit code where some runs were refused and the others came to `code`, after the sentence of
/// each refused method: that of a wrong request, unless all was interrupted.
int conclude_refused(const std::vector<study::RefusedRun>& refused, int code);

}  // namespace dalembert::app
