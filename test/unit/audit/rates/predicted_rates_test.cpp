// Rates of drift from the step map: three roads to one number, and zeros that are proved.

#include "dalembert/audit/rates/predicted_rates.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "audit/small_eigenvalues.hpp"
#include "dalembert/audit/rates/window_rate.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "support/round_off.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;

namespace {

const Start oscillating{.q = {1.0, 1.0, 0.0}, .v = {0.0, 0.0, 1.8973666}};
const Start rotating{.q = {1.0, 1.0, 0.0}, .v = {0.0, 0.0, 2.82842712}};

PredictedRates rates_of(const MethodSpec& method, const Start& start, double epsilon, double h) {
  return predicted_rates(test_support::pendulum_cvt().system, make_method(method), start, h,
                         std::vector{epsilon});
}
RateMode mode_of(const PredictedRates& rates, RateMode::Kind kind) {
  for (const RateMode& mode : rates.modes)
    if (mode.kind == kind) return mode;
  return {};
}
double axis(const PredictedRates& rates) { return mode_of(rates, RateMode::Kind::axis).rate; }
double pair(const PredictedRates& rates) { return mode_of(rates, RateMode::Kind::pair).rate; }
double largest(const PredictedRates& rates) {
  double found = 0.0;
  for (const RateMode& mode : rates.modes) found = numeric::larger(found, std::fabs(mode.rate));
  return found;
}
Expr passenger_energy(const Symbols& s) {
  const Expr motion = square(s.v[0]) + square(s.v[1]);
  return (motion + square(s.q[0]) + square(s.q[1])) / 2.0;
}
std::string refusal(const MethodSpec& method, const Start& start) {
  try {
    rates_of(method, start, 0.5, 0.1);
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Exponents tend to their average, and both to what a window measures") {
  const auto cvt = test_support::pendulum_cvt();
  for (const char* name : {"dla01", "spark"}) {
    CAPTURE(name);
    const Method method = make_method({name});
    const AveragedRates average =
        averaged_rates<double>(cvt.system, method, rotating, std::vector{0.5});
    const PredictedRates coarse = rates_of({name}, rotating, 0.5, 0.1),
                         fine = rates_of({name}, rotating, 0.5, 0.05);
    const double power = std::pow(2.0, average.power);
    const auto limit = [&](double at_coarse, double at_fine) {
      const double scale = std::pow(0.1, average.power);
      return (4.0 * at_fine * power - at_coarse) / (3.0 * scale);
    };
    // Extrapolation in h^2 leaves h^4 = 1e-4 of the next but one term.
    CHECK(limit(axis(coarse), axis(fine)) ==
          doctest::Approx(average.axis).epsilon(1e-3).scale(0.0));
    CHECK(limit(pair(coarse), pair(fine)) ==
          doctest::Approx(average.pair).epsilon(1e-3).scale(0.0));
    // Each step rounds an angle that has grown so far. By force over speed, which is below one,
    // that changes the speed, which turns the driver on for what is left of the time: at random,
    // with the mean 1/3 of the squares of roundings and 1/30 of s^2 (1 - s)^2. Four deviations.
    const auto steps = static_cast<double>(coarse.steps);
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(coarse.turns),
                 time = steps * coarse.step;
    CHECK(coarse.closure < 4.0 * test_support::round_off_of(std::sqrt(steps / 90.0), angle * time));
    CHECK(std::fabs(coarse.step - 0.1) < 1e-3 * 0.1);  // as promised of a tuned step
    const WindowRate window = window_rate(cvt.system, method, rotating, 0.1, passenger_energy, 500,
                                          RateScale::logarithm, std::vector{0.5});
    CHECK(std::fabs(window.rate - coarse.fitted_rate(500)) <
          window.error + 1e-3 * std::fabs(window.rate));
    CHECK(window.error < 0.01 * std::fabs(window.rate));
  }
}

TEST_CASE("The modes of the composition of Newmark have rates of opposite sign, two to one") {
  const PredictedRates rates = rates_of({"newmark-composition"}, rotating, 0.5, 0.1);
  // A rate of about 1e-5, with a round-off of 1e-15.
  CHECK(axis(rates) > 5e-6);
  CHECK(pair(rates) / axis(rates) == doctest::Approx(-0.5).epsilon(1e-9));
  // The mixture begins between the two and ends with the mode that grows.
  CHECK(rates.initial_rate() < 0.2 * axis(rates));
  CHECK(rates.fitted_rate(4e6) > 0.9 * axis(rates));
}

namespace {

/// Round-off of a step of 0.2 with some ten operations, over the step. Rates that are there are
/// h^4 = 2e-3, or more, times some hundredths.
constexpr double no_rate = test_support::round_off_of(10.0) / 0.2, clear_rate = 1e-6;

}  // namespace

TEST_CASE("Where the driver's motion is reversible no mode grows") {
  for (const char* name : {"dla01", "newmark-composition", "spark"}) {
    CAPTURE(name);
    CHECK(largest(rates_of({name}, oscillating, 0.5, 0.2)) < no_rate);
    CHECK(largest(rates_of({name}, rotating, 0.0, 0.2)) < no_rate);
    CHECK(largest(rates_of({name}, rotating, 0.5, 0.2)) > clear_rate);
  }
}

TEST_CASE("Leap-frog, driver splitting and energy collocation have no rates anywhere") {
  for (const char* name : {"leapfrog", "driver-splitting", "energy-collocation"}) {
    CAPTURE(name);
    CHECK(largest(rates_of({name}, rotating, 0.5, 0.2)) < no_rate);
  }
}

TEST_CASE("A carried multiplier with three stages beats with the axis, and the fit sees it") {
  const auto cvt = test_support::pendulum_cvt();
  const PredictedRates rates =
      rates_of({"lobatto", {{"multiplier", std::string("carried")}}}, rotating, 0.5, 0.1);
  CHECK(rates.modes.size() == 3);
  const WindowRate window =
      window_rate(cvt.system, make_method({"lobatto", {{"multiplier", std::string("carried")}}}),
                  rotating, 0.1, passenger_energy, 1000, RateScale::logarithm, std::vector{0.5});
  CHECK(std::fabs(window.rate - rates.fitted_rate(1000)) < window.error);
  CHECK(window.error < 0.02 * window.rate);
  CHECK_THROWS_AS(
      averaged_rates<double>(
          cvt.system, make_method({"lobatto", {{"multiplier", std::string("carried")}}}), rotating),
      RequestError);
}

TEST_CASE("What has no exponents is refused with the reason") {
  CHECK(refusal({"discrete-derivative"}, rotating).find("feels the passengers") !=
        std::string::npos);
  CHECK(refusal({"fehlberg-78"}, rotating).find("chooses its steps") != std::string::npos);
  Start resting = oscillating;
  resting.v[2] = 0.0;
  CHECK_THROWS_AS(predicted_rates(test_support::pendulum_cvt().system, make_method({"dla01"}),
                                  resting, 0.1, std::vector{0.0}),
                  RequestError);
  const auto chaotic = test_support::chaotic();
  CHECK_THROWS_AS(predicted_rates(chaotic.system, make_method({"dla01"}),
                                  {.q = chaotic.q, .v = chaotic.v}, 0.1),
                  RequestError);
}

TEST_CASE("Eigenvalues and vectors of small matrices") {
  // A rotation by 2 about (1, 2, 2)/3, stretched by 1.5, beside an eigenvalue of -0.25.
  const double w[] = {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}, c = std::cos(2.0), s = std::sin(2.0);
  const double cross[3][3] = {{0.0, -w[2], w[1]}, {w[2], 0.0, -w[0]}, {-w[1], w[0], 0.0}};
  std::vector<double> a(16, 0.0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      a[4 * i + j] = 1.5 * ((i == j ? c : 0.0) + s * cross[i][j] + (1.0 - c) * w[i] * w[j]);
  a[3] = 0.5;
  a[15] = -0.25;
  const SmallEigenvalues found = small_eigenvalues(a, 4);
  // Some ten steps of the iteration with four columns, by unitary matrices: numbers up to 1.5.
  constexpr double tolerance = test_support::round_off_of(40.0, 1.5);
  for (const std::complex<double> expected :
       {std::complex<double>(1.5, 0.0), std::polar(1.5, 2.0), std::polar(1.5, -2.0),
        std::complex<double>(-0.25, 0.0)}) {
    double nearest = 1.0;
    for (const auto& value : found.values)
      nearest = numeric::smaller(nearest, std::abs(value - expected));
    CHECK(nearest < tolerance);
  }
  for (std::size_t j = 0; j < 4; ++j) {
    for (std::size_t i = 0; i < 4; ++i) {
      std::complex<double> left = -found.values[j] * found.vectors[j][i];
      for (std::size_t k = 0; k < 4; ++k) left += a[4 * i + k] * found.vectors[j][k];
      CHECK(std::abs(left) < tolerance);
    }
  }
}
