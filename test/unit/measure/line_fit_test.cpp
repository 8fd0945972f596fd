#include "dalembert/measure/line_fit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "dalembert/error.hpp"
#include "support/round_off.hpp"

using namespace dalembert;

namespace {

/// Means, sums of squares and their quotient, of three or four points: ten operations on numbers up
/// to 7, which Approx compares with 1 and their size.
constexpr double fit_error = test_support::round_off_of(9.0);

}  // namespace

TEST_CASE("points on a line give the line without error") {
  const std::vector<double> x{1, 2, 4}, y{1, 3, 7};
  const LineFit line = fit_line(x, y);
  CHECK(line.slope == doctest::Approx(2.0).epsilon(fit_error));
  CHECK(line.value_at_zero() == doctest::Approx(-1.0).epsilon(fit_error));
  CHECK(line.at(4.0) == doctest::Approx(7.0).epsilon(fit_error));
  CHECK(line.slope_error < fit_error);
}

TEST_CASE("slope and standard error of three points by hand") {
  // Residuals of y = 1, 0, 1 about their mean line y = 2/3: 1/3, -2/3, 1/3; their sum of squares
  // is 2/3, with one degree of freedom; the sum of squares of x - 1 is 2.
  const LineFit line = fit_line(std::vector<double>{0, 1, 2}, std::vector<double>{1, 0, 1});
  CHECK(line.slope == 0.0);
  CHECK(line.mean_y == doctest::Approx(2.0 / 3.0).epsilon(fit_error));
  CHECK(line.slope_error == doctest::Approx(std::sqrt(1.0 / 3.0)).epsilon(fit_error));
}

TEST_CASE("a whole weight counts as repeated points") {
  const LineFit weighted = fit_line(std::vector<double>{0, 1, 3}, std::vector<double>{1, 0, 2},
                                    std::vector<double>{1, 2, 1}),
                repeated =
                    fit_line(std::vector<double>{0, 1, 1, 3}, std::vector<double>{1, 0, 0, 2});
  CHECK(weighted.slope == doctest::Approx(repeated.slope).epsilon(fit_error));
  CHECK(weighted.mean_x == doctest::Approx(repeated.mean_x).epsilon(fit_error));
}

TEST_CASE("two points have no standard error, one point no line") {
  CHECK(std::isnan(fit_line(std::vector<double>{0, 1}, std::vector<double>{0, 1}).slope_error));
  CHECK_THROWS_AS(fit_line(std::vector<double>{0}, std::vector<double>{0}), RequestError);
  CHECK_THROWS_AS(fit_line(std::vector<double>{0, 1}, std::vector<double>{0}), RequestError);
}
