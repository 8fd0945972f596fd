#include "dalembert/analysis/control_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <span>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/picture/plot.hpp"
#include "dalembert/report/outcome_word.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/study/control/optimise_run.hpp"
#include "library.hpp"
#include "picture/path.hpp"
#include "report/text_table.hpp"
#include "run_analysis.hpp"

namespace dalembert::study {
namespace {

std::string run_text(const RunPlan& plan) {
  return plan.system.name() + (plan.label.empty() ? "" : ", " + plan.label);
}

std::vector<RunPlan> with_columns(const std::vector<RunPlan>& plans) {
  std::vector<RunPlan> result;
  for (const RunPlan& plan : plans) {
    result.push_back(with_control_columns(plan));
    result.back().index = result.size() - 1;  // of these
  }
  return result;
}

/// The names of positions and velocities.
std::span<const std::string> state_names(const RecordColumns& columns) {
  return std::span(columns.names)
      .subspan(columns.q_begin(), columns.q_count + columns.velocity_count);
}

std::string other_costs(const OptimalControl& result) {
  std::string text;
  for (const double cost : result.stationary_costs)
    if (std::fabs(cost - result.cost) > 1e-6 * (1.0 + std::fabs(result.cost)))
      text += (text.empty() ? "" : ", ") + fmt::format("{:.6g}", cost);
  return text;
}

/// What tells the curves of a picture apart.
std::vector<std::string> entry_labels(const std::vector<RunPlan>& plans) {
  std::set<std::string> labels, methods;
  for (const RunPlan& plan : plans) {
    labels.insert(plan.label);
    methods.insert(plan.method.label);
  }
  std::vector<std::string> result;
  for (const RunPlan& plan : plans) {
    if (labels.size() == 1)
      result.push_back(plan.method.label);
    else if (methods.size() == 1)
      result.push_back(plan.label);
    else
      result.push_back(plan.method.label + ", " + plan.label);
  }
  return result;
}

/// Constant along each step.
Curve stairs(const OptimalControl& result, std::size_t control) {
  Curve curve;
  const std::size_t count = result.by.size();
  for (std::size_t k = 0; k + 1 < result.size(); ++k) {
    for (const std::size_t node : {k, k + 1}) {
      curve.t.push_back(result.t[node]);
      curve.values.push_back(result.controls[k * count + control]);
    }
  }
  return curve;
}

/// A result as one of a run.
RunResult as_run(const RunPlan& plan, const OptimalControl& result) {
  RunResult run;
  run.status = result.ok() ? RunResult::Status::ok : RunResult::Status::failed;
  if (result.ok()) run.records = control_rows(plan, result);
  return run;
}

/// Row of the table: the least cost, whether it is a minimum, how exactly the equations hold, how
/// many searches found it.
std::vector<std::string> row_of(const RunPlan& plan, const OptimalControl& result) {
  std::vector<std::string> row{run_text(plan), plan.method.label, fmt::format("{:g}", plan.step)};
  const std::string searches = fmt::format("{} of {}", result.converged, result.trials);
  if (result.ok()) {
    row.insert(row.end(),
               {fmt::format("{:.13g}", result.cost), extremum_word(result.extremum),
                fmt::format("{:.1e}", result.residual), fmt::format("{:.1e}", result.defect),
                fmt::format("{:.1e}", result.constraint), searches, other_costs(result)});
  } else {
    row.insert(row.end(), {outcome_word(result.status), "", "", "", "", searches, ""});
  }
  return row;
}

/// A single number or word.
template <class Value>
LabelledArray single(const std::string& name, const std::string& description, Value value) {
  return {name, description, {}, std::vector{std::move(value)}};
}

std::int64_t whole(std::size_t count) { return static_cast<std::int64_t>(count); }

/// Positions and velocities at each node.
std::vector<double> states_of(const OptimalControl& result, std::size_t q, std::size_t v) {
  std::vector<double> states;
  for (std::size_t k = 0; k < result.size(); ++k) {
    for (std::size_t i = 0; i < q; ++i) states.push_back(result.q[k * q + i]);
    for (std::size_t i = 0; i < v; ++i) states.push_back(result.v[k * v + i]);
  }
  return states;
}

/// Arrays of a motion that was found; empty ones where there is none.
LabelledTable control_arrays(const RunPlan& plan, const OptimalControl& result) {
  const RecordColumns& columns = plan.columns;
  const auto names = state_names(columns);
  const std::vector<std::string>& by = plan.control->entry.by;
  const std::size_t nodes = result.size(), steps = nodes == 0 ? 0 : nodes - 1;
  LabelledTable table{
      .dimensions = {{"t", nodes},
                     {"start", steps},
                     {"by", by.size()},
                     {"name", names.size()},
                     {"position", columns.q_count},
                     {"velocity", columns.velocity_count},
                     {"found", result.stationary_costs.size()}},
      .coordinates = {{"t", "time", {"t"}, result.t, columns.unit(0)},
                      {"start",
                       "times at which steps begin",
                       {"start"},
                       std::vector(result.t.begin(),
                                   result.t.begin() + static_cast<std::ptrdiff_t>(steps)),
                       columns.unit(0),
                       "starts"},
                      {"by", "parameters that are chosen", {"by"}, by},
                      {"name",
                       "positions and velocities",
                       {"name"},
                       std::vector(names.begin(), names.end()),
                       {},
                       "state"}},
      .variables = {
          single("searches", "that were made", whole(result.trials)),
          single("converged", "of these, to stationary controls", whole(result.converged)),
          {"q", "positions", {"t", "position"}, result.q},
          {"v", "velocities", {"t", "velocity"}, result.v},
          {"state",
           "positions and velocities",
           {"t", "name"},
           states_of(result, columns.q_count, columns.velocity_count),
           {},
           "states"},
          {"control", "constant along each step", {"start", "by"}, result.controls, {}, "controls"},
          {"costate",
           "derivative of the cost from there on, with the other sign",
           {"t", "name"},
           result.costate},
          {"stationary_cost",
           "all that were found, least first",
           {"found"},
           result.stationary_costs,
           {},
           "stationary_costs"}}};
  if (!result.ok()) return table;
  for (LabelledArray& array : std::vector<LabelledArray>{
           single("cost", "least that was found", result.cost),
           single("extremum", "minimum, family or saddle",
                  std::string(extremum_word(result.extremum))),
           single("residual", "largest derivative of the Lagrangian", result.residual),
           single("defect", "largest error of a step, and of the end", result.defect),
           single("constraint", "largest residual at the nodes", result.constraint),
           single("iterations", "of Newton's method", whole(result.iterations))})
    table.variables.push_back(std::move(array));
  return table;
}

Finding found_controls(const RunPlan& plan, const OptimalControl& result) {
  Finding finding;
  finding.status = result.ok()                                       ? Finding::Status::ok
                   : result.status == OptimalControl::Status::failed ? Finding::Status::failed
                                                                     : Finding::Status::interrupted;
  finding.message = result.message;
  finding.steps = result.ok() ? plan.steps : 0;
  finding.table = control_arrays(plan, result);
  finding.rows = {{"run", "method", "h", "cost", "extremum", "stationary to", "steps and end to",
                   "constraint", "searches", "other costs found"},
                  row_of(plan, result)};
  finding.words = 2;
  return finding;
}

/// A line for each node: the columns of a run, controls, costates.
std::string control_csv(const std::vector<RunPlan>& plans,
                        const std::vector<OptimalControl>& results) {
  std::string text;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].ok()) continue;
    const RunPlan plan = with_control_columns(plans[i]);
    const auto states = state_names(plan.columns);
    if (text.empty()) {
      text = "run,method";
      for (const std::string& name : plan.columns.names) text += "," + csv_cell(name);
      for (const std::string& name : states) text += "," + csv_cell("costate_" + name);
      text += "\n";
    }
    const std::vector<double> rows = control_rows(plan, results[i]);
    for (std::size_t k = 0; k < results[i].size(); ++k) {
      text += csv_cell(run_text(plan)) + "," + csv_cell(plan.method.label);
      const std::size_t width = plan.columns.width();
      for (std::size_t c = 0; c < width; ++c) text += "," + to_string(rows[k * width + c]);
      for (std::size_t c = 0; c < states.size(); ++c)
        text += "," + to_string(results[i].costate[k * states.size() + c]);
      text += "\n";
    }
  }
  return text;
}

