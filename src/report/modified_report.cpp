#include "dalembert/report/modified_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/version.hpp"
#include "text_table.hpp"

namespace dalembert::study {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string heading_of(const ModifiedAnalysis& analysis) {
  const RunPlan& plan = analysis.plan;
  std::string text = plan.system.name() + ", " + plan.method.label;
  const std::string& which = plan.label.empty() ? plan.start : plan.label;
  if (!which.empty()) text += ", " + which;
  text += fmt::format(", h = {:.9g}\n", plan.step);
  if (analysis.steps_as_one == 2)
    text += "two steps are taken as one: one alone is not near the identity\n";
  return text;
}

std::string points_text(const ModifiedAnalysis& analysis) {
  std::vector<std::vector<std::string>> rows{
      {"t", "|f|", "|f~ - f|", "remainder", "half width", "noise in double"}};
  for (const int power : analysis.powers) rows.front().push_back(fmt::format("|f_{}|", power));
  rows.front().push_back("");
  for (const ModifiedPoint& point : analysis.points) {
    rows.push_back({fmt::format("{:.6g}", point.t), fmt::format("{:.4g}", point.size()),
                    fmt::format("{:.4e}", point.change()), fmt::format("{:.0e}", point.remainder),
                    fmt::format("{}", point.half_width), fmt::format("{:.0e}", point.noise)});
    for (std::size_t i = 0; i < point.coefficients.size(); ++i) {
      rows.back().push_back(fmt::format("{:.6e} +- {:.0e}",
                                        numeric::largest_size<double>(point.coefficients[i]),
                                        point.coefficient_errors[i]));
    }
    rows.back().push_back("");
  }
  return aligned(rows, 0);
}

std::string drifts_text(const ModifiedAnalysis& analysis) {
  std::vector<std::vector<std::string>> rows{
      {"integral", "at the start", "largest <grad I, f~>", "dI/dt", "error", ""}};
  for (std::size_t i = 0; i < analysis.drifts.size(); ++i) {
    const WindowRate& drift = analysis.drifts[i];
    double largest = 0.0;
    for (const ModifiedPoint& point : analysis.points)
      largest = numeric::larger(largest, std::fabs(point.integral_slopes[i]));
    rows.push_back({drift.integral, fmt::format("{:.9g}", drift.initial),
                    fmt::format("{:.3e}", largest), fmt::format("{:.4e}", drift.rate),
                    fmt::format("{:.0e}", drift.error), ""});
  }
  return aligned(rows, 1);
}

std::string rates_text(const ModifiedAnalysis& analysis) {
  if (!analysis.rates) return "no modes: " + analysis.without_rates + "\n";
  const PredictedRates& rates = *analysis.rates;
  std::vector<std::vector<std::string>> rows{
      {"mode", "share of the start", "d log E/dt", "error", "first average", ""}};
  for (const RateMode& mode : rates.modes) {
    std::string average = "-";
    if (analysis.averages && mode.kind != RateMode::Kind::multiplier) {
      average = fmt::format("{:.4e}", mode.kind == RateMode::Kind::axis
                                          ? analysis.averages->axis_at(rates.step)
                                          : analysis.averages->pair_at(rates.step));
    }
    rows.push_back({kind_text(mode.kind), fmt::format("{:.4f}", mode.share),
                    fmt::format("{:.4e}", mode.rate), fmt::format("{:.0e}", mode.step_error),
                    average, ""});
  }
  std::string text = aligned(rows, 1);
  text += fmt::format("the driver closes after {} steps of {:.9g}, {} turns of {:.9g}, to {:.0e}\n",
                      rates.steps, rates.step, rates.turns, rates.period, rates.closure);
  text += fmt::format(
      "the passengers' energy of this start: {:.4e} at first, {:.4e} and {:.4e} as straight lines "
      "through its logarithm over t = 1000 and 100000\n",
      rates.initial_rate(), rates.fitted_rate(1e3), rates.fitted_rate(1e5));
  if (!analysis.averages) text += "no first average: " + analysis.without_averages + "\n";
  return text;
}

Json point_json(const ModifiedAnalysis& analysis, const ModifiedPoint& point) {
  Json coefficients = Json::array(), slopes = Json::object();
  for (std::size_t i = 0; i < point.coefficients.size(); ++i) {
    coefficients.push_back({{"power", analysis.powers[i]},
                            {"value", point.coefficients[i]},
                            {"error", point.coefficient_errors[i]}});
  }
  for (std::size_t i = 0; i < analysis.drifts.size(); ++i)
    slopes[analysis.drifts[i].integral] = point.integral_slopes[i];
  return {{"t", point.t},
          {"q", point.q},
          {"v", point.v},
          {"field", point.field},
          {"modified", point.modified},
          {"remainder", number_or_null(point.remainder)},
          {"half_width", point.half_width},
          {"noise", point.noise},
          {"coefficients", coefficients},
          {"integral_slopes", slopes}};
}

Json rates_json(const ModifiedAnalysis& analysis) {
  if (!analysis.rates) return {{"modes", nullptr}, {"reason", analysis.without_rates}};
  const PredictedRates& rates = *analysis.rates;
  Json modes = Json::array();
  for (const RateMode& mode : rates.modes)
    modes.push_back({{"kind", kind_text(mode.kind)},
                     {"rate", mode.rate},
                     {"error", mode.error},
                     {"step_error", mode.step_error},
                     {"share", mode.share}});
  return {{"modes", modes},
          {"step", rates.step},
          {"steps", rates.steps},
          {"turns", rates.turns},
          {"period", rates.period},
          {"closure", rates.closure},
          {"initial_rate", rates.initial_rate()},
          {"fitted_rate_1e3", rates.fitted_rate(1e3)},
          {"fitted_rate_1e5", rates.fitted_rate(1e5)}};
}

Json averages_json(const ModifiedAnalysis& analysis) {
  if (!analysis.averages) return {{"power", nullptr}, {"reason", analysis.without_averages}};
  const AveragedRates& averages = *analysis.averages;
  return {{"power", averages.power},
          {"axis", averages.axis},
          {"pair", averages.pair},
          {"error", averages.error}};
}

}  // namespace

