#pragma once
// Ensembles, for the subcommands that meet them.

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

/// Runs a study with [ensemble]; returns the exit code.
int run_ensemble(const study::Study& study, const StudyArguments& arguments);
/// Goes on with the ensembles in a result file, by its study or one with another end.
int resume_ensemble(const study::Study& study, study::ResultLock lock, const std::string& file,
                    bool has_other_end, std::size_t threads,
                    std::optional<InstructionSet> instruction_set);
/// Goes on with ensembles from results that are at their end, and writes what is asked for; returns
/// the exit code.
int complete_ensembles(const study::Study& study, const std::vector<study::EnsemblePlan>& plans,
                       std::vector<study::EnsembleResult> results, const StudyArguments& arguments);
/// Draws the ensembles in a result file.
void plot_ensemble(const study::Study& study, const std::string& file, const std::string& plot,
                   const study::PlotRequest& request);

}  // namespace dalembert::app
