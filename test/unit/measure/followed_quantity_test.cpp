#include "dalembert/measure/followed_quantity.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "support/round_off.hpp"
#include "support/small_systems.hpp"
#include "support/text_system.hpp"
#include "support/witness.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// A disk that rolls upright; directions (x, y, theta, phi). The field that turns the disk's axle
/// is a horizontal symmetry, and so is rolling straight on.
System rolling_disk(const std::string& potential = "0*x") {
  TextSystem text;
  text.name = "rolling-disk";
  text.coordinates = {"x", "y", "theta", "phi"};
  text.kinetic = "(x_dot^2 + y_dot^2 + 2*theta_dot^2 + 3*phi_dot^2)/2";
  text.potential = potential;
  text.constraints = {"x_dot - cos(theta)*phi_dot", "y_dot - sin(theta)*phi_dot"};
  return define(text);
}

Vector rolling(const Symbols& s) { return {cos(s.q[2]), sin(s.q[2]), 0.0, 1.0}; }

/// Particles on a turntable-like affine constraint: y_dot = rate x, with a symmetry that moves
/// along.
System dragged() {
  TextSystem text = particle_in_space("dragged");
  text.potential = "(x^2 + y^2)/2 + z^2 + (x^2 + y^2)*z";
  // In the frame that turns with rate 0.7 the velocity along (-y, x) + z is constrained to zero.
  text.constraints = {"-y*(x_dot + 0.7*y) + x*(y_dot - 0.7*x) + 0.5*(1 + x^2 + y^2)*z_dot"};
  return define(text);
}

Vector turning(const Symbols& s) { return {-0.7 * s.q[1], 0.7 * s.q[0], 0.0}; }

// At a state: sums of some ten products, of numbers of size one, and of accelerations that have as
// many. Along an exact motion: some hundred extrapolations of a few units of round-off
// each.
constexpr double few_roundings = round_off_of(8.0), at_state = round_off_of(90.0),
                 along_motion = round_off_of(900.0);
// What errors of a tenth in the multiplier or the acceleration do, times coefficients of size one.
constexpr double clearly_seen = 0.03;

}  // namespace

TEST_CASE("Momenta along horizontal symmetries are conserved, and the momentum equation holds") {
  const System disk = rolling_disk();
  FollowedQuantity momentum = FollowedQuantity::momentum(disk, rolling);
  ExactFlow<double> flow(disk);
  double t = 0.0;
  std::vector<double> q{0.2, -0.1, 0.6, 1.0}, v{0.9 * std::cos(0.6), 0.9 * std::sin(0.6), 0.8, 0.9};
  const double at_start = momentum(t, q, v).value;
  // J = m |x_dot| + 3 phi_dot with |x_dot| = phi_dot = 0.9.
  CHECK(at_start == doctest::Approx(4.0 * 0.9).epsilon(few_roundings));
  for (int k = 0; k < 20; ++k) {
    REQUIRE(flow.advance(t, q, v, 0.5));
    const auto now = momentum(t, q, v);
    CHECK(std::fabs(now.value - at_start) < along_motion);
    CHECK(std::fabs(now.rate) < at_state);
    CHECK(std::fabs(now.motion_rate) < at_state);
    CHECK(now.defect < few_roundings);
  }
}

TEST_CASE("Without symmetry the momentum equation still gives the rate, without multipliers") {
  const System disk = rolling_disk("x^2/2 + y^2*x - theta^2");
  FollowedQuantity momentum = FollowedQuantity::momentum(disk, rolling);
  const std::vector<double> q{0.2, -0.4, 0.6, 1.0},
      v{0.9 * std::cos(0.6), 0.9 * std::sin(0.6), 0.8, 0.9};
  const auto here = momentum(0.0, q, v);
  CHECK(std::fabs(here.rate) > 0.1);
  CHECK(std::fabs(here.rate - here.motion_rate) < at_state);
  // A field that is not horizontal: multipliers matter, and the defect says so.
  FollowedQuantity oblique = FollowedQuantity::momentum(disk, [](const Symbols&) {
    return Vector{1.0, 0.0, 0.0, 0.0};
  });
  const auto there = oblique(0.0, q, v);
  CHECK(there.defect == 1.0);
  CHECK(std::fabs(there.rate - there.motion_rate) > 0.05);
}

