// Modified fields against series that are known in closed form.

#include "dalembert/audit/modified_field.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "study/extended.hpp"
#include "support/group_systems.hpp"
#include "support/round_off.hpp"
#include "support/small_systems.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;
using Extended = study::Extended;

namespace {

/// x'' = -x.
System unit_oscillator() {
  TextSystem text{"oscillator", {"x"}, "x_dot^2/2", "x^2/2"};
  return test_support::define(text);
}

/// f_2 of dla01 on the transmission at (q, v) on the constraint, in (q, v). The driver's part is
/// that of Verlet's method in the position form; that of the passengers comes from the series of
/// the step and of the exact flow in h up to h^3, with k = (cos alpha, sin alpha) and n the unit
/// vectors along the kernel and across it, u = x.k, w = x.n, v = s k.
std::vector<double> second_order_field(double epsilon, const std::vector<double>& q, double s,
                                       double eta) {
  const double xi = q[2], sine = std::sin(xi), cosine = std::cos(xi), length = 1.0 + sine * sine;
  const double w1 = sine - epsilon * std::cos(2.0 * xi),
               w2 = cosine + 2.0 * epsilon * std::sin(2.0 * xi),
               w3 = -sine + 4.0 * epsilon * std::cos(2.0 * xi);
  const double a1 = cosine / length,
               a2 = -sine / length - 2.0 * sine * cosine * cosine / (length * length);
  const double k[] = {-sine / std::sqrt(length), 1.0 / std::sqrt(length)}, n[] = {-k[1], k[0]};
  const double u = q[0] * k[0] + q[1] * k[1], w = q[0] * n[0] + q[1] * n[1];
  const double along = -a1 * eta * w / 12.0 - s * (a1 * a1 * eta * eta + 1.0) / 12.0;
  const double across = -a1 * eta * u / 6.0 + s * (a2 * eta * eta - w1 * a1) / 12.0;
  const double speed = s * (a1 * a2 * eta * eta * eta / 8.0 - w1 * a1 * a1 * eta / 4.0) -
                       u * (1.0 + a1 * a1 * eta * eta) / 6.0 +
                       w * (a2 * eta * eta - 4.0 * w1 * a1) / 24.0;
  const double driver = -eta * w2 / 12.0, push = (eta * eta * w3 - 4.0 * w1 * w2) / 24.0;
  std::vector<double> field(6);
  for (int i = 0; i < 2; ++i) {
    field[i] = along * k[i] + across * n[i];
    field[3 + i] = speed * k[i] + s * a1 * driver * n[i];  // k turns with the driver
  }
  field[2] = driver;
  field[5] = push;
  return field;
}

}  // namespace

TEST_CASE("The modified field of dla01 is that of its series, in 113 bits") {
  const double epsilon = 0.5, s = 0.75, eta = 1.375;
  const std::vector<double> q{0.5, -1.25, 0.625};
  const double sine = std::sin(q[2]), length = std::sqrt(1.0 + sine * sine);
  const auto cvt = test_support::pendulum_cvt();
  const Start state{.q = q, .v = {-s * sine / length, s / length, eta}};
  const std::vector<double> expected = second_order_field(epsilon, q, s, eta);
  const auto error_of = [&](const MethodSpec& method) {
    const auto found = modified_field<Extended>(cvt.system, make_method(method), state,
                                                Extended(0.0625), {}, std::vector{epsilon});
    REQUIRE(found.failure.empty());
    REQUIRE(found.powers == std::vector{2, 4});
    // Eight steps of 2^-9 to 2^-8: round-off of 113 bits over h^3, 1e-26, which the extrapolation
    // in h^2 to zero enlarges cosh(7 arcosh(5/3)) = 1e3 times; the next loses h^2 = 1e-5 more.
    CHECK(found.coefficient_errors[0] < 1e-21);
    CHECK(found.coefficient_errors[1] < 1e-16);
    double largest = 0.0;
    for (std::size_t i = 0; i < 6; ++i)
      largest = numeric::larger(
          largest, std::fabs(static_cast<double>(found.coefficients[0][i]) - expected[i]));
    return largest;
  };
  CHECK(error_of({"dla01"}) < 1e-15);  // round-off of the formula in double
  // Another method of the same order and the same driver's energy has another field.
  CHECK(error_of({"newmark"}) > 0.01);
}

