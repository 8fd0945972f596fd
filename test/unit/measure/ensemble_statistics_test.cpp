#include "dalembert/measure/ensemble_statistics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "support/round_off.hpp"

using namespace dalembert;

namespace {

/// Errors of members that walk at random: a normal increment for each unit of time.
std::vector<std::vector<double>> random_walks(const std::vector<double>& t, std::size_t members,
                                              unsigned seed) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::vector<std::vector<double>> samples(t.size(), std::vector<double>(members));
  for (std::size_t i = 0; i < members; ++i) {
    double now = 0.0, at = 0.0;
    for (std::size_t k = 0; k < t.size(); ++k) {
      now += 1e-3 * std::sqrt(t[k] - at) * normal(engine);
      at = t[k];
      samples[k][i] = now;
    }
  }
  return samples;
}

std::vector<double> fitted_times() {
  std::vector<double> t;
  for (const std::size_t record : growth_records(1000))
    if (record >= 33) t.push_back(static_cast<double>(record));
  return t;
}

}  // namespace

TEST_CASE("statistics are those of a plain computation in two passes") {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal(1e3, 1.0);
  std::vector<double> values(1001);
  for (double& value : values) value = normal(engine);
  long double mean = 0.0L, square = 0.0L, deviations = 0.0L;
  for (const double value : values) mean += static_cast<long double>(value) / 1001.0L;
  for (const double value : values) {
    square += static_cast<long double>(value) * value / 1001.0L;
    deviations += (value - mean) * (value - mean);
  }
  const SampleStatistics statistics = summarize(values);
  CHECK(statistics.count == 1001);
  // A few roundings each; the mean's own rounding enters the variance squared only.
  CHECK(statistics.mean == doctest::Approx(static_cast<double>(mean)).epsilon(4e-16));
  CHECK(statistics.mean_square == doctest::Approx(static_cast<double>(square)).epsilon(8e-16));
  CHECK(statistics.variance ==
        doctest::Approx(static_cast<double>(deviations / 1000.0L)).epsilon(2e-13));
  std::sort(values.begin(), values.end());
  CHECK(statistics.min == values.front());
  CHECK(statistics.max == values.back());
  CHECK(statistics.quantiles ==
        std::array{values[50], values[250], values[500], values[750], values[950]});
}

TEST_CASE("quantiles between two values are interpolated") {
  const double values[] = {4.0, 1.0, 2.0, 3.0};
  CHECK(summarize(values).quantiles[2] == 2.5);
  CHECK(summarize(values).quantiles[1] == 1.75);
}

TEST_CASE("values that are not finite are left out, and an empty sample is nan") {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const double some[] = {nan, 2.0, std::numeric_limits<double>::infinity(), 4.0};
  CHECK(summarize(some).count == 2);
  CHECK(summarize(some).mean == 3.0);
  CHECK(summarize(some).variance == 2.0);
  CHECK(summarize({some, 1}).count == 0);
  CHECK(std::isnan(summarize({some, 1}).mean));
  CHECK(std::isnan(summarize({some, 1}).quantiles[0]));
  CHECK(summarize({some + 1, 1}).variance == 0.0);
}

TEST_CASE("an exact power law is found exactly") {
  const std::vector<double> t = fitted_times();
  std::vector<std::vector<double>> samples;
  for (const double now : t) {
    std::vector<double> errors;
    for (int i = 0; i < 40; ++i)
      errors.push_back((i % 2 == 0 ? 1.0 : -1.0) * (1 + i % 4) * 0.1 * now);
    samples.push_back(errors);
  }
  const GrowthLaw law = fit_growth(t, samples, GrowthOf::mean_square, 0.0);
  REQUIRE(law.measured);
  // Logarithms up to 14, of some ten roundings each: means of 40, fits of 25.
  constexpr double tolerance = test_support::round_off_of(10.0, 14.0);
  CHECK(law.exponent == doctest::Approx(2.0).epsilon(tolerance));
  CHECK(law.factor == doctest::Approx(0.01 * (1 + 4 + 9 + 16) / 4.0).epsilon(tolerance));
  CHECK(law.uncertainty < tolerance);
  CHECK(law.from == t.front());
  CHECK(law.until == t.back());
}

TEST_CASE("an oscillation with a random walk on it is told apart") {
  const std::vector<double> t = fitted_times();
  std::vector<std::vector<double>> samples;
  for (const double now : t) {
    std::vector<double> errors;
    for (int i = 0; i < 40; ++i)
      errors.push_back((i % 2 == 0 ? 1.0 : -1.0) * std::sqrt(0.5 + 0.25 * now));
    samples.push_back(errors);
  }
  const GrowthLaw law = fit_growth(t, samples, GrowthOf::mean_square, 0.0);
  // Squares up to 250, in a line whose value at zero is below all of them.
  constexpr double tolerance = test_support::round_off_of(10.0, 250.0);
  CHECK(law.rate == doctest::Approx(0.25).epsilon(tolerance));
  CHECK(law.offset == doctest::Approx(0.5).epsilon(tolerance));
  CHECK(law.exponent < 1.0);
}

