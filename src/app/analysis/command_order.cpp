#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/page_options.hpp"
#include "app/arguments/report_outputs.hpp"
#include "app/arguments/study_arguments.hpp"
#include "app/commands.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/account.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/verbosity.hpp"
#include "app/terminal/waiting_line.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/report/order_report.hpp"
#include "dalembert/study/measure_orders.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

using namespace study;

namespace {

/// The study that is named, or one of a problem with methods: there a step and an end of its own.
Study study_to_measure(StudyArguments asked) {
  if (!asked.methods.empty() && !names_study(asked)) {
    if (asked.step.empty()) asked.step = "0.1";
    asked.until = "20*(" + asked.step + ")";
  }
  return chosen_study(asked);
}

std::vector<OrderRow> measured_orders(const Study& study, const std::vector<RunPlan>& plans) {
  const WaitingLine line("measuring orders of methods on " + plans.front().system.name());
  catch_interrupts();
  OrderOptions options = read_page(order_page(), study);
  options.cancelled = &interrupt_flag();
  options.problem = &study.problem;
  return measure_orders(plans, options);
}

/// Orders are measured from the largest step on.
std::vector<RefusedRun> of_largest_step(const std::vector<RefusedRun>& refused,
                                        const Study& study) {
  if (study.steps.empty()) return refused;  // each method gets one of its own
  const double largest = *std::max_element(study.steps.begin(), study.steps.end());
  std::vector<RefusedRun> found;
  std::copy_if(refused.begin(), refused.end(), std::back_inserter(found),
               [&](const RefusedRun& run) { return run.step == largest; });
  return found;
}

int measure(const StudyArguments& arguments) {
  const Study study = study_to_measure(arguments);
  const Stopwatch stopwatch;
  const auto [plans, all_refused] = plan_fitting_with_progress(study);
  const std::vector<RefusedRun> refused = of_largest_step(all_refused, study);
  tell_plans(plans, stopwatch.seconds());
  print_warnings(plans);

  ReportOutputs outputs(arguments, study.files, arguments.force);
  const PictureLook look = with_changes(study.plot.look, asked_look(arguments.shown.look));
  if (!arguments.plot.empty()) check_order_plot(arguments.plot, study.title, plans, look);
  const std::vector<OrderRow> rows = measured_orders(study, plans);
  tell_orders(rows, stopwatch.seconds());
  if (interrupt_flag()) {
    complain("interrupted; the measurement of orders cannot be resumed, and nothing was written");
    return interrupted;
  }
  outputs.write({.text = order_table(rows, refused),
                 .json = [&] { return order_json(study.title, rows, refused); },
                 .plot = [&](auto& path) { write_order_plot(path, study.title, rows, look); }});
  bool failed = false, broken = false;
  for (const OrderRow& row : rows) {
    failed = failed || !row.failure.empty();
    broken = broken || row.is_broken();
    if (!row.failure.empty()) complain(row.failure);
    if (row.is_broken())
      complain("method \"" + row.plan.method.label + "\" does not reach its promised order");
  }
  return conclude_refused(refused, failed ? numbers_refused : broken ? check_failed : success);
}

}  // namespace

void add_order(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<StudyArguments>();
  StudyArguments& asked = *arguments;
  const PageInfo& page = page_named(order_page().name);
  CLI::App* command = app.add_subcommand(page.name, page.title);
  command
      ->add_option(
          "study", asked.study,
          "Study file, name of a published study, or (with --method) a problem's name or file")
      ->required();
  command->add_option("--set", asked.settings, "Change a value of the study, as run.step=0.05")
      ->allow_extra_args(false);
  command
      ->add_option("--method", asked.methods,
                   "Without a study: a method, as dla01 or \"gauss(stages=3)\" (may be repeated)")
      ->allow_extra_args(false);
  command->add_option("--step", asked.step,
                      "The largest step (of a problem with --method: 0.1 if not given)");
  command->add_option("--start", asked.start,
                      "The name of the start (default: the problem's first)");
  add_page_options(*command, page, asked.values);
  add_report_options(*command, asked,
                     {.json = "the orders", .csv = {}, .plot = "errors against steps"});
  add_look_options(*command, asked.shown.look);
  add_force_option(*command, asked.force);
  add_verbosity_options(*command,
                        "systems, methods as compiled, starts, the error of each reference");
  command->footer(
      "Examples: dalembert order modin-verdier-2020/figure-6 --until 1 --plot order.svg\n"
      "          dalembert order pendulum-cvt --method 'gauss(stages=3)' --start rotating\n"
      "Exit code 1 if a method does not reach its promised order, 2 if one of several does not "
      "fit.");
  command->callback([arguments, &action] { action = [arguments] { return measure(*arguments); }; });
}

}  // namespace dalembert::app
