#include "quantity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "path.hpp"

namespace dalembert::study {
namespace {

constexpr double round_off = std::numeric_limits<double>::epsilon() / 2.0;
constexpr double largest_shown = 1e20;  // beyond it a run has exploded

Shown shown_quantity(const std::string& name, const PlotRequest& request) {
  if (name == "constraint") return {name, true, false};
  if (request.change) return {name, false, true};
  const bool error = request.error.value_or(request.quantities.empty());
  return {name, error, error};
}

/// The least value of a curve on a logarithmic scale, but for the lowest hundredth: the dips where
/// an error changes sign.
double low_end(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 100);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

std::vector<Shown> shown_quantities(const PlotRequest& request) {
  if (request.quantities.empty() && request.paths.empty())
    return {shown_quantity("energy", request)};
  std::vector<Shown> rows;
  for (const std::string& name : request.quantities) rows.push_back(shown_quantity(name, request));
  return rows;
}

std::string axis_label(const Shown& shown, double mean) {
  std::string text = shown.name;
  if (shown.difference) text += shown.error ? " error" : " less that at the start";
  if (mean > 0.0) text = "mean " + text;
  if (shown.error) text = "|" + text + "|";
  return text;
}

Curve quantity_curve(const RunPlan& plan, std::span<const double> records, const Shown& shown,
                     const PlotRequest& request, bool& floored) {
  const std::size_t width = plan.columns.width();
  const auto& names = plan.columns.names;
  const auto column =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), shown.name) - names.begin());
  Curve curve;
  for (std::size_t row = 0; row + width <= records.size(); row += width) {
    const double value = records[row + column] - (shown.difference ? records[column] : 0.0);
    if (!(std::fabs(value) <= largest_shown) || !is_within(request, records[row])) continue;
    curve.t.push_back(records[row]);
    curve.values.push_back(value);
  }
  curve = running_mean(curve, request.running_mean);
  if (!shown.error) return curve;
  for (double& value : curve.values) {
    value = std::fabs(value);
    if (value < round_off) {
      value = round_off;
      floored = true;
    }
  }
  return curve;
}

std::pair<double, double> error_range(const Picture& picture, std::size_t first,
                                      std::size_t count) {
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  for (std::size_t i = first; i < first + count; ++i) {
    for (const PictureCurve& drawn : picture.panels[i].curves) {
      std::vector<double> values = drawn.curve.values;
      // An error vanishes at the start; that is no reason to show fifteen empty decades.
      if (values.size() > 2) values.erase(values.begin());
      if (values.empty()) continue;
      largest = std::max(largest, *std::max_element(values.begin(), values.end()));
      least = std::min(least, low_end(values));
    }
  }
  if (!(least <= largest)) return {round_off, 1.0};
  return {std::max(least / 3.0, round_off / 3.0), std::max(largest * 3.0, 100.0 * round_off)};
}

}  // namespace dalembert::study