/// What a picture shows: what the study asks for, else the motion in the plane or its coordinates.
/// RequestError, before anything is computed, for quantities that a motion does not have.
PlotRequest control_plot(const std::filesystem::path& path, const Study& study,
                         const std::vector<RunPlan>& plans) {
  PlotRequest request = study.plot;
  if (!request.section.empty())
    throw RequestError("a section shows many returns of a run; controls are those of one motion");
  request.together = true;
  if (!request.names_something()) {
    const RecordColumns& columns = plans.front().columns;
    request.paths = paths_in_space(plans.front().system.configuration());
    for (std::size_t i = 0; request.paths.empty() && i < columns.q_count && i < 6; ++i)
      request.quantities.push_back(columns.names[columns.q_begin() + i]);
  }
  check_plot(path, request, with_columns(plans), study.title);
  return request;
}

}  // namespace

Picture control_picture(const PlotRequest& request, const std::string& title,
                        const std::vector<RunPlan>& plans,
                        const std::vector<OptimalControl>& results) {
  const std::vector<RunPlan> wide = with_columns(plans);
  std::vector<RunResult> runs;
  for (std::size_t i = 0; i < plans.size(); ++i) runs.push_back(as_run(wide[i], results[i]));
  Picture picture = picture_of_runs(request, title, wide, runs);
  std::size_t row = 0;
  for (const PicturePanel& panel : picture.panels) row = std::max<std::size_t>(row, panel.row + 1);
  const std::vector<std::string> labels = entry_labels(plans);
  for (std::size_t j = 0; j < plans.front().control->entry.by.size(); ++j) {
    PicturePanel panel{.title = {}, .row = row + j / 2, .column = j % 2};
    panel.x = {wide.front().columns.time_label()};
    for (const OptimalControl& result : results)
      if (result.ok()) panel.x.range = {result.t.front(), result.t.back()};
    panel.y = {wide.front().columns.names[wide.front().columns.width() -
                                          plans.front().control->entry.by.size() + j]};
    for (std::size_t i = 0; i < plans.size(); ++i)
      if (results[i].ok())
        panel.curves.push_back({picture.entry(labels[i]), stairs(results[i], j), CurveStyle::path});
    picture.panels.push_back(std::move(panel));
  }
  return picture;
}

