#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "dalembert/measure/trend.hpp"

namespace dalembert {

/// Long-time behaviour of a quantity: its error stays, drifts or grows, and at some rate. All
/// functions here take samples of one quantity at increasing times and throw RequestError, saying
/// what is wrong, for times that do not increase, sizes that differ, numbers that are not finite
/// and too few samples.

/// Samples of a quantity.
struct Series {
  std::vector<double> t, y;  ///< times and values, of one size
};

/// The mean over [t_i - window/2, t_i + window/2] of the straight lines between the samples, at
/// every sample whose window lies within them. Oscillations whose period divides the window vanish,
/// lines pass unchanged. Source: [ModinVerdier2020], Figs. 4 and 6 to 8, with windows of 3 and 30.
/// Accuracy: the mean of the lines to round-off (prefix sums in twice the precision); the lines
/// miss the quantity by its second derivative times spacing^2/12 in the mean.
Series running_mean(std::span<const double> t, std::span<const double> y, double window);

/// The largest |y_i - reference|; nan if a sample is, 0 for no samples.
double largest_error(std::span<const double> y, double reference);
/// Root mean square of y_i - reference; nan if a sample is, 0 for no samples.
double root_mean_square_error(std::span<const double> y, double reference);

/// Options of fit_drift.
struct DriftOptions {
  std::size_t batches = 48;  ///< of equal duration; longer than the periods of the oscillation
  double confidence = 0.95;  ///< of the interval of Drift::slope, between 0 and 1
};

/// The confidence with which a slope is called surely not zero. An interval for 95 % leaves out
/// zero in one of twenty quantities that do not drift. An audit judges about a thousand quantities:
/// with this confidence one audit in a hundred would raise a false alarm if all of them were random
/// walks, for which the intervals are just right; for oscillations they are much too long (a test).
inline constexpr double sure_confidence = 1.0 - 1e-5;

/// A steady change beneath oscillations.
struct Drift {
  Estimate slope;            ///< change per time
  Estimate sure_slope;       ///< slope with an interval for `sure_confidence`
  double duration = 0.0;     ///< of the samples
  double oscillation = 0.0;  ///< root mean square of the samples around the line
  double random_walk_share =
      0.0;  ///< share of a random walk in what is left of the noise, see Trend
  /// True if each third of the duration has a slope of 4/5 to 5/4 of the whole one, as a drift has
  /// and an oscillation whose period is less than two and a half times the duration has not.
  bool is_steady = false;

  /// The change over the duration that the slope stands for.
  double change() const { return slope.value * duration; }
  /// The least change over the duration that is surely there; 0 where the slope may be zero or is
  /// not steady.
  double sure_change() const;
};

/// The slope of a quantity that oscillates, scatters and wanders.
///
/// The duration is divided into batches; the mean of each is weighted by sin^2, which suppresses
/// quasi-periodic oscillations by (period/batch)^3 where a plain mean leaves period/batch, and a
/// line is fitted through the means with noise that may be a random walk (see fit_trend). So
/// neither an oscillation nor the walk of round-off counts as a drift. Source: batch means,
/// [LawKelton2000], Sect. 9.5; weighted means of quasi-periodic signals, [DasSaikiSanderYorke2017].
/// At least 6 batches with two samples each. Accuracy: of 95 % intervals, 92 to 100 % cover the
/// true slope of synthetic sums of trend, oscillation, white noise and random walk (a test). An
/// oscillation slower than the batches widens the interval; one slower than half the duration
/// cannot be told from a drift.
Drift fit_drift(std::span<const double> t, std::span<const double> y,
                const DriftOptions& options = {});

/// Verdict on a conserved quantity from its drift; see judge_drift.
enum class DriftVerdict { free, slow, drifts, undecided };

/// `drifts` if over the duration the quantity changes by more than `hidden`, `free` or `slow` if it
/// changes by less, each with the confidence of the interval, else `undecided`. It is `slow` where
/// there is a drift all the same: where the slope is steady and, with `sure_confidence`, adds up to
/// more than `ignored`, which is for round-off and for oscillations known to be slower than the
/// duration.
DriftVerdict judge_drift(const Drift& drift, double hidden, double ignored = 0.0);
/// Verdict with `hidden` the root mean square of the oscillation.
DriftVerdict judge_drift(const Drift& drift);
/// "free of drift", "slow drift", "drifts" or "undecided".
std::string verdict_text(DriftVerdict verdict);

/// The largest |y| in equal parts of the time. Empty parts are left out; the time of each is that
/// of its middle.
Series envelope(std::span<const double> t, std::span<const double> y, std::size_t parts);
/// The largest |y| in parts whose ends have the given ratio > 1, from `first_time` > 0 on to the
/// last sample; the time of each is that of its geometric middle. RequestError for other numbers.
Series geometric_envelope(std::span<const double> t, std::span<const double> y, double first_time,
                          double ratio);

/// Growth of an error: as t^value (exponent) or as exp(value t) (rate).
struct Growth {
  Estimate value;       ///< the exponent, or the rate per time
  double factor = 0.0;  ///< error ~ factor * t^value or factor * exp(value t)
  double misfit = 0.0;  ///< root mean square of the logarithm of the envelope around the fit: the
                        ///< law with the smaller one describes the error better
};

/// The exponent p of an error that grows like |y| ~ t^p: 0 bounded, 1/2 a random walk, 1 a drift of
/// a conserved quantity, 2 the error of an angle when the frequency drifts. A line through the
/// logarithm of the envelope in parts of ratio sqrt(2) from `first_time` to the end (default: the
/// last eight doublings; choose more than the period of the oscillation). t counts from the start,
/// where the error is zero. Accuracy: intervals for 95 % cover the exponent of synthetic random
/// walks and of oscillating powers in more than 90 % of cases (a test).
Growth growth_exponent(std::span<const double> t, std::span<const double> y,
                       double first_time = 0.0, double confidence = 0.95);

/// The rate r of an error that grows like |y| ~ exp(r t). A line through the logarithm of the
/// envelope in `parts` equal parts; parts whose error is at most `floor` (round-off, say) are left
/// out.
Growth growth_rate(std::span<const double> t, std::span<const double> y, double floor = 0.0,
                   std::size_t parts = 24, double confidence = 0.95);

}  // namespace dalembert
