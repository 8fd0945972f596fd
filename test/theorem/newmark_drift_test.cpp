// Why the composition of Newmark drifts so little: the rate of its energy along the exact motion,
// in closed form. Proposition of doc/open-problems.md.

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "dalembert/audit/rates/averaged_rates.hpp"
#include "dalembert/audit/rates/predicted_rates.hpp"
#include "dalembert/measure/latitude.hpp"
#include "dalembert/method/library.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;

namespace {

/// Twice the means over a turn of dE/dt/h^2 along the axis, with |z| = 1.
struct Means {
  double composition = 0.0, newmark = 0.0;
};
Means means_along_the_axis(double epsilon) {
  const auto cvt = test_support::pendulum_cvt();
  const std::vector<double> parameters{epsilon};
  Latitude latitude(cvt.system, parameters);
  const double speed = std::sqrt(8.0);
  const auto axis = latitude.axis(0.0, speed);
  StepMap<double> flow(cvt.system, make_method({"gauss", {{"stages", 8.0}}}), parameters);
  const std::vector<double> q{axis.direction[0], axis.direction[1], 0.0},
      v{0.0, axis.direction[2], speed};
  BasicPoint<double> point = flow.start(q, v);
  constexpr std::uint64_t points = 240;  // means of periodic functions converge exponentially
  const double h = axis.period / static_cast<double>(points);
  Means means;
  for (std::uint64_t k = 0; k < points; ++k) {
    const double xi = point.q[2], eta = point.v[2];
    // The kernel k = (cos a, sin a) with a(xi) from k = (-sin xi, 1)/|..|, and n = dk/da.
    const double sine = std::sin(xi), cosine = std::cos(xi), length = std::sqrt(1.0 + sine * sine);
    const double kernel[] = {-sine / length, 1.0 / length}, normal[] = {-kernel[1], kernel[0]};
    const double slope = cosine / (length * length);
    const double bend =
        -sine / (length * length) - 2.0 * cosine * cosine * sine / std::pow(length, 4);
    const double force = std::sin(xi) - epsilon * std::cos(2.0 * xi);  // W'
    const double turning = slope * eta, turning_rate = bend * eta * eta - slope * force;
    const double s = point.v[0] * kernel[0] + point.v[1] * kernel[1];
    const double across = point.q[0] * normal[0] + point.q[1] * normal[1];
    means.composition += s * s * turning * turning_rate / 8.0;
    means.newmark -= slope * force * s * (s * slope * eta + across) / 4.0;
    REQUIRE(flow.apply(point, h));
  }
  means.composition /= static_cast<double>(points);
  means.newmark /= static_cast<double>(points);
  return means;
}

AveragedRates rates_of_turns(const MethodSpec& method, double epsilon) {
  const Start rotating{.q = {1.0, 1.0, 0.0}, .v = {0.0, 0.0, std::sqrt(8.0)}};
  return averaged_rates<double>(test_support::pendulum_cvt().system, make_method(method), rotating,
                                std::vector{epsilon});
}
double axis_rate(const char* method, double epsilon) {
  return rates_of_turns({method}, epsilon).axis;
}

}  // namespace

TEST_CASE("The drift of Newmark's methods is a mean over a turn of the exact motion") {
  for (const double epsilon : {0.1, 0.5}) {
    CAPTURE(epsilon);
    const Means means = means_along_the_axis(epsilon);
    // Coefficients of a modified field in double, 1e-8.
    CHECK(axis_rate("newmark-composition", epsilon) ==
          doctest::Approx(means.composition).epsilon(1e-5));
    for (const char* name : {"newmark", "dla01", "dla"}) {
      CAPTURE(name);
      CHECK(axis_rate(name, epsilon) == doctest::Approx(means.newmark).epsilon(1e-5));
    }
  }
  // As measured in another program, in wide numbers.
  const Means half = means_along_the_axis(0.5);
  CHECK(half.composition == doctest::Approx(8.5159e-4).epsilon(1e-4));
  CHECK(half.newmark == doctest::Approx(1.84259e-2).epsilon(1e-5));
}

TEST_CASE("The bisector keeps the sum of the rates, and drifts") {
  const AveragedRates rates =
      rates_of_turns({"newmark", {{"constraint", std::string("bisector")}}}, 0.5);
  // A pair is two modes, and the volume their product: axis + 2 pair = 0 in energies.
  CHECK(rates.pair == doctest::Approx(-0.5 * rates.axis).epsilon(1e-5));
  // As measured in another program.
  CHECK(rates.axis == doctest::Approx(3.41e-3).epsilon(2e-3));
}