// Over many independent ensembles the fits scatter about the true exponent as much as the jackknife
// says of each alone. With 60 ensembles the scatter is known to 9 percent and the mean jackknife
// better still; a factor 1.5 either way is more than four standard deviations.
TEST_CASE("the uncertainty of a random walk's exponent is honest") {
  const std::vector<double> t = fitted_times();
  std::vector<double> exponents, rates;
  double told = 0.0;
  constexpr int ensembles = 60;
  for (int i = 0; i < ensembles; ++i) {
    const GrowthLaw law =
        fit_growth(t, random_walks(t, 100, static_cast<unsigned>(i)), GrowthOf::variance, 0.0);
    REQUIRE(law.measured);
    exponents.push_back(law.exponent);
    rates.push_back(law.rate);
    told += law.uncertainty / ensembles;
  }
  const SampleStatistics spread = summarize(exponents);
  const double seen = std::sqrt(spread.variance);
  CHECK(told < 1.5 * seen);
  CHECK(told > seen / 1.5);
  CHECK(std::fabs(spread.mean - 1.0) < 5.0 * seen / std::sqrt(static_cast<double>(ensembles)));
  // A variance of 100 members is known to sqrt(2/99) = 0.14, the mean of 60 to 0.02: five of these.
  CHECK(summarize(rates).mean == doctest::Approx(1e-6).epsilon(0.1).scale(0.0));
}

TEST_CASE("nothing is fitted to round-off or to a handful of members") {
  const std::vector<double> t = fitted_times();
  CHECK_FALSE(fit_growth(t, random_walks(t, 100, 1), GrowthOf::variance, 1.0).measured);
  CHECK_FALSE(fit_growth(t, random_walks(t, 9, 1), GrowthOf::variance, 0.0).measured);
  CHECK_FALSE(fit_growth({}, {}, GrowthOf::variance, 0.0).measured);
}

TEST_CASE("a member that fails is left out of the fit at all times") {
  const std::vector<double> t = fitted_times();
  auto samples = random_walks(t, 50, 4);
  const auto without = samples;
  for (auto& values : samples) values.push_back(100.0);
  samples.back().back() = std::numeric_limits<double>::quiet_NaN();
  CHECK(fit_growth(t, samples, GrowthOf::variance, 0.0).exponent ==
        fit_growth(t, without, GrowthOf::variance, 0.0).exponent);
}

TEST_CASE("fitted records are distinct, evenly spaced in log t, and do not depend on the last") {
  const auto records = growth_records(1000);
  CHECK(records.front() == 1);
  CHECK(records.back() > 1000 / 1.2);
  for (std::size_t i = 1; i < records.size(); ++i) {
    CHECK(records[i] > records[i - 1]);
    const auto now = static_cast<double>(records[i]), before = static_cast<double>(records[i - 1]);
    if (now > 30.0) CHECK(std::fabs(now - 1.15 * before) <= 0.5);
  }
  const auto more = growth_records(5000);
  CHECK(std::equal(records.begin(), records.end(), more.begin()));
  CHECK(growth_records(3) == std::vector<std::size_t>{1, 2, 3});
  CHECK(growth_records(0).empty());
}

TEST_CASE("quantiles of large samples are those of the sorted sample, however they are spread") {
  std::mt19937_64 random(5);
  const auto uniform = [&] { return static_cast<double>(random() >> 11U) * 0x1p-53; };
  const std::size_t size = 3001;
  std::vector<std::vector<double>> samples(6, std::vector<double>(size));
  for (std::size_t i = 0; i < size; ++i) {
    samples[0][i] = uniform() - 0.5;
    samples[1][i] = 3.5;                                          // all the same
    samples[2][i] = i == 7 ? 1e300 : uniform();                   // all but one in one part
    samples[3][i] = (i % 2 == 0 ? 1.0 : -1.0) * 1.7e308;          // wider than a number
    samples[4][i] = std::floor(8.0 * uniform()) * 0x1p-1074;      // the least numbers
    samples[5][i] = std::tan(3.14159 * (uniform() - 0.5)) + 1e9;  // long tails, far from zero
  }
  for (std::vector<double>& sample : samples) {
    const SampleStatistics found = summarize(sample);
    std::ranges::sort(sample);
    CHECK(found.min == sample.front());
    CHECK(found.max == sample.back());
    for (std::size_t i = 0; i < quantile_levels.size(); ++i) {
      const double place = quantile_levels[i] * static_cast<double>(size - 1);
      const auto below = static_cast<std::size_t>(place);
      const double expected = sample[below] + (place - static_cast<double>(below)) *
                                                  (sample[below + 1] - sample[below]);
      CHECK(found.quantiles[i] == expected);
    }
  }
}
