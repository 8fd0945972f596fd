#pragma once

#include <cstddef>
#include <vector>

namespace dalembert {

/// One curve: abscissae (mostly times) and values.
struct Curve {
  std::vector<double> t, values;
};

/// The mean over a window of time centred at each point; only where the whole window lies inside
/// the data.
Curve running_mean(const Curve& curve, double width);

/// The largest value of each of so many stretches of the curve, where it is.
Curve upper_envelope(const Curve& curve, std::size_t stretches);

/// At most about `points` points, keeping the least and the largest value of every stretch.
Curve thinned(const Curve& curve, std::size_t points);

}  // namespace dalembert
