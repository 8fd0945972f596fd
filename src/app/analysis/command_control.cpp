#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/page_options.hpp"
#include "app/arguments/plot_options.hpp"
#include "app/arguments/report_outputs.hpp"
#include "app/arguments/study_arguments.hpp"
#include "app/commands.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/verbosity.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/report/control/control_report.hpp"
#include "dalembert/study/study_file.hpp"
#include "differentiation.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct ControlArguments {
  StudyArguments study;
  std::vector<std::string> by;
  std::string cost, end, trials, seed;
};

/// What the command line says of [control].
void add_values(ControlArguments& all) {
  const auto give = [&](const std::string& option, const DocumentNode& value) {
    all.study.values.emplace_back("control." + option.substr(2), value);
  };
  if (!all.by.empty()) give("--by", list_of_words(all.by, "--by"));
  if (!all.cost.empty()) give("--cost", {all.cost, {"--cost", 0}});
  if (!all.end.empty()) give("--end", {all.end, {"--end", 0}});
  if (!all.trials.empty()) give("--trials", value_in_words(all.trials, "--trials"));
  if (!all.seed.empty()) give("--seed", value_in_words(all.seed, "--seed"));
}

std::vector<OptimalControl> optimised(const std::vector<RunPlan>& plans) {
  std::vector<OptimalControl> results;
  double searches = 0.0;
  for (const RunPlan& plan : plans)
    searches += static_cast<double>(plan.control->entry.trials) +
                (plan.control->entry.guess.empty() ? 0.0 : 1.0);
  show_progress(searches, [&](std::atomic<std::uint64_t>& done) {
    for (const RunPlan& plan : plans)
      results.push_back(optimise_run(plan, &interrupt_flag(), &done));
  });
  return results;
}

int control_of(ControlArguments all) {
  add_values(all);
  const StudyArguments& arguments = all.study;
  const Study study = chosen_study(arguments);
  if (!study.control)
    throw RequestError(
        "the study has no table [control]; give it one, or --by with parameters that are chosen, "
        "--cost and --end");
  print_notes(study);
  const PlannedRuns planned = runs_to_differentiate(study);
  const std::vector<RunPlan>& plans = planned.plans;
  print_warnings(plans);
  ReportOutputs outputs(arguments, study.files, arguments.force);
  PlotRequest shown;
  if (!arguments.plot.empty())
    shown = control_plot(arguments.plot, study, asked_plot(study.plot, arguments.shown), plans);
  const std::vector<OptimalControl> results = optimised(plans);
  outputs.write({.text = control_table(plans, results, terminal_width()),
                 .json = [&] { return control_json(plans, results); },
                 .csv = [&] { return control_csv(plans, results); },
                 .plot =
                     [&](auto& path) {
                       write_picture(path, control_picture(shown, study.title, plans, results));
                     }});
  if (interrupt_flag()) {
    complain("interrupted; runs whose searches had ended are shown");
    return interrupted;
  }
  return conclude_refused(planned.refused, conclude_differentiated(results));
}

}  // namespace

void add_control(CLI::App& app, Action& action) {
  auto all = std::make_shared<ControlArguments>();
  StudyArguments& asked = all->study;
  CLI::App* command = app.add_subcommand(
      "control", "Find controls that bring a motion to its end with the least cost");
  add_differentiated_run(*command, asked);
  command
      ->add_option("--by", all->by,
                   "Parameters that are chosen, constant along each step, as tau_l,tau_r")
      ->allow_extra_args(false);
  command->add_option("--cost", all->cost,
                      "An expression of state and controls whose integral is to be least");
  command->add_option("--end", all->end, "The start of the problem that the motion ends at");
  command->add_option("--trials", all->trials,
                      "Searches from random controls (default: 16, none beside a guess)");
  command->add_option("--seed", all->seed, "The seed of these (default: 1)");
  add_report_options(*command, asked,
                     {.json = "states, controls and costates",
                      .csv = "a line for each node",
                      .plot = "the motion and the controls"});
  add_plot_options(*command, asked.shown);
  add_force_option(*command, asked.force);
  add_verbosity_options(*command, "nothing more");
  command->footer(
      "Examples: dalembert control parking --plot parking.pdf\n"
      "          dalembert control parking --step 0.1 --method gauss --csv parking.csv");
  command->callback([all, &action] { action = [all] { return control_of(*all); }; });
}

}  // namespace dalembert::app
