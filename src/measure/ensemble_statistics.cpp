#include "dalembert/measure/ensemble_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>

#include "dalembert/measure/line_fit.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_groups = 20, least_members = 10, least_times = 4;

/// The place of a quantile in a sorted sample: between two neighbours.
struct QuantilePlace {
  std::size_t below, above;
  double weight;  ///< of the one above
};

QuantilePlace quantile_place(double level, std::size_t count) {
  const double place = level * static_cast<double>(count - 1);
  const auto below = static_cast<std::size_t>(place);
  return {below, std::min<std::size_t>(below + 1, count - 1), place - static_cast<double>(below)};
}

/// Parts of equal width of an interval, in which the numbers of a sample are counted: what is in a
/// lower part is less.
class SampleParts {
 public:
  SampleParts(double lowest, double highest, std::size_t values)
      : lowest_(lowest), counts_(std::clamp<std::size_t>(values / 8, 1, most_parts), 0) {
    const double scale = static_cast<double>(counts_.size()) / (highest - lowest);
    if (std::isfinite(highest - lowest) && std::isfinite(scale)) scale_ = scale;
  }

  void count(double value) { ++counts_[part(value)]; }

  /// Of the values that were counted those that would be at some places if they were sorted. Only
  /// the parts that hold one of these are.
  std::vector<double> at(std::span<const double> values,
                         std::span<const std::size_t> places) const {
    // Where the numbers of a part begin in the sorted sample, and among those that are kept.
    std::vector<std::size_t> begin(counts_.size() + 1, 0), kept_begin(counts_.size(), 0);
    std::partial_sum(counts_.begin(), counts_.end(), begin.begin() + 1);
    std::vector<std::uint8_t> is_kept(counts_.size(), 0);
    std::vector<std::size_t> part_of;
    for (const std::size_t place : places) {
      const auto after = std::upper_bound(begin.begin(), begin.end(), place);
      part_of.push_back(static_cast<std::size_t>(after - begin.begin()) - 1);
      is_kept[part_of.back()] = 1;
    }
    std::size_t size = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      kept_begin[i] = size;
      if (is_kept[i] != 0) size += counts_[i];
    }
    std::vector<double> kept(size);
    std::vector<std::size_t> next = kept_begin;
    for (const double value : values) {
      const std::size_t i = part(value);
      if (is_kept[i] != 0) kept[next[i]++] = value;
    }
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      const auto from = kept.begin() + static_cast<std::ptrdiff_t>(kept_begin[i]);
      if (is_kept[i] != 0) std::sort(from, from + static_cast<std::ptrdiff_t>(counts_[i]));
    }
    std::vector<double> found;
    for (std::size_t k = 0; k < places.size(); ++k)
      found.push_back(kept[kept_begin[part_of[k]] + places[k] - begin[part_of[k]]]);
    return found;
  }

 private:
  static constexpr std::size_t most_parts = 4096;

  std::size_t part(double value) const {
    if (scale_ == 0.0) return 0;
    const auto i = static_cast<std::size_t>(static_cast<int>((value - lowest_) * scale_));
    return std::min<std::size_t>(i, counts_.size() - 1);
  }

  double lowest_, scale_ = 0.0;  // 0: all in one part
  std::vector<std::uint32_t> counts_;
};

std::array<double, quantile_levels.size()> quantiles(std::span<const double> values,
                                                     const SampleParts& parts) {
  std::array<QuantilePlace, quantile_levels.size()> quantiles;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < quantiles.size(); ++i) {
    quantiles[i] = quantile_place(quantile_levels[i], values.size());
    places.push_back(quantiles[i].below);
    places.push_back(quantiles[i].above);
  }
  const std::vector<double> at = parts.at(values, places);
  std::array<double, quantile_levels.size()> result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double below = at[2 * i], above = at[2 * i + 1];
    const bool is_last = quantiles[i].below == quantiles[i].above;
    result[i] = is_last ? below : below + quantiles[i].weight * (above - below);
  }
  return result;
}

void add_quantiles_of_finite(SampleStatistics& statistics, std::span<const double> finite) {
  if (finite.empty()) return;
  SampleParts parts(statistics.min, statistics.max, finite.size());
  for (const double value : finite) parts.count(value);
  statistics.quantiles = quantiles(finite, parts);
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

SampleStatistics statistics_of(const SampleMoments& moments) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  SampleStatistics result;
  result.count = moments.count;
  result.quantiles.fill(nan);
  if (moments.count == 0) {
    result.mean = result.mean_square = result.variance = result.min = result.max = nan;
    return result;
  }
  const auto count = static_cast<double>(moments.count);
  result.mean = moments.mean;
  result.mean_square = moments.mean * moments.mean + moments.deviations / count;
  if (moments.count > 1) result.variance = moments.deviations / (count - 1.0);
  result.min = moments.min;
  result.max = moments.max;
  return result;
}

void add_quantiles(SampleStatistics& statistics, std::span<const double> values) {
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (std::all_of(values.begin(), values.end(), is_finite))
    return add_quantiles_of_finite(statistics, values);
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite), is_finite);
  add_quantiles_of_finite(statistics, finite);
}

SampleStatistics summarize(std::span<const double> values) {
  MomentTree tree;
  tree.add_values(values);
  SampleStatistics result = statistics_of(tree.total());
  add_quantiles(result, values);
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
