#include "dalembert/measure/slope.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "support/round_off.hpp"

using namespace dalembert;

TEST_CASE("The slope of exact powers is the power, without uncertainty") {
  std::vector<double> errors;
  for (int k = 0; k < 6; ++k) errors.push_back(3.0 * std::pow(2.0, -4 * k));
  const OrderSeries series = fit_order(errors, 1e-15);
  CHECK(series.measured);
  CHECK(series.slope == doctest::Approx(4.0));
  CHECK(series.uncertainty < test_support::round_off_of(4.0, 20.0));  // of logarithms to base 2
  CHECK(judge_order(series, 4) == OrderVerdict::holds);
  CHECK(judge_order(series, 5) == OrderVerdict::broken);
  CHECK(judge_order(series, 3) == OrderVerdict::higher);
}

TEST_CASE("A plateau is left out of the fit, and what comes after it too") {
  const OrderSeries series = fit_order({1e-2, 2.5e-3, 6.25e-4, 1e-9, 5e-4, 1e-4}, 1e-8);
  CHECK(series.measured);
  CHECK(series.slope == doctest::Approx(2.0));
  CHECK(series.used == std::vector<bool>{true, true, true, false, false, false});
  CHECK_FALSE(fit_order({1e-2, 1e-3, 1e-12}, 1e-8).measured);
}

TEST_CASE("A fit that says nothing gives no verdict") {
  CHECK(judge_order(fit_order({1e-2, 1e-2, 1e-6, 1e-5}, 1e-15), 2) == OrderVerdict::not_measured);
}
