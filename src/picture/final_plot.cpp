#include "final_plot.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include "dalembert/expression/parser.hpp"

namespace dalembert::study {
namespace {

constexpr const char* error_ending = "_error";

std::vector<std::string> parameter_names(const RunPlan& plan) {
  std::vector<std::string> names{"step"};
  for (const Parameter& parameter : plan.system.description().parameters)
    names.push_back(parameter.name);
  for (const SweptValue& value : plan.swept)
    if (value.number) names.push_back(value.name);
  return names;
}

std::vector<std::string> final_names(const RunPlan& plan) {
  std::vector<std::string> names = plan.columns.names;  // t: of an event that ends a run
  names.push_back(std::string("energy") + error_ending);
  for (const std::string& name : plan.columns.integral_names())
    names.push_back(name + error_ending);
  return names;
}

double abscissa(const RunPlan& plan, const std::string& name) {
  if (name == "step") return plan.step;
  for (const SweptValue& value : plan.swept)
    if (value.name == name) return value.number.value_or(NAN);
  const auto names = parameter_names(plan);
  return plan
      .parameters[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin()) - 1];
}

double final_value(const RunPlan& plan, const RunResult& result, std::span<const double> records,
                   const std::string& name) {
  const RunDiagnostics& found = result.diagnostics;
  if (name == "constraint") return found.constraint_max;
  if (name == std::string("energy") + error_ending) return found.energy.max_error;
  for (const IntegralSummary& integral : found.integrals)
    if (name == integral.name + error_ending) return integral.max_error;
  const std::size_t width = plan.columns.width();
  const auto column = std::ranges::find(plan.columns.names, name) - plan.columns.names.begin();
  return records[records.size() - width + static_cast<std::size_t>(column)];
}

/// The label of a run without the part that the axis shows.
std::string remaining_label(const RunPlan& plan, const std::string& against) {
  const std::string name = against + " = ", step = against == "step" ? "h = " : name;
  std::string text;
  for (std::size_t begin = 0; begin < plan.label.size();) {
    const std::size_t end = std::min(plan.label.find(", ", begin), plan.label.size());
    const std::string part = plan.label.substr(begin, end - begin);
    if (!part.starts_with(name) && !part.starts_with(step))
      text += (text.empty() ? "" : ", ") + part;
    begin = end + 2;
  }
  return text;
}

std::string entry_label(const RunPlan& plan, const PlotRequest& request) {
  const std::string rest = remaining_label(plan, request.against);
  return rest.empty() ? plan.method.label : plan.method.label + ", " + rest;
}

Curve sorted_by_abscissa(const Curve& curve) {
  std::vector<std::size_t> order(curve.t.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return curve.t[a] < curve.t[b]; });
  Curve result;
  for (const std::size_t i : order) {
    result.t.push_back(curve.t[i]);
    result.values.push_back(curve.values[i]);
  }
  return result;
}

}  // namespace

void check_final(const PlotRequest& request, const std::vector<RunPlan>& plans) {
  const auto names = final_names(plans.front()), parameters = parameter_names(plans.front());
  if (std::ranges::count(names, request.final) == 0)
    throw RequestError("cannot plot the final \"" + request.final + "\" of problem \"" +
                       plans.front().system.name() + "\"" + suggestion(request.final, names));
  if (std::ranges::count(parameters, request.against) == 0)
    throw RequestError("cannot plot against \"" + request.against +
                       "\", which is no parameter and no swept key with numbers" +
                       suggestion(request.against, parameters));
  std::set<double> values;
  for (const RunPlan& plan : plans) values.insert(abscissa(plan, request.against));
  if (values.size() < 2)
    throw RequestError("cannot plot against \"" + request.against +
                       "\", which is the same in all runs; give it a list of values");
}

Picture empty_picture_of_finals(const PlotRequest& request, const std::vector<RunPlan>& plans) {
  Picture picture;
  std::vector<std::string> methods;
  for (const RunPlan& plan : plans) {
    const std::string& method = plan.method.label;
    if (std::ranges::count(methods, method) == 0) methods.push_back(method);
    picture.legend[picture.entry(entry_label(plan, request))].group =
        static_cast<std::size_t>(std::ranges::find(methods, method) - methods.begin());
  }
  if (methods.size() == 1) {
    for (LegendEntry& entry : picture.legend) entry.group.reset();
  }
  PicturePanel panel;
  panel.x = {request.against == "step" ? "step h" : request.against,
             request.logarithmic.find('x') != std::string::npos};
  panel.y = {request.final, request.logarithmic.find('y') != std::string::npos};
  picture.panels.push_back(std::move(panel));
  return picture;
}

Picture picture_of_finals(const PlotRequest& request, const std::vector<RunPlan>& plans,
                          const std::vector<RunResult>& results,
                          const std::vector<RunRecords>& records) {
  Picture picture = empty_picture_of_finals(request, plans);
  PicturePanel& panel = picture.panels.front();
  const bool log_x = panel.x.logarithmic, log_y = panel.y.logarithmic;
  std::map<std::size_t, Curve> curves;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    Curve& curve = curves[picture.entry(entry_label(plans[i], request))];
    const bool is_whole =
        results[i].status == RunResult::Status::ok && !records[i].of_curves.empty();
    const double x = abscissa(plans[i], request.against);
    const double y =
        is_whole ? final_value(plans[i], results[i], records[i].of_curves, request.final) : NAN;
    if (!std::isfinite(y) || (log_x && !(x > 0.0)) || (log_y && !(y > 0.0))) {
      ++left_out;
      continue;
    }
    curve.t.push_back(x);
    curve.values.push_back(y);
  }
  for (const auto& [entry, curve] : curves) {
    if (!curve.t.empty())
      panel.curves.push_back({entry, sorted_by_abscissa(curve), CurveStyle::marked});
  }
  if (panel.curves.empty())
    throw RequestError("there is nothing to draw of the final \"" + request.final +
                       "\": no run got to its end with a value that the axes can show");
  if (left_out > 0)
    picture.notes.push_back(std::to_string(left_out) +
                            " runs are left out: not finished, or no value for the axes");
  return picture;
}

}  // namespace dalembert::study
