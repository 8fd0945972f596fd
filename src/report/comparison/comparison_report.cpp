#include "dalembert/report/comparison/comparison_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "dalembert/expression/printer.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/version.hpp"
#include "report/text_table.hpp"

namespace dalembert::study {
namespace {

using Json = nlohmann::ordered_json;
constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

/// A method with the step that its row shows.
struct Shown {
  const ComparedMethod* method;
  const ComparedRun* run;
  bool is_reached;
};

bool is_whole(const ComparedRun& run) { return run.status == RunResult::Status::ok; }

std::vector<Shown> shown_rows(const Comparison& comparison, double error) {
  std::vector<Shown> rows;
  for (const ComparedMethod& method : comparison.methods) {
    if (method.runs.empty()) continue;
    const auto first = std::ranges::find_if(method.runs, [&](const ComparedRun& run) {
      return is_whole(run) && run.solution_error <= error;
    });
    const bool is_reached = first != method.runs.end();
    rows.push_back({&method, is_reached ? &*first : &method.runs.back(), is_reached});
  }
  std::ranges::stable_sort(rows, [](const Shown& a, const Shown& b) {
    if (a.is_reached != b.is_reached) return a.is_reached;
    return a.run->seconds < b.run->seconds;
  });
  return rows;
}

std::string short_number(double value) {
  if (std::isnan(value)) return "-";
  return value == 0.0 ? "0" : fmt::format("{:.2g}", value);
}

std::string drift_text(const ComparedRun& run, const KeptQuantity& quantity) {
  if (!quantity.drift || !run.cautions.empty()) return "-";
  if (quantity.verdict == DriftVerdict::free) return "none";
  if (quantity.verdict == DriftVerdict::undecided) return "undecided";
  return fmt::format("{:.1e}", quantity.drift->value);
}

std::string status_of(const ComparedRun& run) {
  if (!is_whole(run)) return status_text(run.status);
  return run.cautions.empty() ? "ok" : "not to be believed";
}

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json kept_json(const KeptQuantity& quantity) {
  const auto part = [&](double Estimate::*which) {
    return quantity.drift ? number_or_null((*quantity.drift).*which) : Json();
  };
  return {{"error", number_or_null(quantity.error)},
          {"drift", part(&Estimate::value)},
          {"drift_low", part(&Estimate::low)},
          {"drift_high", part(&Estimate::high)},
          {"verdict", quantity.drift ? Json(verdict_text(quantity.verdict)) : Json()}};
}

Json run_entry(const Comparison& comparison, const ComparedRun& run) {
  Json kept = Json::object();
  for (std::size_t i = 0; i < run.kept.size(); ++i)
    kept[comparison.kept[i]] = kept_json(run.kept[i]);
  return {{"step", run.step},
          {"solution_error", number_or_null(run.solution_error)},
          {"kept", kept},
          {"constraint", comparison.has_constraints ? number_or_null(run.constraint) : Json()},
          {"evaluations", run.evaluations},
          {"seconds", run.seconds},
          {"status", status_text(run.status)},
          {"message", run.message},
          {"cautions", run.cautions}};
}

/// One number of a run, with what it is called.
struct Column {
  std::string name, description, units;
  std::function<double(const ComparedRun&)> value;
};

std::vector<Column> columns_of(const Comparison& comparison) {
  std::vector<Column> columns{
      {"step", "step size", "", [](const ComparedRun& run) { return run.step; }},
      {"seconds", "time of the steps of the run", "s",
       [](const ComparedRun& run) { return run.seconds; }},
      {"evaluations", "passes through the equations of a step", "",
       [](const ComparedRun& run) { return run.evaluations; }},
      {"solution_error", "largest difference of q and v to the reference up to the horizon", "",
       [](const ComparedRun& run) { return run.solution_error; }}};
  if (comparison.has_constraints)
    columns.push_back({"constraint_error", "largest absolute value of a constraint", "",
                       [](const ComparedRun& run) { return run.constraint; }});
  for (std::size_t i = 0; i < comparison.kept.size(); ++i) {
    const std::string& name = comparison.kept[i];
    const auto drift = [i](double Estimate::*part) {
      return [i, part](const ComparedRun& run) {
        return run.kept[i].drift ? (*run.kept[i].drift).*part : unknown_number;
      };
    };
    columns.push_back({name + "_error", "largest change of " + name, "",
                       [i](const ComparedRun& run) { return run.kept[i].error; }});
    columns.push_back(
        {name + "_drift", "change of " + name + " per unit of time", "", drift(&Estimate::value)});
    columns.push_back(
        {name + "_drift_low", "lower end of its interval of 95 %", "", drift(&Estimate::low)});
    columns.push_back(
        {name + "_drift_high", "upper end of its interval of 95 %", "", drift(&Estimate::high)});
  }
  return columns;
}

double cost_of(const ComparedRun& run, CostAxis cost) {
  return cost == CostAxis::time          ? run.seconds
         : cost == CostAxis::evaluations ? run.evaluations
                                         : run.step;
}

const char* cost_label(CostAxis cost) {
  return cost == CostAxis::time          ? "time (s)"
         : cost == CostAxis::evaluations ? "evaluations"
                                         : "step h";
}

/// A curve for each method, of the runs whose numbers can be believed.
PicturePanel panel_of(const Comparison& comparison, Picture& picture, const std::string& title,
                      CostAxis cost, const std::function<double(const ComparedRun&)>& value) {
  PicturePanel panel{.title = title};
  panel.x = {cost_label(cost), true};
  panel.y = {"", true};
  for (const ComparedMethod& method : comparison.methods) {
    Curve curve;
    for (const ComparedRun& run : method.runs) {
      const double x = cost_of(run, cost), y = value(run);
      if (!is_whole(run) || !run.cautions.empty() || !std::isfinite(y) || !(x > 0.0)) continue;
      curve.t.push_back(x);
      curve.values.push_back(y);
    }
    const std::size_t entry = picture.entry(method.plan.method.label);
    if (!curve.t.empty())
      panel.curves.push_back({entry, magnitude(std::move(curve)), CurveStyle::marked});
  }
  return panel;
}

}  // namespace

std::string comparison_table(const Comparison& comparison, double error, std::size_t width) {
  std::vector<std::vector<std::string>> rows{
      {"method", "step", "time (s)", "evaluations", "solution"}};
  for (const std::string& name : comparison.kept) {
    rows[0].push_back(name);
    rows[0].emplace_back("its drift");
  }
  if (comparison.has_constraints) rows[0].emplace_back("constraint");
  rows[0].emplace_back("status");
  bool is_short = false;
  for (const Shown& shown : shown_rows(comparison, error)) {
    const ComparedRun& run = *shown.run;
    const bool is_above = !(run.solution_error <= error);
    is_short = is_short || is_above;
    rows.push_back({shown.method->plan.method.label, fmt::format("{:.6g}", run.step),
                    fmt::format("{:.3g}", run.seconds), fmt::format("{:.0f}", run.evaluations),
                    short_number(run.solution_error) + (is_above ? " *" : "")});
    for (const KeptQuantity& quantity : run.kept) {
      rows.back().push_back(short_number(quantity.error));
      rows.back().push_back(drift_text(run, quantity));
    }
    if (comparison.has_constraints) rows.back().push_back(short_number(run.constraint));
    rows.back().push_back(status_of(run));
  }
  for (const ComparedMethod& method : comparison.methods) {
    if (!method.runs.empty()) continue;
    rows.push_back({method.plan.method.label});
    rows.back().resize(rows[0].size() - 1, "-");
    rows.back().emplace_back("left out");
  }
  for (const RefusedRun& run : comparison.refused) {
    rows.push_back({run.method.label});
    rows.back().resize(rows[0].size() - 1, "-");
    rows.back().emplace_back("refused");
  }
  std::string text = fmt::format(
      "{}{}, until t = {:.6g}: of each method the largest step with an error of q and v of at most "
      "{:.2g} up to t = {:.6g}\n",
      comparison.problem, comparison.start.empty() ? "" : ", " + comparison.start, comparison.until,
      error, comparison.horizon);
  text += aligned_within(width, rows, 1);
  if (is_short) text += "* no step that was tried has so small an error: the smallest is shown\n";
  text +=
      "errors are the largest over all steps, drifts per unit of time where there is one; solution "
      "against " +
      comparison.reference + fmt::format(", itself exact to {:.1g}\n", comparison.reference_error);
  return text;
}

std::string comparison_json(const Comparison& comparison) {
  Json methods = Json::array(), refused = Json::array();
  for (const ComparedMethod& method : comparison.methods) {
    Json runs = Json::array();
    for (const ComparedRun& run : method.runs) runs.push_back(run_entry(comparison, run));
    methods.push_back({{"label", method.plan.method.label},
                       {"method", Json::parse(method_json_text(method.plan.method.spec))},
                       {"message", method.message},
                       {"runs", runs}});
  }
  for (const RefusedRun& run : comparison.refused)
    refused.push_back({{"label", run.method.label}, {"message", run.reason}});
  return Json{{"dalembert", version()},
              {"problem", comparison.problem},
              {"start", comparison.start},
              {"until", comparison.until},
              {"horizon", comparison.horizon},
              {"reference", comparison.reference},
              {"reference_error", number_or_null(comparison.reference_error)},
              {"kept", comparison.kept},
              {"methods", methods},
              {"refused", refused}}
             .dump(2) +
         "\n";
}

std::string comparison_csv(const Comparison& comparison) {
  const std::vector<Column> columns = columns_of(comparison);
  std::string text = "method";
  for (const Column& column : columns) text += "," + csv_cell(column.name);
  text += ",status\n";
  for (const ComparedMethod& method : comparison.methods) {
    for (const ComparedRun& run : method.runs) {
      text += csv_cell(method.plan.method.label);
      for (const Column& column : columns) text += "," + to_string(column.value(run));
      text += std::string(",") + status_text(run.status) + "\n";
    }
  }
  return text;
}

LabelledTable comparison_arrays(const Comparison& comparison) {
  std::size_t levels = 0;
  std::vector<std::string> labels;
  for (const ComparedMethod& method : comparison.methods) {
    levels = std::max<std::size_t>(levels, method.runs.size());
    labels.push_back(method.plan.method.label);
  }
  LabelledTable table{{{"method", labels.size()}, {"level", levels}}, {}, {}};
  table.coordinates.push_back({"method", "", {"method"}, labels});
  const auto add = [&](const Column& column) {
    std::vector<double> values(labels.size() * levels, unknown_number);
    for (std::size_t i = 0; i < labels.size(); ++i)
      for (std::size_t k = 0; k < comparison.methods[i].runs.size(); ++k)
        values[i * levels + k] = column.value(comparison.methods[i].runs[k]);
    table.variables.push_back(
        {column.name, column.description, {"method", "level"}, std::move(values), column.units});
  };
  for (const Column& column : columns_of(comparison)) add(column);
  std::vector<std::string> status(labels.size() * levels);
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t k = 0; k < comparison.methods[i].runs.size(); ++k)
      status[i * levels + k] = status_text(comparison.methods[i].runs[k].status);
  table.variables.push_back({"status",
                             "ok, failed or interrupted; nothing where a method has fewer steps",
                             {"method", "level"},
                             std::move(status)});
  return table;
}

