#include "dalembert/measure/drift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dalembert/error.hpp"
#include "dalembert/measure/line_fit.hpp"
#include "dalembert/numeric/compensated.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

void check(std::span<const double> t, std::span<const double> y, std::size_t least) {
  if (t.size() != y.size())
    throw RequestError("a series needs as many times as values: there are " +
                       std::to_string(t.size()) + " and " + std::to_string(y.size()));
  if (t.size() < least)
    throw RequestError("a series of at least " + std::to_string(least) +
                       " samples is needed: there are " + std::to_string(t.size()));
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!std::isfinite(t[i]) || !std::isfinite(y[i]))
      throw RequestError("a series needs finite numbers: sample " + std::to_string(i + 1) +
                         " is not");
    if (i > 0 && !(t[i - 1] < t[i]))
      throw RequestError("the times of a series must increase: at sample " + std::to_string(i + 1) +
                         " they do not");
  }
}

/// The integral of the straight lines between samples, from the first time on.
class LineIntegral {
 public:
  LineIntegral(std::span<const double> t, std::span<const double> y) : t_(t), y_(y), sums_(1) {
    for (std::size_t i = 1; i < t.size(); ++i) {
      sums_.push_back(sums_.back());
      sums_.back().add((t[i] - t[i - 1]) * (y[i - 1] + (y[i] - y[i - 1]) / 2.0));
    }
  }

  /// From `from` to `to`, which lie in the cells that begin with samples `first` and `last`.
  double between(double from, std::size_t first, double to, std::size_t last) const {
    const double whole =
        (sums_[last].value - sums_[first].value) + (sums_[last].carry - sums_[first].carry);
    return whole + in_cell(last, to) - in_cell(first, from);
  }

 private:
  double in_cell(std::size_t cell, double time) const {
    if (cell + 1 == t_.size()) return 0.0;
    const double d = time - t_[cell];
    const double slope = (y_[cell + 1] - y_[cell]) / (t_[cell + 1] - t_[cell]);
    return d * (y_[cell] + slope * d / 2.0);
  }

  std::span<const double> t_, y_;
  std::vector<numeric::CompensatedSum<double>> sums_;
};

Growth fit_logarithm(const std::vector<double>& x, const Series& envelope, double confidence) {
  std::vector<double> logarithm;
  for (const double y : envelope.y) logarithm.push_back(numeric::log(y));
  const Trend trend = fit_trend(x, logarithm, confidence);
  double mean = 0.0;
  for (const double entry : x) mean += entry / static_cast<double>(x.size());
  return {trend.slope, numeric::exp(trend.level - trend.slope.value * mean), trend.spread};
}

Series above(const Series& series, double floor) {
  Series kept;
  for (std::size_t i = 0; i < series.t.size(); ++i) {
    if (!(series.y[i] > floor)) continue;
    kept.t.push_back(series.t[i]);
    kept.y.push_back(series.y[i]);
  }
  return kept;
}

/// Whether the slope in each third of the points is the whole one within a quarter.
bool has_steady_slope(std::span<const double> x, std::span<const double> y, double slope) {
  const std::size_t third = x.size() / 3;
  for (std::size_t part = 0; third >= 2 && part < 3; ++part) {
    const std::size_t from = part * third, count = part == 2 ? x.size() - from : third;
    const double now = fit_line(x.subspan(from, count), y.subspan(from, count)).slope / slope;
    if (!(now >= 0.8 && now <= 1.25)) return false;
  }
  return third >= 2;
}

}  // namespace

Series running_mean(std::span<const double> t, std::span<const double> y, double window) {
  check(t, y, 2);
  if (!(window > 0.0) || window > t.back() - t.front())
    throw RequestError("the window of a running mean is positive and at most the duration " +
                       std::to_string(t.back() - t.front()) + ": it is " + std::to_string(window));
  const LineIntegral integral(t, y);
  // Times such as 0.1 k are not exact: a window that ends on the last sample shall count as inside.
  const double slack = 4.0 * std::numeric_limits<double>::epsilon() *
                       numeric::larger(std::fabs(t.front()), std::fabs(t.back()));
  Series result;
  std::size_t first = 0, last = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    double from = t[i] - window / 2.0, to = t[i] + window / 2.0;
    if (from < t.front() - slack || to > t.back() + slack) continue;
    from = numeric::larger(from, t.front());
    to = numeric::smaller(to, t.back());
    while (first + 1 < t.size() && t[first + 1] <= from) ++first;
    while (last + 1 < t.size() && t[last + 1] <= to) ++last;
    result.t.push_back(t[i]);
    result.y.push_back(integral.between(from, first, to, last) / (to - from));
  }
  return result;
}

double largest_error(std::span<const double> y, double reference) {
  double largest = 0.0;
  for (const double value : y) {
    const double error = std::fabs(value - reference);
    largest = numeric::larger(largest, error);
  }
  return largest;
}

double root_mean_square_error(std::span<const double> y, double reference) {
  numeric::CompensatedSum<double> sum;
  for (const double value : y) sum.add((value - reference) * (value - reference));
  return y.empty() ? 0.0 : std::sqrt(sum.value / static_cast<double>(y.size()));
}

