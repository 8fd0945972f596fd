#include "dalembert/measure/drift.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "dalembert/error.hpp"
#include "support/round_off.hpp"

using namespace dalembert;

namespace {

/// A normal number by the polar method, from a generator whose output the standard fixes.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : generator_(seed) {}
  double operator()() {
    for (;;) {
      const double u = uniform(), v = uniform(), s = u * u + v * v;
      if (s > 0.0 && s < 1.0) return u * std::sqrt(-2.0 * std::log(s) / s);
    }
  }
  double uniform() { return static_cast<double>(generator_() >> 11) * 0x1p-52 - 1.0; }

 private:
  std::mt19937_64 generator_;
};

template <class Function>
Series sampled(std::size_t count, double spacing, Function f) {
  Series series;
  for (std::size_t i = 0; i < count; ++i) {
    series.t.push_back(spacing * static_cast<double>(i));
    series.y.push_back(f(series.t.back()));
  }
  return series;
}

/// The share of random series whose interval covers `slope`.
double coverage(double slope, double oscillation, double white, double walk) {
  int covered = 0;
  constexpr int trials = 300;
  for (int trial = 0; trial < trials; ++trial) {
    Normal normal(static_cast<std::uint64_t>(trial));
    double random_walk_share = 0.0;
    const double phase = normal.uniform() * 3.0;
    const Series series = sampled(2400, 0.5, [&](double t) {
      random_walk_share += walk * normal();
      return 2.0 + slope * t + white * normal() + random_walk_share +
             oscillation * (std::sin(t + phase) + 0.7 * std::sin(0.618 * t));
    });
    covered += fit_drift(series.t, series.y).slope.contains(slope);
  }
  return static_cast<double>(covered) / trials;
}

}  // namespace

TEST_CASE("A running mean passes lines and removes oscillations whose period divides its window") {
  const Series line = sampled(301, 0.1, [](double t) { return 3.0 - 0.25 * t; });
  const Series mean = running_mean(line.t, line.y, 3.0);
  CHECK(mean.t.size() == 271);
  CHECK(mean.t.front() == doctest::Approx(1.5));
  // Means of 31 samples below 3, each of which is rounded once, and a few operations.
  for (std::size_t i = 0; i < mean.t.size(); ++i)
    CHECK(std::fabs(mean.y[i] - (3.0 - 0.25 * mean.t[i])) < test_support::round_off_of(8.0, 3.0));
  // The trapezoidal rule over a whole number of cells is exact for oscillations of its period, but
  // for the rounding of arguments up to 60.
  const Series wave = sampled(301, 0.1, [](double t) { return std::sin(2.0943951023931957 * t); });
  for (const double y : running_mean(wave.t, wave.y, 3.0).y)
    CHECK(std::fabs(y) < test_support::round_off_of(1.0, 60.0));
}

TEST_CASE("A running mean whose window cuts cells integrates the lines between samples") {
  const std::vector<double> t{0.0, 1.0, 3.0, 4.0}, y{0.0, 2.0, 0.0, 1.0};
  // From 0.5 to 1.5: (1 + 2)/2 * 0.5 + (2 + 1.5)/2 * 0.5.
  const Series mean = running_mean(t, y, 1.0);
  REQUIRE(mean.t.size() == 2);
  CHECK(mean.y[0] == doctest::Approx(1.625));
  CHECK(mean.y[1] == doctest::Approx((0.5 / 2.0 + 0.5 / 2.0) * 0.5));
}

TEST_CASE("Means over long series keep the digits of small windows") {
  const Series series = sampled(300001, 0.1, [](double t) { return 1e6 + std::sin(t); });
  const Series mean = running_mean(series.t, series.y, 0.2);
  // Round-off of one value of 1e6 is 1e-10; prefix sums in double would leave 1e-5.
  const double t = mean.t.back();
  const double exact =
      (1e6 + std::sin(t)) / 2.0 + (1e6 + std::sin(t - 0.1)) / 4.0 + (1e6 + std::sin(t + 0.1)) / 4.0;
  CHECK(std::fabs(mean.y.back() - exact) < 1e-8);
}

