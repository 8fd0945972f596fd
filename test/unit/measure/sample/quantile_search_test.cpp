#include "dalembert/measure/sample/quantile_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace dalembert;

namespace {

/// As NumPy has it, from the sorted sample.
double sorted_quantile(std::vector<double> values, double level) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  std::ranges::sort(values);
  const double at = level * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min<std::size_t>(below + 1, values.size() - 1);
  if (below == above) return values[below];
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

/// Of a sample that lies in several places.
Quantiles found(const std::vector<std::vector<double>>& places) {
  std::vector<double> all;
  for (const auto& values : places) all.insert(all.end(), values.begin(), values.end());
  const QuantileSearch search(moments_of(all));
  QuantileSearch::Counts counts;
  for (const auto& values : places) {
    const QuantileSearch::Counts here = search.counts(values);
    counts.resize(here.size(), 0);
    for (std::size_t i = 0; i < here.size(); ++i) counts[i] += here[i];
  }
  const std::vector<std::uint32_t> wanted = search.wanted_parts(counts);
  CHECK(wanted.size() <= 2 * quantile_levels.size());
  std::vector<double> kept;
  for (const auto& values : places) {
    const std::vector<double> here = search.values_in(wanted, values);
    kept.insert(kept.begin(), here.begin(), here.end());  // in another order
  }
  return search.quantiles(counts, kept);
}

void check(const std::vector<double>& values) {
  std::mt19937_64 engine(5);
  for (const std::size_t count : {1U, 2U, 5U}) {
    std::vector<std::vector<double>> places(count);
    for (const double value : values)
      places[std::uniform_int_distribution<std::size_t>(0, count - 1)(engine)].push_back(value);
    const Quantiles quantiles = found(places);
    for (std::size_t i = 0; i < quantiles.size(); ++i)
      CHECK(quantiles[i] == sorted_quantile(values, quantile_levels[i]));
  }
}

}  // namespace

TEST_CASE("quantiles of a divided sample are those of the sorted one, to the bit") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::mt19937_64 engine(3);
  for (const std::size_t count : {1U, 2U, 3U, 7U, 100U, 1000U, 50000U}) {
    std::normal_distribution<double> normal;
    std::vector<double> values(count);
    for (double& value : values) value = normal(engine);
    check(values);
    values.back() = 1e12;  // all others in one part
    check(values);
    for (double& value : values) value = std::round(value);  // many are equal
    check(values);
    values.insert(values.begin(), {nan, infinity, -infinity});
    check(values);
    for (double& value : values) value = std::isfinite(value) ? 0.1 : value;  // all are
    check(values);
  }
  check({-std::numeric_limits<double>::max(), 1.0, std::numeric_limits<double>::max()});
  CHECK(std::isnan(found({{nan}, {}})[2]));
}
