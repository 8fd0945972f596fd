#include "dalembert/report/sensitivity/sensitivity_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "dalembert/expression/printer.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/version.hpp"
#include "report/text_table.hpp"

namespace dalembert::study {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson finite_or_null(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson();
}

/// What is said of a run before its numbers.
std::string heading(const RunPlan& plan) {
  const std::string& which = plan.label.empty() ? plan.start : plan.label;
  return plan.system.name() + (which.empty() ? "" : ", " + which) + ", " + plan.method.label +
         fmt::format(", h = {:g}", plan.step);
}

OrderedJson run_head(const RunPlan& plan) {
  return {{"problem", plan.system.name()},
          {"start", plan.start},
          {"label", plan.label},
          {"method", OrderedJson::parse(method_json_text(plan.method.spec))},
          {"step", plan.step}};
}

/// Rows of a matrix of numbers.
OrderedJson matrix_json(std::span<const double> values, std::size_t columns) {
  OrderedJson rows = OrderedJson::array();
  for (std::size_t i = 0; columns > 0 && i < values.size(); i += columns) {
    OrderedJson row = OrderedJson::array();
    for (std::size_t j = 0; j < columns; ++j) row.push_back(finite_or_null(values[i + j]));
    rows.push_back(std::move(row));
  }
  return rows;
}

OrderedJson estimate_json(const Estimate& estimate) {
  return {{"value", finite_or_null(estimate.value)},
          {"low", finite_or_null(estimate.low)},
          {"high", finite_or_null(estimate.high)}};
}

std::vector<std::string> estimate_row(const std::string& name, const Estimate& estimate) {
  return {name, fmt::format("{:.6g}", estimate.value), fmt::format("{:.6g}", estimate.low),
          fmt::format("{:.6g}", estimate.high)};
}

}  // namespace

std::string sensitivity_table(const RunPlan& plan, const Sensitivity& result, std::size_t width) {
  std::vector<std::vector<std::string>> rows{{"by"}};
  rows[0].insert(rows[0].end(), result.of.begin(), result.of.end());
  const std::size_t last = result.size() - 1;
  for (std::size_t j = 0; j < result.by.size(); ++j) {
    rows.push_back({result.by[j]});
    for (std::size_t i = 0; i < result.of.size(); ++i)
      rows.back().push_back(fmt::format("{:.6g}", result.derivative(last, i, j)));
  }
  return fmt::format("{}: derivatives at t = {:g}\n", heading(plan), result.t.back()) +
         aligned_within(width, rows, 1);
}

std::string sensitivity_json(const std::vector<RunPlan>& plans,
                             const std::vector<Sensitivity>& results) {
  OrderedJson runs = OrderedJson::array();
  for (std::size_t r = 0; r < results.size(); ++r) {
    const Sensitivity& result = results[r];
    const std::size_t by = result.by.size(), of = result.of.size();
    OrderedJson derivatives = OrderedJson::array();
    for (std::size_t k = 0; k < result.size(); ++k)
      derivatives.push_back(
          matrix_json(std::span(result.derivatives).subspan(k * of * by, of * by), by));
    OrderedJson run = run_head(plans[r]);
    run.update({{"status", outcome_word(result.status)},
                {"message", result.message},
                {"steps", result.steps},
                {"mode", result.mode == SensitivityMode::adjoint ? "adjoint" : "tangent"},
                {"of", result.of},
                {"by", result.by},
                {"t", result.t},
                {"values", matrix_json(result.values, of)},
                {"derivatives", derivatives}});
    runs.push_back(std::move(run));
  }
  return OrderedJson{{"dalembert", version()}, {"runs", runs}}.dump(2) + "\n";
}

std::string sensitivity_csv(const std::vector<RunPlan>& plans,
                            const std::vector<Sensitivity>& results) {
  std::string text = "run,t,of,by,value,derivative\n";
  for (std::size_t r = 0; r < results.size(); ++r) {
    const Sensitivity& result = results[r];
    for (std::size_t k = 0; k < result.size(); ++k)
      for (std::size_t i = 0; i < result.of.size(); ++i)
        for (std::size_t j = 0; j < result.by.size(); ++j)
          text += csv_cell(heading(plans[r])) + "," + to_string(result.t[k]) + "," +
                  csv_cell(result.of[i]) + "," + csv_cell(result.by[j]) + "," +
                  to_string(result.values[k * result.of.size() + i]) + "," +
                  to_string(result.derivative(k, i, j)) + "\n";
  }
  return text;
}

std::string lyapunov_table(const RunPlan& plan, const LyapunovSpectrum& result) {
  std::vector<std::vector<std::string>> rows{{"exponent", "value", "from", "to (95 %)"}};
  for (std::size_t i = 0; i < result.exponents.size(); ++i)
    rows.push_back(estimate_row(std::to_string(i + 1), result.exponents[i]));
  rows.push_back(estimate_row("sum", result.sum));
  return fmt::format("{}, until t = {:g}: {} of {} exponents\n", heading(plan), plan.end(),
                     result.exponents.size(), result.dimension) +
         aligned_within(0, rows, 1);
}

std::string lyapunov_json(const std::vector<RunPlan>& plans,
                          const std::vector<LyapunovSpectrum>& results) {
  OrderedJson runs = OrderedJson::array();
  for (std::size_t r = 0; r < results.size(); ++r) {
    const LyapunovSpectrum& result = results[r];
    OrderedJson exponents = OrderedJson::array();
    for (const Estimate& exponent : result.exponents) exponents.push_back(estimate_json(exponent));
    const std::size_t count = result.t.empty() ? 0 : result.running.size() / result.t.size();
    OrderedJson run = run_head(plans[r]);
    run.update({{"until", plans[r].end()},
                {"status", outcome_word(result.status)},
                {"message", result.message},
                {"steps", result.steps},
                {"dimension", result.dimension},
                {"exponents", exponents},
                {"sum", result.exponents.empty() ? OrderedJson() : estimate_json(result.sum)},
                {"t", result.t},
                {"running", matrix_json(result.running, count)}});
    runs.push_back(std::move(run));
  }
  return OrderedJson{{"dalembert", version()}, {"runs", runs}}.dump(2) + "\n";
}

Picture lyapunov_picture(const std::string& title, const std::vector<RunPlan>& plans,
                         const std::vector<LyapunovSpectrum>& results) {
  Picture picture{title};
  for (std::size_t r = 0; r < results.size(); ++r) {
    const LyapunovSpectrum& result = results[r];
    PicturePanel panel{.title = heading(plans[r]), .row = r};
    panel.x = {plans[r].columns.time_label()};
    panel.y = {"exponents: means up to t"};
    const std::size_t count = result.t.empty() ? 0 : result.running.size() / result.t.size();
    for (std::size_t i = 0; i < count; ++i) {
      Curve curve;
      for (std::size_t k = 0; k < result.t.size(); ++k) {
        curve.t.push_back(result.t[k]);
        curve.values.push_back(result.running[k * count + i]);
      }
      panel.curves.push_back(
          {picture.entry("exponent " + std::to_string(i + 1)), std::move(curve)});
    }
    picture.panels.push_back(std::move(panel));
  }
  return picture;
}

}  // namespace dalembert::study
