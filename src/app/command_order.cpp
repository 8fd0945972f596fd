#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "app/terminal/message.hpp"
#include "commands.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/document/output_file.hpp"
#include "dalembert/picture/plot.hpp"
#include "dalembert/report/order_report.hpp"
#include "dalembert/study/measure_orders.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"
#include "exit_code.hpp"
#include "output_claims.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct OrderArguments {
  std::string study, json, plot, precision = "extended";
  std::vector<std::string> settings;
  std::optional<double> until;
  int runs = 6;
  bool force = false;
};

int measure(const OrderArguments& arguments) {
  const Study study = read_study_file(find_study(arguments.study), arguments.settings);
  const std::vector<RunPlan> plans = plan_runs(study);
  print_warnings(plans);

  OutputClaims claims(study.files, arguments.force);
  claims.claim("--json", arguments.json);
  claims.claim("--plot", arguments.plot);
  if (!arguments.plot.empty()) check_plot(arguments.plot, study.plot, plans);
  std::optional<OutputFile> json;
  if (!arguments.json.empty() && arguments.json != "-") json.emplace(arguments.json);
  const std::vector<OrderRow> rows =
      measure_orders(plans, {arguments.runs, arguments.until, arguments.precision == "extended"});
  if (arguments.json == "-") {
    std::fputs(order_table(rows).c_str(), stderr);
    print(order_json(study.title, rows));
  } else {
    print(order_table(rows));
  }
  if (json) json->write(order_json(study.title, rows));
  if (!arguments.plot.empty()) write_order_plot(arguments.plot, study.title, rows);
  bool failed = false, broken = false;
  for (const OrderRow& row : rows) {
    failed = failed || !row.failure.empty();
    broken = broken || row.is_broken();
    if (!row.failure.empty()) complain(row.failure);
    if (row.is_broken())
      complain("method \"" + row.plan.method.label + "\" does not reach its promised order");
  }
  return failed ? numbers_refused : broken ? check_failed : success;
}

}  // namespace

void add_order(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<OrderArguments>();
  CLI::App* command = app.add_subcommand(
      "order", "Measure the order of every method of a study by halving the step");
  command->add_option("study", arguments->study, "Study file, or name of a published study")
      ->required();
  command->add_option("--set", arguments->settings, "Change a value of the study, as run.step=0.05")
      ->allow_extra_args(false);
  command
      ->add_option("--until", arguments->until,
                   "Final time (default: that of the study, but at most 20 of its largest steps)")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--runs", arguments->runs, "Number of step sizes, each half of the one before")
      ->check(CLI::Range(3, 12));
  command
      ->add_option("--precision", arguments->precision,
                   "double, or extended (" + extended_precision_name() + ")")
      ->check(CLI::IsMember({"double", "extended"}));
  command->add_option("--json", arguments->json,
                      "Write the orders as JSON to a file, or to standard output with -");
  command->add_option("--plot", arguments->plot,
                      "Draw errors against steps: a file ending in .svg, .png or .pdf");
  add_force_option(*command, arguments->force);
  command->footer(
      "Example: dalembert order modin-verdier-2020/figure-6 --until 1 --plot order.svg\n"
      "Exit code 1 if a method does not reach its promised order.");
  command->callback([arguments, &action] { action = [arguments] { return measure(*arguments); }; });
}

}  // namespace dalembert::app
