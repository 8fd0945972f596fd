#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dalembert/measure/sample/quantile_search.hpp"
#include "dalembert/measure/sample/sample_moments.hpp"

namespace dalembert {

/// Statistics of one quantity over the members of an ensemble at one time.
struct SampleStatistics {
  std::size_t count = 0;                 ///< members with a finite value; the others are left out
  double mean = 0.0, mean_square = 0.0;  ///< mean square: of the values, not of deviations
  double variance = 0.0;        ///< sum of (x - mean)^2 / (count - 1); 0 for fewer than two members
  double min = 0.0, max = 0.0;  ///< extremes
  Quantiles quantiles = {};     ///< at `quantile_levels`
};

/// Statistics of a sample from its moments. Quantiles, which do not follow from these, are nan; for
/// an empty sample all numbers are.
SampleStatistics statistics_of(const SampleMoments& moments);

/// The quantiles of a sample beside its other statistics, of which number and extremes are used;
/// see QuantileSearch.
void add_quantiles(SampleStatistics& statistics, std::span<const double> values);

/// Statistics of a sample whose members begin with a block: moments by a MomentTree, so that the
/// result depends on nothing but the values, and quantiles.
SampleStatistics summarize(std::span<const double> values);

/// The statistic of an error whose growth is fitted.
enum class GrowthOf { variance, mean_square };

/// Growth of a statistic y of an ensemble, by two laws: y = factor t^exponent, and
/// y = offset + rate t, a bounded oscillation with a random walk on it.
struct GrowthLaw {
  bool measured = false;     ///< false where too few times lie above the floor or members are few
  double exponent = 0.0;     ///< 1 for a random walk, 2 for a drift of the same size in all members
  double uncertainty = 0.0;  ///< standard error of the exponent, by jackknife over the members
  double factor = 0.0;       ///< of the power law
  double rate = 0.0, rate_uncertainty = 0.0;  ///< with its standard error, likewise
  double offset = 0.0;                        ///< of the linear law, at t = 0
  double from = 0.0, until = 0.0;             ///< the fitted times
};

/// Fits log y against log t by least squares, and y against t with weights 1/y^2: the error of y is
/// proportional to y. `samples[k]` holds the errors of the members at time t[k] > 0, members in the
/// same order at all times; a member with a value that is not finite anywhere is left out
/// everywhere. Times where y <= floor are left out.
///
/// Values of one ensemble at neighbouring times are strongly correlated, so that the residuals of
/// the fit say little about its error. Members are independent: they are dealt into at most 20
/// groups, and the spread of the fits without one group gives the standard error (jackknife).
/// Needs at least 4 times and 10 members.
GrowthLaw fit_growth(std::span<const double> t, std::span<const std::vector<double>> samples,
                     GrowthOf statistic, double floor);

/// Those of the records 1, ..., last, at equal distances in time, to which a growth law may be
/// fitted, now or when the run has gone on: 1, then always the next one or, if that is farther, the
/// one nearest to 1.15 times the record before. Evenly spaced on a logarithmic scale.
std::vector<std::size_t> growth_records(std::size_t last);

/// A growth law is fitted to the times from the last one divided by this on.
inline constexpr double fitted_factor = 30.0;

}  // namespace dalembert
