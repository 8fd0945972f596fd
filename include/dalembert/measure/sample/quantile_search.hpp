#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dalembert/measure/sample/sample_moments.hpp"

namespace dalembert {

/// Levels of the quantiles that are computed of a sample.
inline constexpr std::array<double, 5> quantile_levels{0.05, 0.25, 0.5, 0.75, 0.95};
using Quantiles = std::array<double, quantile_levels.size()>;

/// The quantiles at `quantile_levels` of a sample that may lie in several places, such as the
/// memories of processes, by two looks at its values: the numbers of those in each of some thousand
/// parts of the interval from the least to the largest, and the values in those few parts that hold
/// quantiles. The result has the same bits however the sample is divided.
///
/// The quantile of level p of x_0 <= ... <= x_{n-1} lies at place p (n - 1), between two of them by
/// linear interpolation (the default of NumPy). Values that are not finite are left out.
class QuantileSearch {
 public:
  using Counts = std::vector<std::uint32_t>;

  /// Of a sample with these moments, of which number and extremes are used.
  explicit QuantileSearch(const SampleMoments& sample);

  /// Number of values in each part; counts of several places are summed.
  Counts counts(std::span<const double> values) const;
  /// The parts that hold quantiles, in their order, from the counts of the whole sample.
  std::vector<std::uint32_t> wanted_parts(const Counts& counts) const;
  /// Those of some values that lie in these parts, in any order.
  std::vector<double> values_in(std::span<const std::uint32_t> parts,
                                std::span<const double> values) const;
  /// The quantiles, from the counts of the whole sample and all its values in the wanted parts; nan
  /// for an empty sample.
  Quantiles quantiles(const Counts& counts, std::span<const double> in_wanted_parts) const;

 private:
  /// The place of a quantile in the sorted sample: between two neighbours.
  struct Place {
    std::size_t below, above;  ///< indices
    double weight;             ///< of the one above
  };
  Place place(double level) const;
  /// look(value, part) for each value that is finite.
  template <class Look>
  void for_each_part(std::span<const double> values, Look look) const;

  std::size_t count_ = 0, parts_ = 1;
  double lowest_ = 0.0, scale_ = 0.0;  // 0: all in one part
};

}  // namespace dalembert