namespace {

/// What is searched for: each trial, and the guess.
double searches_of(const RunPlan& plan) {
  const ControlEntry& entry = plan.control->entry;
  return static_cast<double>(entry.trials) + (entry.guess.empty() ? 0.0 : 1.0);
}

AnalysisReport control_report(const Study& study, const std::shared_ptr<PlotRequest>& shown,
                              const std::vector<RunPlan>& plans, const AnalysisWatch& watch) {
  const auto results = std::make_shared<std::vector<OptimalControl>>();
  Findings found{plans};
  for (const RunPlan& plan : plans) {
    results->push_back(optimise_run(plan, watch.cancelled, watch.steps_done));
    found.findings.push_back(found_controls(plan, results->back()));
  }
  AnalysisReport report = report_of(study.title, std::move(found));
  report.csv = [plans, results] { return control_csv(plans, *results); };
  report.picture = [title = study.title, shown, plans, results] {
    return control_picture(*shown, title, plans, *results);
  };
  return report;
}

PlannedAnalysis plan_controls(const Study& study, const AnalysisPlanning& planning) {
  if (!study.control)
    throw RequestError(
        "the study has no table [control], which gives the parameters that are chosen (by), what "
        "is "
        "to be least (cost) and the end (end)");
  const PlannedRuns planned = planned_runs(study, planning);
  PlannedAnalysis analysis{.plans = planned.plans};
  for (const RunPlan& plan : planned.plans) analysis.work += searches_of(plan);
  const auto shown = std::make_shared<PlotRequest>();
  analysis.check_picture = [study, shown, plans = planned.plans](const auto& path) {
    *shown = control_plot(path, study, plans);
  };
  analysis.report = [study, shown, planned](const AnalysisWatch& watch) {
    AnalysisReport report = control_report(study, shown, planned.plans, watch);
    report.refused = reasons_of(planned.refused);
    return report;
  };
  return analysis;
}

}  // namespace

Analysis control_analysis() {
  return {.page = control_page(),
          .options = words_of_runs(),
          .footer =
              "Examples: dalembert control parking --plot parking.pdf\n"
              "          dalembert control parking --step 0.1 --method gauss --csv parking.csv",
          .interrupted = "runs whose searches had ended are shown",
          .json = "states, controls and costates",
          .csv = "a line for each node",
          .picture = "the motion and the controls",
          .has_plot_options = true,
          .plan = plan_controls};
}

}  // namespace dalembert::study