TEST_CASE("Largest and root mean square errors") {
  const std::vector<double> y{1.0, -2.0, 2.0};
  CHECK(largest_error(y, 0.0) == 2.0);
  CHECK(largest_error(y, 1.0) == 3.0);
  CHECK(root_mean_square_error(y, 0.0) == doctest::Approx(std::sqrt(3.0)));
  const std::vector<double> broken{1.0, std::numeric_limits<double>::quiet_NaN(), 2.0};
  CHECK(std::isnan(largest_error(broken, 0.0)));
  CHECK(std::isnan(root_mean_square_error(broken, 0.0)));
}

TEST_CASE("The interval of a drift covers the true slope") {
  // 300 trials: the standard error of a coverage of 0.95 is 0.013.
  CHECK(coverage(0.01, 0.0, 1.0, 0.0) > 0.91);
  CHECK(coverage(0.01, 5.0, 0.1, 0.0) > 0.91);
  CHECK(coverage(0.01, 1.0, 0.0, 0.1) > 0.91);
  CHECK(coverage(-0.02, 1.0, 1.0, 0.02) > 0.91);
}

TEST_CASE("A drift far below the oscillation is found") {
  const double slope = 1e-6;
  const Series series = sampled(30000, 0.1, [&](double t) {
    return slope * t + std::sin(t) + 0.4 * std::cos(std::sqrt(2.0) * t + 1.0);
  });
  const Drift drift = fit_drift(series.t, series.y);
  CHECK(drift.slope.contains(slope));
  CHECK(drift.slope.low > 0.0);
  // What 3000 units of time hold beyond whole periods is a part of 1/3000.
  CHECK(drift.oscillation ==
        doctest::Approx(std::sqrt((1.0 + 0.16) / 2.0)).epsilon(1.0 / 3000.0).scale(0.0));
  // 48 batches of 62 leave (6.3/62)^3 = 1e-3 of it, which makes a slope of
  // 1e-3 sqrt(12/48)/3000 = 2e-7.
  CHECK(drift.change() == doctest::Approx(slope * drift.duration).epsilon(0.2).scale(0.0));
  CHECK(judge_drift(drift) == DriftVerdict::slow);  // hidden in the oscillation, but there
  CHECK(drift.sure_change() > 0.0);
  CHECK(drift.sure_change() < drift.change());
  CHECK(judge_drift(drift, drift.oscillation, 1e-2) == DriftVerdict::free);  // too little to count
  CHECK(judge_drift(drift, 1e-3) == DriftVerdict::drifts);
  CHECK(judge_drift(drift, drift.change()) == DriftVerdict::undecided);
}

TEST_CASE("What does not drift is not accused of a slow drift") {
  // An interval for 95 % leaves out zero for several of these.
  int alarms = 0, plain_alarms = 0;
  for (int trial = 0; trial < 240; ++trial) {
    Normal normal(static_cast<std::uint64_t>(5000 + trial));
    const double white = trial % 3 == 0 ? 1.0 : 0.0, walk = trial % 3 == 1 ? 0.2 : 0.01;
    const double phase = normal.uniform() * 3.0, slow = 0.012 * (2.0 + normal.uniform());
    double level = 0.0;
    const Series series = sampled(2400, 0.5, [&](double t) {
      level += walk * normal();
      return white * normal() + level + std::sin(t + phase) + (trial % 4 == 0) * std::sin(slow * t);
    });
    const Drift drift = fit_drift(series.t, series.y);
    alarms += drift.sure_change() > 0.0;
    plain_alarms += !drift.slope.contains(0.0);
  }
  CHECK(alarms == 0);
  CHECK(plain_alarms > 2);
}

