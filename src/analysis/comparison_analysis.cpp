#include <fmt/format.h>

#include <memory>

#include "dalembert/document/node.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/report/comparison/comparison_report.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "library.hpp"
#include "run_analysis.hpp"

namespace dalembert::study {
namespace {

void give_flag(AskedStudy& asked, const std::string& key, const char* option) {
  asked.values.emplace_back("compare." + key, DocumentNode{true, {option, 0}});
}

/// Of a problem all methods that fit, unless some are named, with steps of their own, unless one is
/// given.
void complete_comparison(AskedStudy& asked) {
  if (!names_problem(asked)) return;
  if (asked.given("run.until") == nullptr)
    throw RequestError("methods are compared up to an end: add --until T, as --until 100");
  if (asked.methods.empty()) {
    asked.methods = {"gauss"};
    give_flag(asked, "all", "--all");
  }
  if (asked.given("run.step") != nullptr) return;
  const DocumentNode until = *asked.given("run.until");
  const double end = parse_constant(until);
  if (!(end > 0.0)) until.refuse("is " + to_string(end) + "; the final time must be > 0");
  // A study needs a step, of which nothing is left.
  asked.values.emplace_back("run.step", DocumentNode{end, until.place});
  give_flag(asked, "own_steps", "--own-steps");
}

AnalysisReport comparison_report(const Study& study, ComparisonOptions options,
                                 const AnalysisWatch& watch) {
  options.threads = watch.threads;
  options.cancelled = watch.cancelled;
  options.methods_done = watch.steps_done;
  const auto comparison = std::make_shared<const Comparison>(compare_methods(study, options));
  AnalysisReport report;
  report.text = [comparison, error = options.error](std::size_t width) {
    return comparison_table(*comparison, error, width);
  };
  report.json = [comparison] { return comparison_json(*comparison); };
  report.csv = [comparison] { return comparison_csv(*comparison); };
  report.picture = [comparison, against = options.against] {
    return comparison_picture(*comparison, against);
  };
  hold(report, comparison_arrays(*comparison));
  report.told = {comparison_csv(*comparison)};
  report.measured = fmt::format("{} methods measured", comparison->methods.size());
  for (const ComparedMethod& method : comparison->methods)
    if (!method.message.empty())
      report.warnings.push_back("method \"" + method.plan.method.label + "\": " + method.message);
  report.refused = reasons_of(comparison->refused);
  return report;
}

PlannedAnalysis plan_comparison(const Study& asked, const AnalysisPlanning&) {
  const ComparisonOptions options = read_page(comparison_page(), asked);
  Study study = asked;
  if (options.all_methods) study.methods = methods_to_compare(study);
  return {.work = static_cast<double>(study.methods.size()),
          .says = "comparing",
          .report = [study, options](const AnalysisWatch& watch) {
            return comparison_report(study, options, watch);
          }};
}

}  // namespace

Analysis comparison_analysis() {
  return {.page = comparison_page().info(),
          .options = {.study = "A problem's name or file: all methods that fit, unless --method "
                               "names some; or a study, with its methods and steps",
                      .method = "A method, as dla01 or \"gauss(stages=3)\" (may be repeated, or "
                                "several with commas)",
                      .threads = "Number of methods at the same time",
                      .run = {{"step",
                               "The largest step, the same for all methods; each gets one of its "
                               "own if not given"},
                              {"until", ""},
                              {"native",
                               "require: measure steps that the system's C compiler has made; "
                               "else the interpreter's"}}},
          .footer =
              "Examples: dalembert compare pendulum-cvt --start rotating --until 3000 --plot "
              "compare.svg\n"
              "          dalembert compare rolling-coin --until 100 --method "
              "lobatto,gauss,leapfrog --error 1e-6",
          .told = "every method with every step",
          .interrupted = "what was measured up to there is shown",
          .json = "all that was measured",
          .csv = "a line for each method and step",
          .picture = "errors against cost",
          .complete = complete_comparison,
          .plan = plan_comparison};
}

}  // namespace dalembert::study
