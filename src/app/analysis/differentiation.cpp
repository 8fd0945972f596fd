#include "differentiation.hpp"

#include <CLI/CLI.hpp>

#include "app/terminal/progress.hpp"
#include "dalembert/error.hpp"

namespace dalembert::app {

using namespace study;

void add_differentiated_run(CLI::App& command, StudyArguments& arguments) {
  command
      .add_option("study", arguments.study,
                  "Study file, name of a published study, or (with --method) a problem's name or "
                  "file")
      ->required();
  command.add_option("--set", arguments.settings, "Change a value, as parameters.epsilon=0.5")
      ->allow_extra_args(false);
  command
      .add_option("--method", arguments.methods,
                  "A method, as dla01 or \"gauss(stages=3)\" (may be repeated)")
      ->allow_extra_args(false);
  command.add_option("--start", arguments.start,
                     "The name of the start (default: the problem's first)");
  command.add_option("--step", arguments.step, "The size of a step");
  command.add_option("--until", arguments.until, "The final time");
  command.add_option("--steps", arguments.steps, "The number of steps, instead of --until");
}

PlannedRuns runs_to_differentiate(const Study& study) {
  if (study.ensemble)
    throw RequestError("the study has an [ensemble]; derivatives are those of runs from a start");
  return plan_fitting_with_progress(study);
}

}  // namespace dalembert::app