std::string modified_text(const std::vector<ModifiedAnalysis>& analyses) {
  std::string text;
  for (const ModifiedAnalysis& analysis : analyses) {
    if (!text.empty()) text += "\n";
    text += heading_of(analysis);
    if (!analysis.failure.empty()) {
      text += analysis.failure + "\n";
      continue;
    }
    text +=
        "\n" + points_text(analysis) + "\n" + drifts_text(analysis) + "\n" + rates_text(analysis);
  }
  return text;
}

std::string modified_json(const std::vector<ModifiedAnalysis>& analyses) {
  Json list = Json::array();
  for (const ModifiedAnalysis& analysis : analyses) {
    Json points = Json::array(), drifts = Json::array();
    for (const ModifiedPoint& point : analysis.points)
      points.push_back(point_json(analysis, point));
    for (const WindowRate& drift : analysis.drifts)
      drifts.push_back({{"integral", drift.integral},
                        {"initial", number_or_null(drift.initial)},
                        {"rate", number_or_null(drift.rate)},
                        {"error", number_or_null(drift.error)}});
    list.push_back({{"problem", analysis.plan.system.name()},
                    {"start", analysis.plan.start},
                    {"label", analysis.plan.method.label},
                    {"run", analysis.plan.label},
                    {"step", analysis.plan.step},
                    {"steps_as_one", analysis.steps_as_one},
                    {"status", !analysis.failure.empty() ? "failed"
                               : analysis.is_interrupted ? "interrupted"
                                                         : "ok"},
                    {"message", analysis.failure},
                    {"points", points},
                    {"drifts", drifts},
                    {"rates", rates_json(analysis)},
                    {"averages", averages_json(analysis)}});
  }
  return Json{{"dalembert", version()}, {"modified", list}}.dump(2) + "\n";
}

std::string modified_csv(const std::vector<ModifiedAnalysis>& analyses) {
  std::string text;
  for (const ModifiedAnalysis& analysis : analyses) {
    const auto names = analysis.plan.columns.motion_names();
    if (text.empty()) {
      text = "method,step";
      for (const std::string& name : names) text += "," + name;
      for (const char* prefix : {"f.", "modified."})
        for (std::size_t i = 1; i < names.size(); ++i) text += "," + (prefix + names[i]);
      text += ",remainder";
      for (const int power : analysis.powers)
        for (std::size_t i = 1; i < names.size(); ++i)
          text += fmt::format(",f_{}.{}", power, names[i]);
      text += "\n";
    }
    for (const ModifiedPoint& point : analysis.points) {
      text += fmt::format("\"{}\",{:.17g},{:.17g}", analysis.plan.method.label, analysis.plan.step,
                          point.t);
      const auto add = [&](const std::vector<double>& values) {
        for (const double value : values) text += fmt::format(",{:.17g}", value);
      };
      add(point.q);
      add(point.v);
      add(point.field);
      add(point.modified);
      add({point.remainder});
      for (const auto& coefficient : point.coefficients) add(coefficient);
      text += "\n";
    }
  }
  return text;
}

}  // namespace dalembert::study
