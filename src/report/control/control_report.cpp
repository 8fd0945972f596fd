#include "dalembert/report/control/control_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/picture/plot.hpp"
#include "dalembert/report/outcome_word.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/version.hpp"
#include "picture/path.hpp"
#include "report/text_table.hpp"

namespace dalembert::study {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string run_text(const RunPlan& plan) {
  return plan.system.name() + (plan.label.empty() ? "" : ", " + plan.label);
}

/// Rows of a matrix of numbers.
OrderedJson rows_of(const std::vector<double>& values, std::size_t columns) {
  OrderedJson rows = OrderedJson::array();
  for (std::size_t i = 0; columns > 0 && i < values.size(); i += columns)
    rows.push_back(std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(i),
                                       values.begin() + static_cast<std::ptrdiff_t>(i + columns)));
  return rows;
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

}  // namespace

const char* extremum_word(Extremum extremum) {
  return extremum == Extremum::minimum  ? "minimum"
         : extremum == Extremum::family ? "family"
                                        : "saddle";
}

std::string control_table(const std::vector<RunPlan>& plans,
                          const std::vector<OptimalControl>& results, std::size_t width) {
  std::vector<std::vector<std::string>> rows{{"run", "method", "h", "cost", "extremum",
                                              "stationary to", "steps and end to", "constraint",
                                              "searches", "other costs found"}};
  for (std::size_t i = 0; i < results.size(); ++i) {
    const OptimalControl& result = results[i];
    rows.push_back({run_text(plans[i]), plans[i].method.label, fmt::format("{:g}", plans[i].step)});
    std::vector<std::string>& row = rows.back();
    if (result.ok()) {
      row.insert(row.end(),
                 {fmt::format("{:.13g}", result.cost), extremum_word(result.extremum),
                  fmt::format("{:.1e}", result.residual), fmt::format("{:.1e}", result.defect),
                  fmt::format("{:.1e}", result.constraint),
                  fmt::format("{} of {}", result.converged, result.trials), other_costs(result)});
    } else {
      row.insert(row.end(), {outcome_word(result.status), "", "", "", "",
                             fmt::format("{} of {}", result.converged, result.trials), ""});
    }
  }
  return aligned_within(width, rows, 2);
}

std::string control_json(const std::vector<RunPlan>& plans,
                         const std::vector<OptimalControl>& results) {
  OrderedJson runs = OrderedJson::array();
  for (std::size_t i = 0; i < results.size(); ++i) {
    const RunPlan& plan = plans[i];
    const OptimalControl& result = results[i];
    const std::size_t q = plan.columns.q_count, v = plan.columns.velocity_count;
    OrderedJson run{{"problem", plan.system.name()},
                    {"start", plan.start},
                    {"label", plan.label},
                    {"method", OrderedJson::parse(method_json_text(plan.method.spec))},
                    {"step", plan.step},
                    {"status", outcome_word(result.status)},
                    {"message", result.message},
                    {"searches", result.trials},
                    {"converged", result.converged}};
    if (result.ok()) {
      const auto names = state_names(plan.columns);
      run.update({{"cost", result.cost},
                  {"extremum", extremum_word(result.extremum)},
                  {"stationary_costs", result.stationary_costs},
                  {"residual", result.residual},
                  {"defect", result.defect},
                  {"constraint", result.constraint},
                  {"iterations", result.iterations},
                  {"by", result.by},
                  {"state", std::vector<std::string>(names.begin(), names.end())},
                  {"t", result.t},
                  {"q", rows_of(result.q, q)},
                  {"v", rows_of(result.v, v)},
                  {"controls", rows_of(result.controls, result.by.size())},
                  {"costate", rows_of(result.costate, q + v)}});
    }
    runs.push_back(std::move(run));
  }
  return OrderedJson{{"dalembert", version()}, {"runs", runs}}.dump(2) + "\n";
}

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

PlotRequest control_plot(const std::filesystem::path& path, const Study& study,
                         const PlotRequest& asked, const std::vector<RunPlan>& plans) {
  PlotRequest request = asked;
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

}  // namespace dalembert::study
