#pragma once

#include <span>

namespace dalembert {

/// A straight line y = mean_y + slope (x - mean_x) fitted to points by least squares, where the
/// means are over the points, with their weights.
struct LineFit {
  double slope = 0.0, mean_x = 0.0, mean_y = 0.0;  ///< coefficients of the line
  /// Standard error of the slope, from the scatter of the points about the line; nan for fewer than
  /// three points.
  double slope_error = 0.0;

  /// The line at x.
  double at(double x) const { return mean_y + slope * (x - mean_x); }
  /// The line at x = 0.
  double value_at_zero() const { return mean_y - slope * mean_x; }
};

/// Fits a line to points (x_i, y_i), with weights 1/variance if given, else all 1. RequestError
/// unless x, y and the weights have the same size of at least 2. The slope is not a number where
/// all x are the same. The sums are centred, so that a large mean costs
/// no digits.
LineFit fit_line(std::span<const double> x, std::span<const double> y,
                 std::span<const double> weights = {});

}  // namespace dalembert
