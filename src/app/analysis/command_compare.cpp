#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/arguments/output_claims.hpp"
#include "app/arguments/page_options.hpp"
#include "app/arguments/plot_options.hpp"
#include "app/arguments/report_outputs.hpp"
#include "app/arguments/study_arguments.hpp"
#include "app/commands.hpp"
#include "app/exit_code.hpp"
#include "app/terminal/account.hpp"
#include "app/terminal/interrupt.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/progress.hpp"
#include "app/terminal/verbosity.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/report/comparison/comparison_report.hpp"
#include "dalembert/study/comparison/compare_methods.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::app {

using namespace study;

namespace {

struct CompareArguments {
  StudyArguments study;
  std::string against = "time";
};

CostAxis chosen_cost(const std::string& name) {
  return name == "evaluations" ? CostAxis::evaluations
         : name == "step"      ? CostAxis::step
                               : CostAxis::time;
}

/// What is compared: the methods and steps of a study; of a problem all methods that fit, unless
/// some are named, with steps of their own, unless one is given.
struct Asked {
  Study study;
  bool chooses_steps = false;
};

double end_of(const std::string& text) {
  const DocumentNode node{text, {"--until " + text}, "until"};
  const double end = parse_constant(node);
  if (!(end > 0.0)) node.refuse("is " + to_string(end) + "; the final time must be > 0");
  return end;
}

Asked asked_comparison(const StudyArguments& arguments) {
  Asked asked;
  const bool names_methods = !arguments.methods.empty();
  StudyArguments with_method = arguments;
  if (!names_methods) with_method.methods = {"gauss"};
  if (names_study(with_method)) return {chosen_study(arguments)};
  if (with_method.until.empty())
    throw RequestError("methods are compared up to an end: add --until T, as --until 100");
  asked.chooses_steps = with_method.step.empty();
  // A study needs a step, of which nothing is left.
  if (asked.chooses_steps) with_method.step = to_string(end_of(with_method.until));
  asked.study = chosen_study(with_method);
  if (!names_methods) asked.study.methods = methods_to_compare(asked.study);
  return asked;
}

Comparison compared(const Asked& asked, ComparisonOptions options) {
  std::optional<Comparison> comparison;
  options.chooses_steps = asked.chooses_steps;
  options.cancelled = &interrupt_flag();
  show_progress(static_cast<double>(asked.study.methods.size()),
                [&](std::atomic<std::uint64_t>& done) {
                  options.methods_done = &done;
                  comparison = compare_methods(asked.study, options);
                });
  return std::move(*comparison);
}

/// Why methods have no rows, or fewer steps.
void tell_left_out(const Comparison& comparison) {
  for (const ComparedMethod& method : comparison.methods)
    if (!method.message.empty())
      complain("warning: method \"" + method.plan.method.label + "\": " + method.message);
}

int compare(const CompareArguments& all) {
  const StudyArguments& arguments = all.study;
  const Asked asked = asked_comparison(arguments);
  ComparisonOptions options = read_page(comparison_page(), asked.study);
  options.threads = arguments.threads;
  print_notes(asked.study);
  const PictureLook look = with_changes(asked.study.plot.look, asked_look(arguments.shown.look));
  ReportOutputs outputs(arguments, asked.study.files, arguments.force);
  const Stopwatch stopwatch;
  const Comparison comparison = compared(asked, options);
  tell_comparison(comparison, stopwatch.seconds());
  const bool was_interrupted = interrupt_flag();
  outputs.write({.text = comparison_table(comparison, options.error, terminal_width()),
                 .json = [&] { return comparison_json(comparison); },
                 .csv = [&] { return comparison_csv(comparison); },
                 .plot =
                     [&](auto& path) {
                       write_picture(path, comparison_picture(comparison, chosen_cost(all.against)),
                                     look);
                     }});
  tell_left_out(comparison);
  if (was_interrupted) {
    complain("interrupted; what was measured up to there is shown");
    return interrupted;
  }
  return conclude_refused(comparison.refused, success);
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
  auto all = std::make_shared<CompareArguments>();
  StudyArguments& asked = all->study;
  const PageInfo& page = page_named(comparison_page().name);
  CLI::App* command = app.add_subcommand(page.name, page.title);
  command
      ->add_option(
          "study", asked.study,
          "A problem's name or file: all methods that fit, unless --method names some; or a "
          "study, with its methods and steps")
      ->required();
  command->add_option("--set", asked.settings, "Change a value, as parameters.epsilon=0.5")
      ->allow_extra_args(false);
  command
      ->add_option("--method", asked.methods,
                   "A method, as dla01 or \"gauss(stages=3)\" (may be repeated, or several with "
                   "commas)")
      ->allow_extra_args(false);
  command->add_option("--start", asked.start,
                      "The name of the start (default: the problem's first)");
  command->add_option("--until", asked.until, "The final time");
  command->add_option("--step", asked.step,
                      "The largest step, the same for all methods; each gets one of its own if not "
                      "given");
  add_page_options(*command, page, asked.values);
  command->add_option("--threads", asked.threads, "Number of methods at the same time")
      ->check(CLI::Range(1, 1024));
  command
      ->add_option("--native", asked.native,
                   "require: measure steps that the system's C compiler has made; else the "
                   "interpreter's")
      ->check(CLI::IsMember({"off", "require"}));
  add_report_options(*command, asked,
                     {.json = "all that was measured",
                      .csv = "a line for each method and step",
                      .plot = "errors against cost"});
  command
      ->add_option("--against", all->against,
                   "What the picture shows as cost: time, evaluations or step")
      ->check(CLI::IsMember({"time", "evaluations", "step"}));
  add_look_options(*command, asked.shown.look);
  add_force_option(*command, asked.force);
  add_verbosity_options(*command, "every method with every step");
  command->footer(
      "Examples: dalembert compare pendulum-cvt --start rotating --until 3000 --plot compare.svg\n"
      "          dalembert compare rolling-coin --until 100 --method lobatto,gauss,leapfrog "
      "--error 1e-6");
  command->callback([all, &action] { action = [all] { return compare(*all); }; });
}

}  // namespace dalembert::app