TEST_CASE("The moving energy is conserved where the energy is not") {
  const System system = dragged();
  FollowedQuantity moving = FollowedQuantity::moving_energy(system, turning);
  Evaluator evaluator(system);
  ExactFlow<double> flow(system);
  double t = 0.0;
  std::vector<double> q{0.5, 0.3, -0.2}, v{0.4, -0.6, 0.5};
  v = evaluator.projected_velocity(t, q, v);
  const double at_start = moving(t, q, v).value, energy = evaluator.energy(t, q, v);
  double change = 0.0;
  for (int k = 0; k < 20; ++k) {
    REQUIRE(flow.advance(t, q, v, 0.25));
    const auto now = moving(t, q, v);
    CHECK(std::fabs(now.value - at_start) < along_motion);
    CHECK(std::fabs(now.rate) < at_state);
    CHECK(std::fabs(now.motion_rate) < 5.0 * at_state);  // of forces and velocities up to 5
    CHECK(now.defect < few_roundings);
    change = numeric::larger(change, std::fabs(evaluator.energy(t, q, v) - energy));
  }
  CHECK(change > 0.1);  // the energy itself is of size one
}

TEST_CASE("Any expression, with its rate along the motion") {
  const System disk = rolling_disk("x^2/2");
  FollowedQuantity energy = FollowedQuantity::of(
      disk, [&](const Symbols& s) { return disk.energy(s.q, s.v) + s.t * s.q[2]; });
  const std::vector<double> q{0.2, -0.4, 0.6, 1.0},
      v{0.9 * std::cos(0.6), 0.9 * std::sin(0.6), 0.8, 0.9};
  const auto here = energy(2.0, q, v);
  CHECK(here.motion_rate == doctest::Approx(0.6 + 2.0 * 0.8).epsilon(at_state));
  CHECK_THROWS_AS(FollowedQuantity::momentum(disk, [](const Symbols&) { return Vector{1.0}; }),
                  RequestError);
}

TEST_CASE("The residual of the motion vanishes on solutions and shows a wrong force") {
  for (const auto& witness :
       {test_support::witness_coupled_mass(), test_support::witness_two_constraints(),
        test_support::witness_general()}) {
    Evaluator evaluator(witness.system);
    MotionResidual residual(witness.system);
    const std::vector<double> v = evaluator.projected_velocity(0.0, witness.q, witness.v);
    std::vector<double> a = evaluator.acceleration(0.0, witness.q, v),
                        lambda(witness.system.constraint_count());
    evaluator.multiplier(0.0, witness.q, v, lambda);
    const auto exact = residual(0.0, witness.q, v, a, lambda);
    CHECK(exact.force < at_state);
    CHECK(exact.constraint < few_roundings);
    CHECK(exact.constraint_rate < at_state);
    lambda[0] += 0.1;
    CHECK(residual(0.0, witness.q, v, a, lambda).force > clearly_seen);
    a[0] += 0.1;
    CHECK(residual(0.0, witness.q, v, a, lambda).constraint_rate > clearly_seen);
  }
}

TEST_CASE(
    "The constraints' rate vanishes for the exact multiplier and shows the error of another") {
  for (const auto& witness :
       {test_support::witness_coupled_mass(), test_support::witness_two_constraints(),
        test_support::witness_general()}) {
    const System& system = witness.system;
    Evaluator evaluator(system);
    ConstraintRate rate(system);
    const std::vector<double> v = evaluator.projected_velocity(0.0, witness.q, witness.v);
    std::vector<double> lambda(system.constraint_count());
    evaluator.multiplier(0.0, witness.q, v, lambda);
    CHECK(rate(0.0, witness.q, v, lambda) < at_state);
    lambda[0] += 0.1;
    const double once = rate(0.0, witness.q, v, lambda);
    lambda[0] += 0.1;
    CHECK(once > clearly_seen);
    CHECK(rate(0.0, witness.q, v, lambda) == doctest::Approx(2.0 * once).epsilon(at_state));
  }
  CHECK_THROWS_AS(ConstraintRate(test_support::witness_free().system), RequestError);
}

TEST_CASE("Differences of samples are exact for polynomials up to their order") {
  for (const int order : {2, 4, 6, 8}) {
    std::vector<double> y;
    for (int k = 0; k <= 12; ++k) y.push_back(std::pow(0.25 * k - 1.0, order));
    const std::vector<double> rates = sampled_rate(y, 0.25, order);
    CHECK(rates.size() == 13 - static_cast<std::size_t>(order));
    // Up to eight differences of powers of numbers up to 2, divided by 0.25.
    const double tolerance = round_off_of(8.0, std::pow(2.0, order) / 0.25);
    for (std::size_t k = 0; k < rates.size(); ++k) {
      const double t = 0.25 * (static_cast<double>(k) + order / 2.0) - 1.0;
      CHECK(std::fabs(rates[k] - order * std::pow(t, order - 1)) < tolerance);
    }
  }
  CHECK_THROWS_AS(sampled_rate(std::vector<double>(20), 0.1, 5), RequestError);
  CHECK_THROWS_AS(sampled_rate(std::vector<double>(8), 0.1, 8), RequestError);
}

