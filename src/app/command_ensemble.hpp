#pragma once
// Ensembles, for the subcommands that meet them.

#include <optional>
#include <string>

#include "dalembert/result/copies/result_lock.hpp"
#include "dalembert/step/instruction_set.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

struct StudyArguments;

/// Runs a study with [ensemble]; returns the exit code.
int run_ensemble(const study::Study& study, const StudyArguments& arguments);
/// Goes on with the ensembles in a result file, by its study or one with another end.
int resume_ensemble(const study::Study& study, study::ResultLock lock, const std::string& file,
                    bool has_other_end, std::size_t threads,
                    std::optional<InstructionSet> instruction_set);
/// Draws the ensembles in a result file.
void plot_ensemble(const study::Study& study, const std::string& file, const std::string& plot,
                   const study::PlotRequest& request);

}  // namespace dalembert::app