TEST_CASE("A line has the slope of a line, a constant none") {
  const Series line = sampled(1000, 0.01, [](double t) { return 4.0 - 3.0 * t; });
  const Drift drift = fit_drift(line.t, line.y);
  // Each sample is rounded, at sizes up to 26, over a time of 10; the interval is of that size.
  constexpr double tolerance = test_support::round_off_of(1.0, 30.0);
  CHECK(drift.slope.value == doctest::Approx(-3.0).epsilon(tolerance));
  CHECK(drift.slope.uncertainty() < 20.0 * tolerance);
  CHECK(judge_drift(drift) == DriftVerdict::drifts);
  const Series constant = sampled(1000, 0.01, [](double) { return 0.1; });
  CHECK(fit_drift(constant.t, constant.y).slope.contains(0.0));
  CHECK(judge_drift(fit_drift(constant.t, constant.y), 1e-12) == DriftVerdict::free);
  const Series nothing = sampled(1000, 0.01, [](double) { return 0.0; });
  CHECK(fit_drift(nothing.t, nothing.y).slope.value ==
        0.0);  // a number, if there is no size at all
  CHECK(verdict_text(DriftVerdict::free) == "free of drift");
  CHECK(verdict_text(DriftVerdict::slow) == "slow drift");
}

TEST_CASE("A random walk does not drift") {
  Normal normal(7);
  double walk = 0.0;
  const Series series = sampled(100000, 0.1, [&](double) { return walk += 1e-16 * normal(); });
  const Drift drift = fit_drift(series.t, series.y);
  CHECK(drift.slope.contains(0.0));
  CHECK(drift.random_walk_share > 0.5);
}

TEST_CASE("Exponents of growth") {
  for (const double power : {0.0, 0.5, 1.0, 2.0}) {
    const Series series = sampled(20000, 0.1, [&](double t) {
      return 1e-8 * std::pow(t, power) * std::sin(t) * std::sin(0.37 * t);
    });
    const Growth growth = growth_exponent(series.t, series.y);
    CHECK_MESSAGE(growth.value.contains(power), power, " ", growth.value.value);
    CHECK(growth.value.uncertainty() < 0.15);
    // An envelope's part ends a factor 2^(1/4) after its middle: sqrt(2) for the power 2.
    CHECK(growth.factor == doctest::Approx(1e-8).epsilon(0.5).scale(0.0));
  }
  int covered = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Normal normal(static_cast<std::uint64_t>(1000 + trial));
    double walk = 0.0;
    const Series series = sampled(8192, 1.0, [&](double) { return walk += normal(); });
    covered += growth_exponent(series.t, series.y).value.contains(0.5);
  }
  CHECK(covered > 180);
}

TEST_CASE("Rates of exponential growth above a floor") {
  const Series series = sampled(5000, 0.1, [&](double t) {
    return 1e-12 * std::sin(3.0 * t) + 1e-16 * std::exp(0.07 * t) * std::cos(t);
  });
  const Growth growth = growth_rate(series.t, series.y, 1e-10);
  CHECK(growth.value.contains(0.07));
  CHECK(growth.value.uncertainty() < 0.005);
  const Growth power = growth_exponent(series.t, series.y);
  CHECK(power.misfit > 3.0 * growth.misfit);
}

TEST_CASE("Series that say nothing are refused in words") {
  const std::vector<double> t{0.0, 1.0, 1.0}, y{0.0, 1.0, 2.0}, three{0.0, 1.0, 2.0};
  CHECK_THROWS_WITH_AS(running_mean(t, y, 1.0),
                       "the times of a series must increase: at sample 3 they do not",
                       RequestError);
  CHECK_THROWS_AS(running_mean(three, y, 5.0), RequestError);
  CHECK_THROWS_AS(running_mean(three, std::vector<double>{1.0}, 1.0), RequestError);
  CHECK_THROWS_AS(fit_drift(three, y), RequestError);
  CHECK_THROWS_AS(fit_trend(three, y), RequestError);
  const Series series = sampled(1000, 0.1, [](double) { return 0.0; });
  CHECK_THROWS_AS(growth_exponent(series.t, series.y), RequestError);
  CHECK_THROWS_AS(fit_drift(series.t, series.y, {.batches = 48, .confidence = 1.5}), RequestError);
}
