#include "dalembert/measure/ensemble_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>

#include "dalembert/measure/line_fit.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_groups = 20, least_members = 10, least_times = 4;

/// Both laws, fitted to some of the members.
struct Fit {
  LineFit power, linear;
  bool possible = false;
};

/// Moments of values in the order of their members.
SampleMoments moments_in_tree(std::span<const double> values) {
  MomentTree tree;
  tree.add_values(values);
  return tree.total();
}

/// The members whose values are finite at all times are dealt into groups, so that fits without one
/// of these need no further look at the values.
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
      const Moments moments = moments_at(samples[k]);
      if (!(value_of(moments.all) > floor)) continue;
      t_.push_back(t[k]);
      moments_.push_back(moments);
    }
  }

  std::size_t member_count() const { return members_.size(); }
  const std::vector<double>& times() const { return t_; }

  /// With all members.
  Fit whole() const {
    return fit([](const Moments& at) { return at.all; });
  }
  /// With the members whose place is not `group` modulo the number of groups.
  Fit without(std::size_t group) const {
    return fit([group](const Moments& at) {
      SampleMoments rest;
      for (std::size_t i = 0; i < at.of_group.size(); ++i)
        if (i != group) rest = together(rest, at.of_group[i]);
      return rest;
    });
  }

 private:
  /// At one time.
  struct Moments {
    SampleMoments all;
    std::vector<SampleMoments> of_group;
  };

  Moments moments_at(const std::vector<double>& sample) const {
    const std::size_t groups = numeric::smaller(most_groups, members_.size());
    std::vector<double> values;
    for (const std::size_t member : members_) values.push_back(sample[member]);
    Moments moments{moments_in_tree(values), {}};
    for (std::size_t group = 0; group < groups; ++group) {
      values.clear();
      for (std::size_t i = group; i < members_.size(); i += groups)
        values.push_back(sample[members_[i]]);
      moments.of_group.push_back(moments_in_tree(values));
    }
    return moments;
  }

  double value_of(const SampleMoments& moments) const {
    const SampleStatistics all = statistics_of(moments);
    return statistic_ == GrowthOf::variance ? all.variance : all.mean_square;
  }

  template <class Choose>
  Fit fit(Choose choose) const {
    std::vector<double> y, log_t, log_y, weights;
    for (std::size_t k = 0; k < t_.size(); ++k) {
      y.push_back(value_of(choose(moments_[k])));
      if (!(y.back() > 0.0)) return {};
      log_t.push_back(numeric::log(t_[k]));
      log_y.push_back(numeric::log(y.back()));
      weights.push_back(1.0 / (y.back() * y.back()));
    }
    return {fit_line(log_t, log_y), fit_line(t_, y, weights), true};
  }

  GrowthOf statistic_;
  std::vector<std::size_t> members_;
  std::vector<double> t_;
  std::vector<Moments> moments_;  // by time
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
  const QuantileSearch search(
      {.count = statistics.count, .min = statistics.min, .max = statistics.max});
  const QuantileSearch::Counts counts = search.counts(values);
  statistics.quantiles =
      search.quantiles(counts, search.values_in(search.wanted_parts(counts), values));
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
  const Fit all = fits.whole();
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
  law.factor = numeric::exp(all.power.value_at_zero());
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
