// What a plot shows, as numbers: quantities from records, running means, thinning.
#include "dalembert/study/curve.hpp"

#include <algorithm>
#include <cmath>

namespace dalembert {

Curve running_mean(const Curve& curve, double width) {
  const std::size_t count = curve.t.size();
  if (width <= 0.0 || count == 0) return curve;
  std::vector<long double> sums(count + 1, 0.0L);
  for (std::size_t i = 0; i < count; ++i) sums[i + 1] = sums[i] + curve.values[i];
  const auto mean = [&](std::size_t begin, std::size_t end) {
    return static_cast<double>((sums[end] - sums[begin]) / static_cast<long double>(end - begin));
  };
  Curve result;
  const double half = 0.5 * width * (1.0 + 1e-12), first = curve.t.front(), last = curve.t.back();
  std::size_t begin = 0, end = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (curve.t[i] - half < first - 1e-9 * width || curve.t[i] + half > last + 1e-9 * width)
      continue;
    while (curve.t[begin] < curve.t[i] - half) ++begin;
    while (end < count && curve.t[end] <= curve.t[i] + half) ++end;
    result.t.push_back(curve.t[i]);
    result.values.push_back(mean(begin, end));
  }
  if (result.t.empty()) return {{first, last}, {mean(0, count), mean(0, count)}};
  return result;
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

}  // namespace dalembert
