#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/study_arguments.hpp"
#include "app/commands.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/verbosity.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/report/sensitivity/sensitivity_report.hpp"
#include "dalembert/study/study_file.hpp"
#include "differentiation.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct SensitivityArguments {
  StudyArguments study;
  std::vector<std::string> by, of;
  std::string mode = "automatic", csv;
};

/// What is counted: steps forwards, and twice that where the way goes back.
double steps_to_take(const std::vector<RunPlan>& plans, SensitivityMode mode) {
  double steps = 0.0;
  for (const RunPlan& plan : plans) steps += static_cast<double>(plan.steps);
  return mode == SensitivityMode::adjoint ? 2.0 * steps : steps;
}

std::vector<Sensitivity> differentiated(const std::vector<RunPlan>& plans,
                                        const SensitivityArguments& all) {
  std::vector<Sensitivity> results;
  SensitivityChoice choice{.by = words_of(all.by), .of = words_of(all.of)};
  choice.mode = sensitivity_mode(all.mode);
  choice.with_records = !all.study.every.empty();
  choice.cancelled = &interrupt_flag();
  show_progress(steps_to_take(plans, choice.mode), [&](std::atomic<std::uint64_t>& done) {
    choice.steps_done = &done;
    for (const RunPlan& plan : plans) results.push_back(differentiate_run(plan, choice));
  });
  return results;
}

int sensitivity_of(const SensitivityArguments& all) {
  const StudyArguments& arguments = all.study;
  const Study study = chosen_study(arguments);
  print_notes(study);
  const auto [plans, refused] = runs_to_differentiate(study);
  print_warnings(plans);
  OutputClaims claims(study.files, arguments.force);
  claims.claim("--json", arguments.json);
  claims.claim("--csv", all.csv);
  std::optional<OutputFile> json, csv;
  if (!arguments.json.empty() && arguments.json != "-") json.emplace(arguments.json);
  if (!all.csv.empty()) csv.emplace(all.csv);
  const std::vector<Sensitivity> results = differentiated(plans, all);
  for (std::size_t i = 0; i < results.size(); ++i)
    print_table((i == 0 ? "" : "\n") + sensitivity_table(plans[i], results[i], terminal_width()),
                arguments.json == "-");
  if (arguments.json == "-") print(sensitivity_json(plans, results));
  if (json) json->write(sensitivity_json(plans, results));
  if (csv) csv->write(sensitivity_csv(plans, results));
  if (interrupt_flag()) {
    complain("interrupted; derivatives up to there are shown, and cannot be resumed");
    return interrupted;
  }
  return conclude_refused(refused, conclude_differentiated(results));
}

}  // namespace

void add_sensitivity(CLI::App& app, Action& action) {
  auto all = std::make_shared<SensitivityArguments>();
  StudyArguments& asked = all->study;
  CLI::App* command = app.add_subcommand(
      "sensitivity", "Differentiate runs by their start, by parameters and by the step");
  add_differentiated_run(*command, asked);
  command
      ->add_option("--by", all->by,
                   "Coordinates, velocities (x_dot), parameters, step; or start, positions, "
                   "velocities, parameters for all of a kind (default: start,parameters)")
      ->allow_extra_args(false);
  command
      ->add_option("--of", all->of,
                   "Expressions of the state, multipliers, energy and integrals (default: all "
                   "positions and velocities)")
      ->allow_extra_args(false);
  command->add_option("--every", asked.every,
                      "Also at records with so much time between them (default: the end alone)");
  command
      ->add_option("--mode", all->mode,
                   "tangent: one for each argument, forwards; adjoint: one for each expression, "
                   "backwards; automatic: what is less work")
      ->check(CLI::IsMember({"automatic", "tangent", "adjoint"}));
  command->add_option("--json", asked.json,
                      "Write values and derivatives as JSON to a file, or to standard output with "
                      "-");
  command->add_option("--csv", all->csv, "Write a line for each derivative to a file");
  add_force_option(*command, asked.force);
  add_verbosity_options(*command, "nothing more");
  command->footer(
      "Examples: dalembert sensitivity pendulum-cvt --method gauss --step 0.1 --until 20 --by "
      "start,epsilon\n"
      "          dalembert sensitivity rolling-disk --method lobatto --step 0.05 --until 10 --of "
      "\"x, y, energy\"");
  command->callback([all, &action] { action = [all] { return sensitivity_of(*all); }; });
}

}  // namespace dalembert::app