Drift fit_drift(std::span<const double> t, std::span<const double> y, const DriftOptions& options) {
  check(t, y, 2 * std::max<std::size_t>(options.batches, 6));
  if (options.batches < 6)
    throw RequestError("a drift needs at least 6 batches: there are " +
                       std::to_string(options.batches));
  const double duration = t.back() - t.front();
  const double length = duration / static_cast<double>(options.batches);
  std::vector<double> times, means;
  std::size_t i = 0;
  for (std::size_t batch = 0; batch < options.batches; ++batch) {
    const double begin = t.front() + static_cast<double>(batch) * length, end = begin + length;
    double weights = 0.0, time = 0.0, value = 0.0;
    const double offset =
        y[std::min<std::size_t>(i, y.size() - 1)];  // so that a large constant costs no digits
    for (; i < t.size() && (t[i] < end || batch + 1 == options.batches); ++i) {
      const double width = t[std::min<std::size_t>(i + 1, t.size() - 1)] - t[i > 0 ? i - 1 : 0];
      const double sine = numeric::sin(std::numbers::pi * (t[i] - begin) / length);
      const double weight = width * sine * sine;
      weights += weight;
      time += weight * (t[i] - begin);
      value += weight * (y[i] - offset);
    }
    if (!(weights > 0.0))
      throw RequestError("batch " + std::to_string(batch + 1) + " of " +
                         std::to_string(options.batches) +
                         " holds too few samples to fit a drift: use fewer batches");
    times.push_back(begin + time / weights);
    means.push_back(offset + value / weights);
  }
  const Trend trend = fit_trend(times, means, options.confidence);
  const Estimate sure = fit_trend(times, means, sure_confidence).slope;
  double middle = 0.0;
  for (const double time : times) middle += time / static_cast<double>(times.size());
  numeric::CompensatedSum<double> squares;
  for (std::size_t k = 0; k < t.size(); ++k)
    squares.add(std::pow(y[k] - trend.level - trend.slope.value * (t[k] - middle), 2));
  return {trend.slope,
          sure,
          duration,
          std::sqrt(squares.value / static_cast<double>(t.size())),
          trend.random_walk_share,
          has_steady_slope(times, means, trend.slope.value)};
}

double Drift::sure_change() const {
  return is_steady
             ? numeric::larger(numeric::larger(sure_slope.low, -sure_slope.high), 0.0) * duration
             : 0.0;
}

DriftVerdict judge_drift(const Drift& drift, double hidden, double ignored) {
  const double low = drift.slope.low * drift.duration, high = drift.slope.high * drift.duration;
  if (low > hidden || high < -hidden) return DriftVerdict::drifts;
  if (!(low > -hidden && high < hidden)) return DriftVerdict::undecided;
  return drift.sure_change() > ignored ? DriftVerdict::slow : DriftVerdict::free;
}

DriftVerdict judge_drift(const Drift& drift) { return judge_drift(drift, drift.oscillation); }

std::string verdict_text(DriftVerdict verdict) {
  switch (verdict) {
    case DriftVerdict::free:
      return "free of drift";
    case DriftVerdict::slow:
      return "slow drift";
    case DriftVerdict::drifts:
      return "drifts";
    default:
      return "undecided";
  }
}

Series envelope(std::span<const double> t, std::span<const double> y, std::size_t parts) {
  check(t, y, 1);
  const double length = (t.back() - t.front()) / static_cast<double>(parts);
  Series result;
  std::size_t i = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    const double begin = t.front() + static_cast<double>(part) * length, end = begin + length;
    double largest = -1.0;
    for (; i < t.size() && (t[i] < end || part + 1 == parts); ++i)
      largest = numeric::larger(largest, std::fabs(y[i]));
    if (largest < 0.0) continue;
    result.t.push_back(begin + length / 2.0);
    result.y.push_back(largest);
  }
  return result;
}

Series geometric_envelope(std::span<const double> t, std::span<const double> y, double first_time,
                          double ratio) {
  check(t, y, 1);
  if (!(first_time > 0.0) || !(ratio > 1.0))
    throw RequestError("a geometric envelope needs a first time > 0 and a ratio > 1");
  Series result;
  std::size_t i = 0;
  while (i < t.size() && t[i] < first_time) ++i;
  // The parts end at the last sample, so that none is cut short.
  const double count = std::floor(numeric::log(t.back() / first_time) / numeric::log(ratio) + 1e-9);
  for (double part = count; part >= 1.0; part -= 1.0) {
    const double begin = t.back() * numeric::pow(ratio, -part), end = begin * ratio;
    while (i < t.size() && t[i] < begin) ++i;
    double largest = -1.0;
    for (; i < t.size() && (t[i] < end || part < 1.5); ++i)
      largest = numeric::larger(largest, std::fabs(y[i]));
    if (largest < 0.0) continue;
    result.t.push_back(begin * std::sqrt(ratio));
    result.y.push_back(largest);
  }
  return result;
}

Growth growth_exponent(std::span<const double> t, std::span<const double> y, double first_time,
                       double confidence) {
  check(t, y, 6);
  const double from = first_time > 0.0 ? first_time : t.back() / 256.0;
  const Series kept = above(geometric_envelope(t, y, from, std::numbers::sqrt2), 0.0);
  std::vector<double> x;
  for (const double time : kept.t) x.push_back(numeric::log(time));
  return fit_logarithm(x, kept, confidence);
}

Growth growth_rate(std::span<const double> t, std::span<const double> y, double floor,
                   std::size_t parts, double confidence) {
  const Series kept = above(envelope(t, y, parts), floor);
  return fit_logarithm(kept.t, kept, confidence);
}

}  // namespace dalembert
