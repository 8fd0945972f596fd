#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <memory>

#include "dalembert/expression/printer.hpp"
#include "dalembert/report/order_report.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "library.hpp"
#include "report/text_table.hpp"
#include "run_analysis.hpp"

namespace dalembert::study {
namespace {

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

struct Quantity {
  const char* name;
  OrderSeries OrderRow::*series;
  OrderVerdict OrderRow::*verdict;
};
constexpr std::array<Quantity, 3> quantities{
    {{"q", &OrderRow::q, &OrderRow::q_verdict},
     {"v", &OrderRow::v, &OrderRow::v_verdict},
     {"lambda", &OrderRow::lambda, &OrderRow::lambda_verdict}}};

int promised_order(const OrderRow& row, const Quantity& quantity) {
  if (quantity.series == &OrderRow::lambda) return row.lambda_promised;
  return row.plan.program->method().facts().order.get();
}

std::vector<double> step_columns(const std::vector<double>& values, std::size_t steps) {
  std::vector<double> columns = values;
  columns.resize(steps, std::numeric_limits<double>::quiet_NaN());
  return columns;
}

/// A row for each method on each start, a column for each step, the largest first.
LabelledTable order_arrays(const std::vector<OrderRow>& rows) {
  std::size_t steps = 0;
  for (const OrderRow& row : rows) steps = std::max<std::size_t>(steps, row.steps.size());
  std::vector<std::string> methods, runs, verdicts;
  std::vector<std::int64_t> promised;
  std::vector<double> sizes, errors, slopes, uncertainties, reference;
  const auto append = [](std::vector<double>& to, const std::vector<double>& values) {
    to.insert(to.end(), values.begin(), values.end());
  };
  for (const OrderRow& row : rows) {
    methods.push_back(row.plan.method.label);
    runs.push_back(motion_heading(row.plan));
    append(sizes, step_columns(row.steps, steps));
    reference.push_back(row.reference_error);
    for (const Quantity& quantity : quantities) {
      const OrderSeries& series = row.*quantity.series;
      constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
      append(errors, step_columns(series.errors, steps));
      slopes.push_back(series.measured ? series.slope : unknown);
      uncertainties.push_back(series.measured ? series.uncertainty : unknown);
      promised.push_back(promised_order(row, quantity));
      verdicts.emplace_back(verdict_text(row.*quantity.verdict));
    }
  }
  return {
      .dimensions = {{"row", rows.size()}, {"quantity", 3, {"q", "v", "lambda"}}, {"level", steps}},
      .coordinates = {{"method", "", {"row"}, std::move(methods)},
                      {"run", "problem and start", {"row"}, std::move(runs)}},
      .variables = {
          {"step", "size, the largest first", {"row", "level"}, std::move(sizes)},
          {"error", "largest, by the reference", {"row", "quantity", "level"}, std::move(errors)},
          {"order", "slope of errors against steps", {"row", "quantity"}, std::move(slopes)},
          {"uncertainty", "of the order", {"row", "quantity"}, std::move(uncertainties)},
          {"promised", "order", {"row", "quantity"}, std::move(promised)},
          {"verdict", "", {"row", "quantity"}, std::move(verdicts)},
          {"reference_error", "of the solution compared with", {"row"}, std::move(reference)}}};
}

/// A line for each row, quantity and step.
std::string order_csv(const std::vector<OrderRow>& rows) {
  std::string text = "run,method,quantity,step,error,order,promised,verdict\n";
  for (const OrderRow& row : rows) {
    for (const Quantity& quantity : quantities) {
      const OrderSeries& series = row.*quantity.series;
      for (std::size_t i = 0; i < series.errors.size(); ++i)
        text += csv_cell(motion_heading(row.plan)) + "," + csv_cell(row.plan.method.label) + "," +
                quantity.name + "," + to_string(row.steps[i]) + "," + to_string(series.errors[i]) +
                "," + (series.measured ? to_string(series.slope) : "") + "," +
                std::to_string(promised_order(row, quantity)) + "," +
                verdict_text(row.*quantity.verdict) + "\n";
    }
  }
  return text;
}

std::string account_of(const OrderRow& row) {
  return fmt::format(
      "{}: {} steps from {} to {} until t = {}; the solution compared with is known "
      "to {:.1e}",
      row.plan.method.label, row.steps.size(), to_string(row.steps.front()),
      to_string(row.steps.back()), to_string(row.until), row.reference_error);
}

AnalysisReport order_report(const Study& study, const std::vector<RunPlan>& plans,
                            const std::vector<RefusedRun>& refused, const AnalysisWatch& watch) {
  OrderOptions options = read_page(order_page(), study);
  options.cancelled = watch.cancelled;
  options.problem = &study.problem;
  const auto rows = std::make_shared<const std::vector<OrderRow>>(measure_orders(plans, options));
  AnalysisReport report;
  report.measured = "orders measured";
  report.refused = reasons_of(refused);
  if (watch.is_cancelled()) {
    report.is_empty = true;
    return report;
  }
  report.text = [rows, refused](std::size_t) { return order_table(*rows, refused); };
  report.json = [rows, refused, title = study.title] { return order_json(title, *rows, refused); };
  report.csv = [rows] { return order_csv(*rows); };
  report.picture = [rows, title = study.title] { return order_picture(title, *rows); };
  hold(report, order_arrays(*rows));
  for (const OrderRow& row : *rows) {
    if (!row.steps.empty()) report.told.push_back(account_of(row));
    if (!row.failure.empty()) report.failed.push_back(row.failure);
    if (row.is_broken())
      report.broken.push_back("method \"" + row.plan.method.label +
                              "\" does not reach its promised order");
  }
  return report;
}

PlannedAnalysis plan_orders(const Study& study, const AnalysisPlanning& planning) {
  PlannedRuns planned = planning.leaves_out_misfits ? plan_fitting_runs(study, planning.watch)
                                                    : PlannedRuns{plan_runs(study, planning.watch)};
  planned.refused = of_largest_step(planned.refused, study);
  return {.says = "measuring orders of methods on " + study.problem.name,
          .plans = planned.plans,
          .check_picture =
              [study, plans = planned.plans](const auto& path) {
                check_order_plot(path, study.title, plans, study.plot.look);
              },
          .report =
              [study, planned](const AnalysisWatch& watch) {
                return order_report(study, planned.plans, planned.refused, watch);
              }};
}

/// Of a problem with methods: a step and an end of its own.
void complete_orders(AskedStudy& asked) {
  if (asked.methods.empty() || names_study(asked)) return;
  if (asked.given("run.step") == nullptr) asked.give("run.step", "--step", "0.1");
  asked.give("run.until", "--until", "20*(" + asked.words("run.step") + ")");
}

}  // namespace

Analysis order_analysis() {
  return {
      .page = order_page().info(),
      .options = {.set = "Change a value of the study, as run.step=0.05",
                  .method = "Without a study: a method, as dla01 or \"gauss(stages=3)\" (may be "
                            "repeated)",
                  .run = {{"step",
                           "The largest step (of a problem with --method: 0.1 if not given)"}}},
      .footer =
          "Examples: dalembert order modin-verdier-2020/figure-6 --until 1 --plot order.svg\n"
          "          dalembert order pendulum-cvt --method 'gauss(stages=3)' --start rotating\n"
          "Exit code 1 if a method does not reach its promised order, 2 if one of several does "
          "not fit.",
      .told = "systems, methods as compiled, starts, the error of each reference",
      .interrupted = "the measurement of orders cannot be resumed, and nothing was written",
      .json = "the orders",
      .csv = "a line for each step of each method",
      .picture = "errors against steps",
      .complete = complete_orders,
      .plan = plan_orders};
}

}  // namespace dalembert::study
