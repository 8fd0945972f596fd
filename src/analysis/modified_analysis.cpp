#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "dalembert/error.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/study/modified/analyse_modified.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "dalembert/version.hpp"
#include "library.hpp"
#include "report/text_table.hpp"
#include "run_analysis.hpp"

namespace dalembert::study {
namespace {

using Json = nlohmann::ordered_json;
using ModifiedAnalyses = std::vector<ModifiedAnalysis>;

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

std::string modified_text(const ModifiedAnalyses& analyses) {
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

std::string modified_json(const ModifiedAnalyses& analyses) {
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

/// A row for each point.
std::string modified_csv(const ModifiedAnalyses& analyses) {
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

/// Numbers of all points, one after the other.
template <class Numbers>
std::vector<double> of_points(const ModifiedAnalysis& analysis, Numbers numbers) {
  std::vector<double> all;
  for (const ModifiedPoint& point : analysis.points) {
    const std::vector<double> own = numbers(point);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

/// Numbers of all drifts.
std::vector<double> of_drifts(const ModifiedAnalysis& analysis, double WindowRate::*number) {
  std::vector<double> all;
  for (const WindowRate& drift : analysis.drifts) all.push_back(drift.*number);
  return all;
}

std::vector<double> joined(const std::vector<std::vector<double>>& rows) {
  std::vector<double> all;
  for (const std::vector<double>& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

void add_modes(LabelledTable& table, const PredictedRates& rates) {
  std::vector<std::string> kinds;
  std::vector<double> rate, error, step_error, share;
  for (const RateMode& mode : rates.modes) {
    kinds.emplace_back(kind_text(mode.kind));
    rate.push_back(mode.rate);
    error.push_back(mode.error);
    step_error.push_back(mode.step_error);
    share.push_back(mode.share);
  }
  table.dimensions.push_back({"mode", kinds.size()});
  for (LabelledArray& array : std::vector<LabelledArray>{
           {"mode_kind", "axis, pair or multiplier", {"mode"}, std::move(kinds)},
           {"mode_rate", "d log E / dt over a turn of the driver", {"mode"}, std::move(rate)},
           {"mode_error", "of the rate", {"mode"}, std::move(error)},
           {"mode_step_error", "of the rate, by the step", {"mode"}, std::move(step_error)},
           {"mode_share", "of the start", {"mode"}, std::move(share)},
           {"closure", "to which the driver closes", {}, std::vector{rates.closure}},
           {"period", "of a turn of the driver", {}, std::vector{rates.period}},
           {"initial_rate",
            "d log E / dt of the passengers of this start",
            {},
            std::vector{rates.initial_rate()}}})
    table.variables.push_back(std::move(array));
}

LabelledTable modified_arrays(const ModifiedAnalysis& analysis) {
  const RecordColumns& columns = analysis.plan.columns;
  const std::span<const std::string> names = columns.motion_names();
  const std::vector<std::string> states(names.begin() + 1, names.end());
  std::vector<std::string> integrals;
  for (const WindowRate& drift : analysis.drifts) integrals.push_back(drift.integral);
  std::vector<std::int64_t> powers(analysis.powers.begin(), analysis.powers.end()), half_widths;
  for (const ModifiedPoint& point : analysis.points) half_widths.push_back(point.half_width);
  const auto at = [&](auto numbers) { return of_points(analysis, numbers); };
  const auto one = [&](double ModifiedPoint::*number) {
    return at([number](const ModifiedPoint& point) { return std::vector{point.*number}; });
  };
  const auto many = [&](std::vector<double> ModifiedPoint::*numbers) {
    return at([numbers](const ModifiedPoint& point) { return point.*numbers; });
  };
  LabelledTable table{
      .dimensions = {{"t", analysis.points.size()},
                     {"state", states.size()},
                     {"power", powers.size()},
                     {"integral", integrals.size()}},
      .coordinates = {{"t", "time", {"t"}, one(&ModifiedPoint::t), columns.unit(0)},
                      {"state", "positions and velocities", {"state"}, states},
                      {"power", "of the step", {"power"}, std::move(powers)},
                      {"integral", "energy, and what the problem names", {"integral"}, integrals}},
      .variables = {
          {"steps_as_one",
           "steps that are taken as one to be near the identity",
           {},
           std::vector{static_cast<std::int64_t>(analysis.steps_as_one)}},
          {"value", "state at t", {"t", "state"}, at([](const ModifiedPoint& point) {
             return joined({point.q, point.v});
           })},
          {"field", "of the motion, f", {"t", "state"}, many(&ModifiedPoint::field)},
          {"modified",
           "that the method follows, f~",
           {"t", "state"},
           many(&ModifiedPoint::modified)},
          {"remainder", "error of f~", {"t"}, one(&ModifiedPoint::remainder)},
          {"half_width",
           "steps to either side that f~ is found from",
           {"t"},
           std::move(half_widths)},
          {"noise", "of double precision in f~", {"t"}, one(&ModifiedPoint::noise)},
          {"coefficient",
           "of a power of the step in f~",
           {"t", "power", "state"},
           at([](const ModifiedPoint& point) { return joined(point.coefficients); })},
          {"coefficient_error", "", {"t", "power"}, many(&ModifiedPoint::coefficient_errors)},
          {"integral_slope",
           "<grad I, f~>",
           {"t", "integral"},
           many(&ModifiedPoint::integral_slopes)},
          {"initial", "at the start", {"integral"}, of_drifts(analysis, &WindowRate::initial)},
          {"drift", "dI/dt over the window", {"integral"}, of_drifts(analysis, &WindowRate::rate)},
          {"drift_error", "", {"integral"}, of_drifts(analysis, &WindowRate::error)}}};
  if (analysis.rates) add_modes(table, *analysis.rates);
  return table;
}

/// The change of the field, and of its coefficients, along the motion.
std::vector<FoundLine> modified_lines(const RunPlan& plan, const LabelledTable& table) {
  const std::size_t states = table.size_of("state");
  const std::vector<double>&field = table.numbers("field"), &modified = table.numbers("modified");
  std::vector<FoundLine> lines;
  for (std::size_t i = 0; i < states; ++i) {
    Curve curve{table.numbers("t"), {}};
    for (std::size_t k = 0; k < curve.t.size(); ++k)
      curve.values.push_back(modified[k * states + i] - field[k * states + i]);
    lines.push_back(
        {run_heading(plan), "f~ - f", "rate of " + table.texts("state")[i], std::move(curve)});
  }
  return lines;
}

AnalysisReport modified_report(const Study& study, const PlannedRuns& planned,
                               const AnalysisWatch& watch) {
  ModifiedOptions options = read_page(modified_page(), study);
  options.cancelled = watch.cancelled;
  const auto analyses = std::make_shared<ModifiedAnalyses>();
  const FindOfRun find = [&](const RunPlan& plan, const AnalysisWatch&) {
    analyses->push_back(analyse_modified(plan, options));
    Finding finding;
    finding.message = analyses->back().failure;
    finding.status = !finding.message.empty()          ? Finding::Status::failed
                     : analyses->back().is_interrupted ? Finding::Status::interrupted
                                                       : Finding::Status::ok;
    finding.steps = plan.steps;
    finding.table = modified_arrays(analyses->back());
    return finding;
  };
  AnalysisReport report =
      report_of(study.title, analyse_runs(find, planned.plans, watch), modified_lines);
  report.text = [analyses](std::size_t) { return modified_text(*analyses); };
  report.text_of_table = [analyses](std::size_t i) { return modified_text({analyses->at(i)}); };
  report.json = [analyses] { return modified_json(*analyses); };
  report.csv = [analyses] { return modified_csv(*analyses); };
  for (std::string& reason : reasons_of(planned.refused)) report.refused.push_back(reason);
  return report;
}

PlannedAnalysis plan_modified(const Study& study, const AnalysisPlanning& planning) {
  const PlannedRuns planned = planned_runs(study, planning);
  return {.says = "analysing steps on " + study.problem.name,
          .plans = planned.plans,
          .report = [study, planned](const AnalysisWatch& watch) {
            return modified_report(study, planned, watch);
          }};
}

/// A hundred steps of 0.1 where nothing else is said of a problem.
void complete_modified(AskedStudy& asked) {
  AskedStudy with_method = asked;
  if (asked.methods.empty()) with_method.methods = {"gauss"};
  if (names_study(with_method)) return;
  if (asked.methods.empty())
    throw RequestError("give the method whose modified field is asked for, as in --method dla01");
  if (asked.step.empty()) asked.step = "0.1";
  if (asked.until.empty()) asked.until = "100*(" + asked.step + ")";
}

}  // namespace

Analysis modified_analysis() {
  RunOptionWords words = words_of_runs();
  words.set = "Change a value, as method.stages=4 or parameters.epsilon=0.5";
  words.step = "The size of a step, a number or an expression (of a problem: 0.1 if not given)";
  words.until =
      "How far the trajectory goes at which the field is shown (of a problem: 100 steps if not "
      "given)";
  words.steps.clear();
  return {.page = modified_page().info(),
          .options = words,
          .footer =
              "Examples: dalembert modified pendulum-cvt --method dla01 --start rotating --set "
              "parameters.epsilon=0.5\n"
              "          dalembert modified pendulum-cvt --method lobatto --set method.stages=4 "
              "--step 0.05 --json -",
          .interrupted = "runs that were analysed up to there are shown",
          .json = "results",
          .csv = "a row for each point",
          .picture = "the change of the field at these points",
          .complete = complete_modified,
          .plan = plan_modified};
}

}  // namespace dalembert::study
