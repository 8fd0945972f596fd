#include "dalembert/measure/ensemble_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/measure/line_fit.hpp"
#include "dalembert/numeric/compensated.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

using Sum = numeric::CompensatedSum<double>;

constexpr std::size_t most_groups = 20, least_members = 10, least_times = 4;

double quantile(const std::vector<double>& sorted, double level) {
  const double place = level * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

/// Both laws, fitted to some of the members.
struct Fit {
  LineFit power, linear;
  bool possible = false;
};

class GrowthFit {
 public:
  GrowthFit(std::span<const double> t, std::span<const std::vector<double>> samples,
            GrowthOf statistic, double floor)
      : statistic_(statistic) {
    for (std::size_t member = 0; !samples.empty() && member < samples[0].size(); ++member) {
      const bool finite = std::all_of(samples.begin(), samples.end(), [&](const auto& values) {
        return std::isfinite(values[member]);
      });
      if (finite) members_.push_back(member);
    }
    for (std::size_t k = 0; k < samples.size(); ++k) {
      if (!(t[k] > 0.0)) continue;
      t_.push_back(t[k]);
      samples_.push_back(&samples[k]);
      if (value(k_of_last(), members_.size()) > floor) continue;
      t_.pop_back();
      samples_.pop_back();
    }
  }

  std::size_t member_count() const { return members_.size(); }
  const std::vector<double>& times() const { return t_; }

  /// With the members whose place is not `group` modulo the number of groups.
  Fit without(std::size_t group) const {
    std::vector<double> y, log_t, log_y, weights;
    for (std::size_t k = 0; k < t_.size(); ++k) {
      y.push_back(value(k, group));
      if (!(y.back() > 0.0)) return {};
      log_t.push_back(std::log(t_[k]));
      log_y.push_back(std::log(y.back()));
      weights.push_back(1.0 / (y.back() * y.back()));
    }
    return {fit_line(log_t, log_y), fit_line(t_, y, weights), true};
  }

 private:
  std::size_t k_of_last() const { return t_.size() - 1; }

  /// The statistic at one time, without the members of a group; of all for a group beyond the last.
  double value(std::size_t k, std::size_t group) const {
    std::vector<double> kept;
    const std::size_t groups = numeric::smaller(most_groups, members_.size());
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (i % groups != group) kept.push_back((*samples_[k])[members_[i]]);
    const SampleStatistics all = summarize(kept);
    return statistic_ == GrowthOf::variance ? all.variance : all.mean_square;
  }

  GrowthOf statistic_;
  std::vector<std::size_t> members_;
  std::vector<double> t_;
  std::vector<const std::vector<double>*> samples_;
};

}  // namespace

SampleStatistics summarize(std::span<const double> values) {
  std::vector<double> finite;
  finite.reserve(values.size());
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](double value) { return std::isfinite(value); });
  SampleStatistics result;
  result.count = finite.size();
  const double count = static_cast<double>(finite.size());
  Sum sum, squares, deviations;
  for (const double value : finite) sum.add(value);
  result.mean = sum.value / count;  // nan for an empty sample, like all that follows
  for (const double value : finite) {
    squares.add(value * value);
    deviations.add((value - result.mean) * (value - result.mean));
  }
  result.mean_square = squares.value / count;
  if (finite.empty()) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    result.variance = result.min = result.max = nan;
    result.quantiles.fill(nan);
    return result;
  }
  if (finite.size() > 1) result.variance = deviations.value / (count - 1.0);
  std::sort(finite.begin(), finite.end());
  result.min = finite.front();
  result.max = finite.back();
  for (std::size_t i = 0; i < quantile_levels.size(); ++i)
    result.quantiles[i] = quantile(finite, quantile_levels[i]);
  return result;
}

GrowthLaw fit_growth(std::span<const double> t, std::span<const std::vector<double>> samples,
                     GrowthOf statistic, double floor) {
  GrowthLaw law;
  const GrowthFit fits(t, samples, statistic, floor);
  const std::size_t members = fits.member_count();
  if (members < least_members || fits.times().size() < least_times) return law;
  const Fit all = fits.without(members);
  if (!all.possible) return law;
  const std::size_t groups = numeric::smaller(most_groups, members);
  std::vector<double> slopes, rates;
  for (std::size_t group = 0; group < groups; ++group) {
    const Fit fit = fits.without(group);
    if (!fit.possible) return law;
    slopes.push_back(fit.power.slope);
    rates.push_back(fit.linear.slope);
  }
  // The jackknife: (g - 1)/g times the sum of squares about the mean of the g fits.
  const auto error = [&](const std::vector<double>& values) {
    const double g = static_cast<double>(groups);
    return std::sqrt((g - 1.0) * (g - 1.0) / g * summarize(values).variance);
  };
  law.measured = true;
  law.exponent = all.power.slope;
  law.uncertainty = error(slopes);
  law.factor = std::exp(all.power.value_at_zero());
  law.rate = all.linear.slope;
  law.offset = all.linear.value_at_zero();
  law.rate_uncertainty = error(rates);
  law.from = fits.times().front();
  law.until = fits.times().back();
  return law;
}

std::vector<std::size_t> growth_records(std::size_t last) {
  constexpr double spacing = 1.15;
  std::vector<std::size_t> records;
  for (std::size_t record = 1; record <= last;) {
    records.push_back(record);
    const auto next = static_cast<std::size_t>(std::llround(spacing * static_cast<double>(record)));
    record = std::max<std::size_t>(record + 1, next);
  }
  return records;
}

}  // namespace dalembert
