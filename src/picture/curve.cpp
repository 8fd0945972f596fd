// What a plot shows, as numbers: quantities from records, running means, thinning.
#include "dalembert/picture/curve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "dalembert/measure/drift.hpp"

namespace dalembert::study {

Curve running_mean(const Curve& curve, double width) {
  if (width <= 0.0) return curve;
  // A run that diverged may end in values that are no numbers; they have no mean.
  const auto end = std::find_if(curve.values.begin(), curve.values.end(),
                                [](double value) { return !std::isfinite(value); });
  const std::size_t count = static_cast<std::size_t>(end - curve.values.begin());
  const std::span t(curve.t.data(), count), values(curve.values.data(), count);
  if (count < 2) return {{t.begin(), t.end()}, {values.begin(), values.end()}};
  if (width <= t.back() - t.front()) {
    Series mean = dalembert::running_mean(t, values, width);
    if (!mean.t.empty()) return {std::move(mean.t), std::move(mean.y)};
  }
  const double all =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(count);
  return {{t.front(), t.back()}, {all, all}};
}

Curve magnitude(Curve curve) {
  constexpr double round_off = std::numeric_limits<double>::epsilon() / 2.0;
  for (double& value : curve.values) value = std::max(std::fabs(value), round_off);
  return curve;
}

Curve upper_envelope(const Curve& curve, std::size_t stretches) {
  Curve result;
  const std::size_t count = curve.t.size();
  for (std::size_t k = 0; k < stretches && count > 0; ++k) {
    const auto begin = curve.values.begin() + static_cast<std::ptrdiff_t>(k * count / stretches);
    const auto end =
        curve.values.begin() + static_cast<std::ptrdiff_t>((k + 1) * count / stretches);
    if (begin == end) continue;
    const auto at = std::max_element(begin, end);
    result.t.push_back(curve.t[static_cast<std::size_t>(at - curve.values.begin())]);
    result.values.push_back(*at);
  }
  return result;
}

Curve thinned(const Curve& curve, std::size_t points) {
  const std::size_t count = curve.t.size();
  if (count <= points || points < 4) return curve;
  Curve result;
  const auto keep = [&](std::size_t i) {
    if (!result.t.empty() && result.t.back() >= curve.t[i]) return;
    result.t.push_back(curve.t[i]);
    result.values.push_back(curve.values[i]);
  };
  const std::size_t stretches = points / 2 - 1;
  keep(0);
  for (std::size_t k = 0; k < stretches; ++k) {
    const auto begin = curve.values.begin() + static_cast<std::ptrdiff_t>(k * count / stretches);
    const auto end =
        curve.values.begin() + static_cast<std::ptrdiff_t>((k + 1) * count / stretches);
    const auto [least, largest] = std::minmax_element(begin, end);
    keep(static_cast<std::size_t>(std::min(least, largest) - curve.values.begin()));
    keep(static_cast<std::size_t>(std::max(least, largest) - curve.values.begin()));
  }
  keep(count - 1);
  return result;
}

}  // namespace dalembert::study
