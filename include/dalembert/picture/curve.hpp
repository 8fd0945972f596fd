#pragma once

#include <cstddef>
#include <vector>

namespace dalembert::study {

/// One curve: abscissae (mostly times) and values.
struct Curve {
  std::vector<double> t, values;  ///< of the same size
};

/// The mean over a window of time centred at each point, where the whole window lies inside the
/// data: that of measure/drift.hpp. A window longer than the data gives their mean as a level line;
/// no window (0) the curve itself. Values from the first on that is not finite are left out.
Curve running_mean(const Curve& curve, double width);

/// Absolute values for a logarithmic axis, with what is below round-off put there.
Curve magnitude(Curve curve);

/// The largest value of each of so many stretches of the curve, where it is.
Curve upper_envelope(const Curve& curve, std::size_t stretches);

/// At most about `points` points, keeping the least and the largest value of every stretch.
Curve thinned(const Curve& curve, std::size_t points);

}  // namespace dalembert::study
