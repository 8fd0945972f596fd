#include "dalembert/measure/line_fit.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "dalembert/error.hpp"

namespace dalembert {

LineFit fit_line(std::span<const double> x, std::span<const double> y,
                 std::span<const double> weights) {
  const std::size_t count = x.size();
  if (y.size() != count || (!weights.empty() && weights.size() != count) || count < 2) {
    throw RequestError(
        "a line needs at least two points, and as many x as y and weights: there are " +
        std::to_string(count) + ", " + std::to_string(y.size()) + " and " +
        std::to_string(weights.empty() ? count : weights.size()));
  }
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  double total = 0.0, xx = 0.0, xy = 0.0, misfit = 0.0;
  for (std::size_t i = 0; i < count; ++i) total += weight(i);
  LineFit line;
  for (std::size_t i = 0; i < count; ++i) {
    line.mean_x += weight(i) * x[i] / total;
    line.mean_y += weight(i) * y[i] / total;
  }
  for (std::size_t i = 0; i < count; ++i) {
    xx += weight(i) * (x[i] - line.mean_x) * (x[i] - line.mean_x);
    xy += weight(i) * (x[i] - line.mean_x) * (y[i] - line.mean_y);
  }
  line.slope = xy / xx;
  for (std::size_t i = 0; i < count; ++i) misfit += weight(i) * std::pow(y[i] - line.at(x[i]), 2);
  line.slope_error = count > 2 ? std::sqrt(misfit / (static_cast<double>(count) - 2.0) / xx)
                               : std::numeric_limits<double>::quiet_NaN();
  return line;
}

}  // namespace dalembert
