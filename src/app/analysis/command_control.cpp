#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/plot_options.hpp"
#include "app/arguments/study_arguments.hpp"
#include "app/commands.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/verbosity.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/report/control/control_report.hpp"
#include "dalembert/study/study_file.hpp"
#include "differentiation.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct ControlArguments {
  StudyArguments study;
  std::vector<std::string> by;
  std::string cost, end, trials, seed, csv;
};

/// What the command line says of [control].
void add_settings(ControlArguments& all) {
  std::vector<std::string> settings;
  std::string names;
  for (const std::string& name : words_of(all.by))
    names += (names.empty() ? "\"" : ", \"") + name + "\"";
  if (!names.empty()) settings.push_back("control.by=[" + names + "]");
  if (!all.cost.empty()) settings.push_back("control.cost=\"" + all.cost + "\"");
  if (!all.end.empty()) settings.push_back("control.end=\"" + all.end + "\"");
  if (!all.trials.empty()) settings.push_back("control.trials=" + all.trials);
  if (!all.seed.empty()) settings.push_back("control.seed=" + all.seed);
  settings.insert(settings.end(), all.study.settings.begin(), all.study.settings.end());
  all.study.settings = std::move(settings);
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
  add_settings(all);
  const StudyArguments& arguments = all.study;
  const Study study = chosen_study(arguments);
  if (!study.control)
    throw RequestError(
        "the study has no table [control]; give it one, or --by with parameters that are chosen, "
        "--cost and --end");
  print_notes(study);
  const auto [plans, refused] = runs_to_differentiate(study);
  print_warnings(plans);
  OutputClaims claims(study.files, arguments.force);
  claims.claim("--json", arguments.json);
  claims.claim("--csv", all.csv);
  claims.claim("--plot", arguments.plot);
  PlotRequest shown;
  if (!arguments.plot.empty())
    shown = control_plot(arguments.plot, study, asked_plot(study.plot, arguments.shown), plans);
  std::optional<OutputFile> json, csv;
  if (!arguments.json.empty() && arguments.json != "-") json.emplace(arguments.json);
  if (!all.csv.empty()) csv.emplace(all.csv);
  const std::vector<OptimalControl> results = optimised(plans);
  print_table(control_table(plans, results, terminal_width()), arguments.json == "-");
  if (arguments.json == "-") print(control_json(plans, results));
  if (json) json->write(control_json(plans, results));
  if (csv) csv->write(control_csv(plans, results));
  if (!arguments.plot.empty())
    write_picture(arguments.plot, control_picture(shown, study.title, plans, results));
  if (interrupt_flag()) {
    complain("interrupted; runs whose searches had ended are shown");
    return interrupted;
  }
  return conclude_refused(refused, conclude_differentiated(results));
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
  command->add_option("--json", asked.json,
                      "Write states, controls and costates as JSON to a file, or to standard "
                      "output with -");
  command->add_option("--csv", all->csv, "Write a line for each node to a file");
  command->add_option("--plot", asked.plot,
                      "Draw the motion and the controls: a file ending in .svg, .png or .pdf");
  add_plot_options(*command, asked.shown);
  add_force_option(*command, asked.force);
  add_verbosity_options(*command, "nothing more");
  command->footer(
      "Examples: dalembert control parking --plot parking.pdf\n"
      "          dalembert control parking --step 0.1 --method gauss --csv parking.csv");
  command->callback([all, &action] { action = [all] { return control_of(*all); }; });
}

}  // namespace dalembert::app
