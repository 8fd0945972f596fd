#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/report_outputs.hpp"
#include "app/arguments/study_arguments.hpp"
#include "app/commands.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/waiting_line.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/report/modified_report.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct ModifiedArguments {
  StudyArguments study;
  ModifiedOptions options;
};

/// The problem's first start, unless one was chosen or written.
void choose_start(StudyArguments& asked) {
  const bool is_written =
      std::any_of(asked.settings.begin(), asked.settings.end(),
                  [](const std::string& setting) { return setting.starts_with("initial."); });
  if (!asked.start.empty() || is_written) return;
  const ProblemFile problem = read_problem_file(find_problem(asked.study));
  if (!problem.starts.empty()) asked.start = problem.starts.front().name;
}

std::vector<ModifiedAnalysis> analysed(const std::vector<RunPlan>& plans,
                                       const ModifiedOptions& options) {
  const WaitingLine line("analysing steps on " + plans.front().system.name());
  return analyse_modified(plans, options);
}

int modified(ModifiedArguments arguments) {
  StudyArguments& asked = arguments.study;
  if (asked.methods.empty())
    throw RequestError("give the method whose modified field is asked for, as in --method dla01");
  if (asked.step.empty()) asked.step = "0.1";
  choose_start(asked);
  if (asked.until.empty()) asked.until = "100*(" + asked.step + ")";
  const Study study = chosen_study(asked);
  const std::vector<RunPlan> plans = plan_with_progress(study);
  print_warnings(plans);
  ReportOutputs outputs(asked, study.files, asked.force);
  const std::vector<ModifiedAnalysis> analyses = analysed(plans, arguments.options);
  outputs.write({.text = modified_text(analyses),
                 .json = [&] { return modified_json(analyses); },
                 .csv = [&] { return modified_csv(analyses); }});
  for (const ModifiedAnalysis& analysis : analyses) {
    if (analysis.failure.empty()) continue;
    complain(analysis.failure);
    return numbers_refused;
  }
  return success;
}

}  // namespace

void add_modified(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ModifiedArguments>();
  StudyArguments& asked = arguments->study;
  ModifiedOptions& options = arguments->options;
  CLI::App* command = app.add_subcommand(
      "modified",
      "The field that a method really follows: its expansion, what it does to integrals, and rates "
      "of drift without a long run");
  command->add_option("problem", asked.study, "A problem's name or file")->required();
  command
      ->add_option("--method", asked.methods,
                   "A method, as dla01 or \"dla(alpha=0.4)\" (may be repeated)")
      ->allow_extra_args(false);
  command->add_option("--start", asked.start, "The name of the start");
  command->add_option("--step", asked.step,
                      "The step size, a number or an expression (default 0.1)");
  command->add_option(
      "--until", asked.until,
      "How far the trajectory goes at which the field is shown (default 100 steps)");
  command
      ->add_option("--set", asked.settings,
                   "Change a value, as method.stages=4 or parameters.epsilon=0.5")
      ->allow_extra_args(false);
  command->add_option("--points", options.points, "Points of the trajectory (default 5)")
      ->check(CLI::Range(1, 1000));
  command->add_option("--terms", options.terms, "Coefficients of the expansion (default 2)")
      ->check(CLI::Range(0, 4));
  command
      ->add_option("--half-width", options.half_width,
                   "Most steps to either side that the field is found from (default 30)")
      ->check(CLI::Range(2, 100));
  command
      ->add_option("--window", options.window,
                   "Duration over which drifts are measured (default 500)")
      ->check(CLI::PositiveNumber);
  add_report_options(*command, asked, {.json = "results", .csv = "a row for each point"});
  add_force_option(*command, asked.force);
  command->footer(
      "Examples: dalembert modified pendulum-cvt --method dla01 --start rotating --set "
      "parameters.epsilon=0.5\n"
      "          dalembert modified pendulum-cvt --method lobatto --set method.stages=4 --step "
      "0.05 --json -");
  command->callback(
      [arguments, &action] { action = [arguments] { return modified(*arguments); }; });
}

}  // namespace dalembert::app
