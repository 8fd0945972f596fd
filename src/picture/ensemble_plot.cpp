// Pictures of ensembles: statistics against time on logarithmic scales.
#include "dalembert/picture/ensemble_plot.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/study_file.hpp"
#include "histogram.hpp"
#include "path.hpp"
#include "study/ensemble/ensemble_summary.hpp"

namespace dalembert::study {
namespace {

/// A column of a quantity's statistics.
struct ShownColumn {
  std::string quantity, statistic;
  std::size_t column = 0;
};

ShownColumn shown(std::string name) {
  if (name == "variance" || name == "mean_square") name = "energy_error." + name;
  const std::size_t dot = name.find('.');
  ShownColumn result{name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)};
  const auto* const at =
      std::find(ensemble_columns.begin(), ensemble_columns.end(), result.statistic);
  result.column = static_cast<std::size_t>(at - ensemble_columns.begin());
  return result;
}

std::vector<std::string> names_of(const EnsemblePlan& plan) {
  std::vector<std::string> quantities{"energy_error", "energy_error_relative", "constraint"};
  for (const auto& [name, integral] : plan.run.system.mechanics().integrals)
    quantities.push_back(name + "_error");
  std::vector<std::string> names{"variance", "mean_square"};
  for (const std::string& quantity : quantities)
    for (const char* column : ensemble_columns) names.push_back(quantity + "." + column);
  return names;
}

std::vector<std::string> wanted(const PlotRequest& request) {
  return request.quantities.empty() ? std::vector<std::string>{"variance"} : request.quantities;
}

/// The labels of parameters and steps in order, each once.
std::vector<std::string> distinct_labels(const std::vector<EnsemblePlan>& plans) {
  std::vector<std::string> labels;
  for (const EnsemblePlan& plan : plans)
    if (std::find(labels.begin(), labels.end(), plan.run.label) == labels.end())
      labels.push_back(plan.run.label);
  return labels;
}

/// About 300 points evenly spaced on the logarithmic scale of time; what cannot be shown there is
/// left out.
Curve curve_of(const EnsembleResult& result, const ShownColumn& shown, const PlotRequest& request) {
  const QuantityStatistics& quantity = *result.find(shown.quantity);
  constexpr double spacing = 1.02;
  Curve curve;
  double next = 0.0;
  for (std::size_t i = 1; i < result.t.size(); ++i) {
    const double value = std::fabs(column_values(quantity.records[i])[shown.column]);
    if (!(value > 0.0) || !std::isfinite(value) || result.t[i] < next ||
        !is_within(request, result.t[i]))
      continue;
    curve.t.push_back(result.t[i]);
    curve.values.push_back(value);
    next = result.t[i] * spacing;
  }
  return curve;
}

double reference_at(const DocumentNode& reference, double t, double h) {
  Scope scope;
  scope.names = {{"t", t}, {"h", h}};
  return parse_constant(reference, scope);
}

/// What a statistic is compared with, at the times of a curve.
Curve reference_of(const DocumentNode& reference, double h, const Curve& like) {
  Curve curve;
  for (const double t : like.t) {
    const double value = reference_at(reference, t, h);
    if (!(value > 0.0)) continue;
    curve.t.push_back(t);
    curve.values.push_back(value);
  }
  return curve;
}

PicturePanel panel_of(Picture& picture, const ShownColumn& shown, const std::string& label,
                      const PlotRequest& request, const std::vector<EnsemblePlan>& plans,
                      const std::vector<EnsembleResult>& results) {
  PicturePanel panel{label};
  panel.x = {plans.front().run.columns.time_label(), true};
  panel.y = {shown.statistic + " of " + shown.quantity, true};
  Curve longest;
  double h = 0.0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (plans[i].run.label != label) continue;
    Curve curve = curve_of(results[i], shown, request);
    if (curve.t.size() > longest.t.size()) longest = curve;
    h = plans[i].run.step;
    if (!curve.t.empty())
      panel.curves.push_back({picture.entry(plans[i].run.method.label), std::move(curve)});
  }
  if (!request.reference) return panel;
  Curve reference = reference_of(*request.reference, h, longest);
  const DocumentNode& item = *request.reference;
  const std::string name = item.is_text() ? as_text(item) : item.found();
  if (!reference.t.empty())
    panel.curves.push_back({picture.entry(name, true), std::move(reference)});
  return panel;
}

/// Its panels and its legend, without what is only known afterwards.
Picture ensemble_picture_before_runs(const PlotRequest& request,
                                     const std::vector<EnsemblePlan>& plans) {
  Picture picture{plans.front().run.system.name()};
  picture.look = request.look;
  const std::vector<std::string> labels = distinct_labels(plans), rows = request.histograms.empty()
                                                                             ? wanted(request)
                                                                             : request.histograms;
  for (const EnsemblePlan& plan : plans) picture.entry(plan.run.method.label);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < labels.size(); ++column) {
      PicturePanel panel{.title = labels[column], .row = row, .column = column};
      const bool is_logarithmic = request.histograms.empty();
      panel.x = {is_logarithmic ? plans.front().run.columns.time_label() : rows[row],
                 is_logarithmic};
      panel.y = {is_logarithmic ? rows[row] : "members", is_logarithmic};
      picture.panels.push_back(std::move(panel));
    }
  }
  return picture;
}

}  // namespace

void check_ensemble_plot(const std::filesystem::path& path, const PlotRequest& request,
                         const std::vector<EnsemblePlan>& plans) {
  check_picture_file(path);
  if (!request.section.empty() || !request.paths.empty() || !request.final.empty())
    throw RequestError(
        "sections, paths and final values belong to single runs; of an ensemble, "
        "statistics and histograms are drawn");
  for (const std::string& quantity : request.histograms) check_histogram(quantity, plans.front());
  const std::vector<std::string> names = names_of(plans.front());
  for (const std::string& name : wanted(request)) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw RequestError("cannot plot the quantity \"" + name + "\" of an ensemble of problem \"" +
                       plans.front().run.system.name() + "\"" + suggestion(name, names));
  }
  if (request.reference) reference_at(*request.reference, 1.0, plans.front().run.step);
  check_look(ensemble_picture_before_runs(request, plans));
}

void write_ensemble_plot(const std::filesystem::path& path, const PlotRequest& request,
                         const std::string& title, const std::vector<EnsemblePlan>& plans,
                         const std::vector<EnsembleResult>& results) {
  const std::string heading = title.empty() ? plans.front().run.system.name() : title;
  if (!request.histograms.empty()) {
    Picture histograms = picture_of_histograms(request, plans, results);
    histograms.title = heading;
    histograms.look = request.look;
    return write_picture(path, histograms);
  }
  Picture picture;
  picture.title = heading;
  picture.look = request.look;
  const std::vector<std::string> labels = distinct_labels(plans), rows = wanted(request);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < labels.size(); ++column) {
      PicturePanel panel =
          panel_of(picture, shown(rows[row]), labels[column], request, plans, results);
      panel.row = row;
      panel.column = column;
      picture.panels.push_back(std::move(panel));
    }
  }
  write_picture(path, picture);
}

}  // namespace dalembert::study