TEST_CASE("Accelerations from samples of a run reproduce the equations of motion") {
  const auto cvt = test_support::pendulum_cvt();
  ExactFlow<double> flow(cvt.system);
  Evaluator evaluator(cvt.system);
  MotionResidual residual(cvt.system);
  double t = 0.0;
  std::vector<double> q = cvt.q, v = cvt.v, middle_q, middle_v;
  std::vector<std::vector<double>> samples(3);
  for (int k = 0; k < 9; ++k) {
    for (std::size_t i = 0; i < 3; ++i) samples[i].push_back(v[i]);
    if (k == 4) {
      middle_q = q;
      middle_v = v;
    }
    REQUIRE(flow.advance(t, q, v, 0.005));
  }
  std::vector<double> a, lambda(1);
  for (const auto& component : samples) a.push_back(sampled_rate(component, 0.005).front());
  evaluator.multiplier(0.0, middle_q, middle_v, lambda);
  const auto here = residual(0.0, middle_q, middle_v, a, lambda);
  // Order 8: the ninth derivative of the velocities is 1e8 here, so 0.005^8/630 times it is 6e-14;
  // round-off is 2e-16/0.005.
  CHECK(here.force < 5e-13);
  CHECK(here.constraint_rate < 5e-13);
}

TEST_CASE("Momenta of fields on groups go by velocities in the body frame") {
  const System top = System::define(
      {.name = "top", .coordinates = {{"R", false, "SO(3)"}, {"x"}}}, [](const Symbols& s) {
        const Symbols::Element& body = s.element("R");
        const Vector& w = body.velocity;
        const Expr rate = s.element("x").velocity[0];
        Mechanics m;
        m.kinetic = (Expr(0.7) * w[0] * w[0] + Expr(1.1) * w[1] * w[1] + Expr(0.5) * w[2] * w[2] +
                     rate * rate * (Expr(2.0) + body.matrix(0, 0))) /
                    2.0;
        m.potential = Expr(1.3) * body.matrix(2, 2);
        return m;
      });
  const std::vector<double> q{0.1, -0.7, 0.5, 0.5, 0.3}, v{0.4, -0.9, 1.3, 0.6};
  // Any field at all: there are no constraints.
  const VectorField field = [](const Symbols& s) {
    const Symbols::Element& body = s.element("R");
    const Expr first = body.matrix(1, 2) * s.element("x").variables[0];
    return Vector{first, body.matrix(0, 1), 0.4, sin(body.matrix(2, 0))};
  };
  const auto momentum = FollowedQuantity::momentum(top, field)(0.0, q, v);
  CHECK(std::fabs(momentum.rate - momentum.motion_rate) < at_state);
  CHECK(std::fabs(momentum.rate) > 0.1);
  const auto energy = FollowedQuantity::moving_energy(top, field)(0.0, q, v);
  CHECK(std::fabs(energy.rate - energy.motion_rate) < at_state);
  CHECK(std::fabs(energy.rate) > 0.1);
}

TEST_CASE("The rate of constraints on groups vanishes for the exact multiplier alone") {
  const System body = System::define(
      {.name = "veselova", .coordinates = {{"R", false, "SO(3)"}}}, [](const Symbols& s) {
        const Symbols::Element& element = s.element("R");
        const Vector& w = element.velocity;
        Mechanics m;
        m.kinetic =
            (Expr(0.7) * w[0] * w[0] + Expr(1.1) * w[1] * w[1] + Expr(0.5) * w[2] * w[2]) / 2.0;
        m.constraints = {dot(element.matrix.row(2), w)};
        return m;
      });
  Evaluator evaluator(body);
  const std::vector<double> q{0.1, -0.7, 0.5, 0.5};
  const std::vector<double> v =
      evaluator.projected_velocity(0.0, q, std::vector<double>{0.4, -0.9, 1.3});
  std::vector<double> lambda(1);
  evaluator.multiplier(0.0, q, v, lambda);
  ConstraintRate rate(body);
  CHECK(std::fabs(rate(0.0, q, v, lambda)) < at_state);
  lambda[0] += 1.0;
  CHECK(std::fabs(rate(0.0, q, v, lambda)) > 0.1);
}