TEST_CASE("Double gives the modified field to what round-off leaves") {
  const auto cvt = test_support::pendulum_cvt();
  const Start state{.q = {0.5, -1.25, 0.625}, .v = {0.0, 0.0, 1.375}};
  const auto wide =
      modified_field<Extended>(cvt.system, make_method({"spark"}), state, Extended(0.125));
  const auto narrow =
      modified_field<double>(cvt.system, make_method({"spark"}), state, 0.125, {.terms = 1});
  REQUIRE(wide.powers.front() == 4);
  // Ten roundings of a step, over h. For the coefficient 2^-53 over h^5 with three steps of 2^-6 to
  // 2^-5 is 1e-7; the extrapolation enlarges it five times.
  constexpr double field_error = round_off_of(10.0) / 0.125, coefficient_error = 1e-6;
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(narrow.modified[i] ==
          doctest::Approx(static_cast<double>(wide.modified[i])).epsilon(field_error));
    const double coefficient = static_cast<double>(wide.coefficients[0][i]);
    CHECK(std::fabs(narrow.coefficients[0][i] - coefficient) < coefficient_error);
  }
}

TEST_CASE("At a working step the field is the logarithm of the map within the stated error") {
  // The midpoint rule turns the oscillator by 2 atan(h/2) in a step.
  const double h = 0.5, angle = 2.0 * std::atan(h / 2.0) / h;
  const Start state{.q = {1.0}, .v = {0.25}};
  const auto found = modified_field<double>(unit_oscillator(),
                                            make_method({"gauss", {{"stages", 1.0}}}), state, h);
  // The series ends at round-off, that of a few steps over h; the closed form has five operations.
  const double few = round_off_of(5.0);
  CHECK(found.error < few / h);
  CHECK(std::fabs(found.modified[0] - 0.25 * angle) < 4.0 * found.error + few);
  CHECK(std::fabs(found.modified[1] + angle) < 4.0 * found.error + few);
  // With few terms the error is seen, and is about the one that is stated.
  const auto rough = modified_field<double>(
      unit_oscillator(), make_method({"gauss", {{"stages", 1.0}}}), state, h, {.half_width = 3});
  const double true_error = std::fabs(rough.modified[1] + angle);
  CHECK(true_error < rough.error);
  CHECK(true_error > 0.01 * rough.error);
}

TEST_CASE("Methods that are not symmetric go back by their adjoint") {
  // log(1 + z + z^2/2 + z^3/6 + z^4/24) = z - z^5/120 + z^6/144 - ... for z = h J.
  const Start state{.q = {1.0}, .v = {0.25}};
  const auto found = modified_field<Extended>(unit_oscillator(), make_method({"runge-kutta-4"}),
                                              state, Extended(0.0625));
  REQUIRE(found.powers == std::vector{4, 5});
  const double expected[2][2] = {{-0.25 / 120.0, 1.0 / 120.0}, {-1.0 / 144.0, -0.25 / 144.0}};
  // Without symmetry it goes by powers of h: twelve steps of 2^-9 to 2^-8, with round-off over h^5,
  // 4e-21, which the extrapolation enlarges cosh(11 arcosh 3) = 1e8 times; the next loses h more.
  const double bounds[] = {1e-12, 1e-9};
  for (int term = 0; term < 2; ++term) {
    CHECK(found.coefficient_errors[term] < bounds[term]);
    for (int i = 0; i < 2; ++i)
      CHECK(std::fabs(static_cast<double>(found.coefficients[term][i]) - expected[term][i]) <
            4.0 * found.coefficient_errors[term]);
  }
}

TEST_CASE("Two steps are taken where one is not near the identity") {
  const auto cvt = test_support::pendulum_cvt();
  CHECK(steps_near_identity(cvt.system, make_method({"dla01"})) == 1);
  CHECK(steps_near_identity(cvt.system, make_method({"leapfrog"})) == 2);
  // Without constraints there is no multiplier that could change its sign.
  CHECK(steps_near_identity(define(particle_in_plane("free")), make_method({"leapfrog"})) == 1);
  CHECK(steps_near_identity(cvt.system, make_method({"discrete-derivative"})) == 2);
  // An error of the multiplier changes its sign in a step, and the field does not see it.
  const Start state{.q = {0.5, -1.25, 0.625}, .v = {0.0, 0.0, 1.375}};
  const auto found =
      modified_field<Extended>(cvt.system, make_method({"leapfrog"}), state, Extended(0.0625));
  CHECK(found.error < 1e-4);
  CHECK(found.coefficient_errors[0] < 1e-21);  // as for dla01 above
}

TEST_CASE("What has no modified field is refused with the reason") {
  const auto cvt = test_support::pendulum_cvt();
  const Start state{.q = cvt.q, .v = cvt.v};
  const auto refusal = [&](const System& system, const MethodSpec& method, const Start& start) {
    try {
      modified_field<double>(system, make_method(method), start, 0.1);
    } catch (const RequestError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal(cvt.system, {"fehlberg-78"}, state).find("chooses its steps") != std::string::npos);
  CHECK(refusal(cvt.system, {"lobatto", {{"multiplier", std::string("exact")}}}, state) == "");
}