Picture comparison_picture(const Comparison& comparison, CostAxis cost) {
  Picture picture{comparison.problem + (comparison.start.empty() ? "" : ", " + comparison.start) +
                  fmt::format(", until t = {:g}", comparison.until)};
  const auto add = [&](std::size_t row, std::size_t column, const std::string& title,
                       const std::function<double(const ComparedRun&)>& value) {
    PicturePanel panel = panel_of(comparison, picture, title, cost, value);
    panel.row = row;
    panel.column = column;
    picture.panels.push_back(std::move(panel));
  };
  add(0, 0, fmt::format("error of q and v up to t = {:g}", comparison.horizon),
      [](const ComparedRun& run) { return run.solution_error; });
  if (comparison.has_constraints)
    add(0, 1, "largest constraint", [](const ComparedRun& run) { return run.constraint; });
  for (std::size_t i = 0; i < comparison.kept.size(); ++i) {
    add(i + 1, 0, "largest error of " + comparison.kept[i],
        [i](const ComparedRun& run) { return run.kept[i].error; });
    add(i + 1, 1, "drift of " + comparison.kept[i] + ", at most (95 %)",
        [i](const ComparedRun& run) { return run.kept[i].largest_drift(); });
  }
  const bool are_left_out =
      std::ranges::any_of(comparison.methods, [](const ComparedMethod& method) {
        return std::ranges::any_of(method.runs, [](const ComparedRun& run) {
          return !is_whole(run) || !run.cautions.empty();
        });
      });
  if (are_left_out)
    picture.notes.emplace_back(
        "left out: runs that failed, or whose numbers are not to be believed");
  return picture;
}

}  // namespace dalembert::study
