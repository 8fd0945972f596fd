#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/report/modified_report.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "library.hpp"
#include "run_analysis.hpp"

namespace dalembert::study {
namespace {

using ModifiedAnalyses = std::vector<ModifiedAnalysis>;

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

/// Change of the field at the points of the trajectory, between which nothing is known.
std::vector<FoundLine> modified_lines(const RunPlan& plan, const LabelledTable& table) {
  const std::size_t states = table.size_of("state");
  const std::vector<double>&field = table.numbers("field"), &modified = table.numbers("modified");
  std::vector<FoundLine> lines;
  for (std::size_t i = 0; i < states; ++i) {
    Curve curve{table.numbers("t"), {}};
    for (std::size_t k = 0; k < curve.t.size(); ++k)
      curve.values.push_back(modified[k * states + i] - field[k * states + i]);
    lines.push_back({run_heading(plan), "f~ - f", "rate of " + table.texts("state")[i],
                     std::move(curve), CurveStyle::points});
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
  if (!names_problem(asked)) return;
  if (asked.methods.empty())
    throw RequestError("give the method whose modified field is asked for, as in --method dla01");
  if (asked.given("run.step") == nullptr) asked.give("run.step", "--step", "0.1");
  if (asked.given("run.until") == nullptr)
    asked.give("run.until", "--until", "100*(" + asked.words("run.step") + ")");
}

}  // namespace

Analysis modified_analysis() {
  RunOptionWords words = words_of_runs();
  words.set = "Change a value, as method.stages=4 or parameters.epsilon=0.5";
  words.run = {{"step", "The step size (of a problem: 0.1 if not given)"},
               {"until",
                "The end of the trajectory at which the field is shown (of a problem: 100 steps if "
                "not given)"}};
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
