#pragma once
// Ensembles, for the subcommands that meet them.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/result/copies/result_lock.hpp"
#include "dalembert/step/instruction_set.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

struct StudyArguments;

/// What executes ensembles, with these choices; without one this process does.
using EnsembleExecutor =
    std::function<std::vector<study::EnsembleResult>(const study::EnsembleExecution&)>;

/// Runs a study with [ensemble]; returns the exit code.
int run_ensemble(const study::Study& study, const StudyArguments& arguments);
/// Tells and warns of what was planned, and claims the outputs.
void announce_ensembles(const study::Study& study, const StudyArguments& arguments,
                        const std::vector<study::EnsemblePlan>& plans, double seconds);
study::EnsembleExecution chosen_execution(const StudyArguments& arguments);
/// Computes ensembles, from the begin or from results that there are, and writes what is asked for;
/// returns the exit code.
int compute_ensembles(const study::Study& study, const std::vector<study::EnsemblePlan>& plans,
                      std::vector<study::EnsembleResult> before, const StudyArguments& arguments,
                      const EnsembleExecutor& executor = {});

/// Goes on with the ensembles in a result file, by its study or one with another end.
int resume_ensemble(const study::Study& study, study::ResultLock lock, bool has_other_end,
                    std::size_t threads, std::optional<InstructionSet> instruction_set);
/// The results in the file, and the plans with its distance of records. RequestError where the
/// study ends before what has been reached.
std::vector<study::EnsembleResult> ensembles_to_resume(const study::Study& study,
                                                       const std::string& file, bool has_other_end,
                                                       std::vector<study::EnsemblePlan>& plans);
/// Goes on from the results that the execution has, and extends the file.
int go_on_with_ensembles(const study::Study& study, const std::vector<study::EnsemblePlan>& plans,
                         study::ResultLock lock, const study::EnsembleExecution& execution,
                         const EnsembleExecutor& executor = {});

/// Draws the ensembles in a result file.
void plot_ensemble(const study::Study& study, const std::string& file, const std::string& plot,
                   const study::PlotRequest& request);

}  // namespace dalembert::app
