// The equations of systems on groups against those derived by hand.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/mechanics/system.hpp"
#include "support/round_off.hpp"

using namespace dalembert;

namespace {

/// Some ten operations on numbers up to 4, here and there.
constexpr double equation_tolerance = test_support::round_off_of(20.0, 4.0);

using Triple = std::array<double, 3>;
using Values = std::vector<double>;

Triple cross(const Triple& x, const Triple& y) {
  return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}

const Triple inertia{0.7, 1.1, 0.5};
const Values quaternion{0.1, -0.7, 0.5, 0.5};  // of length 1
const Values spin{0.4, -0.9, 1.3};

/// w.I w/2 - pull * R[3,3].
Mechanics top(const Symbols& s, double pull) {
  const Symbols::Element& body = s.element("R");
  Mechanics m;
  for (std::size_t i = 0; i < 3; ++i)
    m.kinetic = m.kinetic + Expr(inertia[i] / 2.0) * body.velocity[i] * body.velocity[i];
  m.potential = Expr(pull) * body.matrix(2, 2);
  return m;
}

System heavy_top(double pull) {
  return System::define({.name = "top", .coordinates = {{"R", false, "SO(3)"}}},
                        [pull](const Symbols& s) { return top(s, pull); });
}

/// The third row of the rotation: the vertical along the axes of the body.
Triple vertical(const Values& q) {
  return {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
          q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]};
}

/// I^-1 (I w x w + torque).
Triple euler(const Triple& w, const Triple& torque) {
  const Triple momentum{inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2]};
  Triple result = cross(momentum, w);
  for (std::size_t i = 0; i < 3; ++i) result[i] = (result[i] + torque[i]) / inertia[i];
  return result;
}

void check_near(std::span<const double> found, const Triple& wanted) {
  REQUIRE(found.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::fabs(found[i] - wanted[i]) < equation_tolerance);
}

const Triple w{0.4, -0.9, 1.3};

}  // namespace

TEST_CASE("A free rigid body follows Euler's equations") {
  Evaluator evaluator(heavy_top(0.0));
  check_near(evaluator.acceleration(0.0, quaternion, spin), euler(w, {0, 0, 0}));
}

TEST_CASE("A heavy top follows the equations of Euler and Poisson") {
  const double pull = 2.3;
  Evaluator evaluator(heavy_top(pull));
  Triple torque = cross(vertical(quaternion), {0, 0, 1});
  for (double& entry : torque) entry *= pull;
  check_near(evaluator.acceleration(0.0, quaternion, spin), euler(w, torque));
}

TEST_CASE("Energy, momentum and left derivatives of a top") {
  const double pull = 2.3;
  const System system = heavy_top(pull);
  const Symbols s = system.symbols();
  StateFunction<double> function(system, s,
                                 concatenate({system.momentum(s.q, s.v),
                                              system.lagrangian_gradient(s.q, s.v),
                                              {system.energy(s.q, s.v)}}));
  const std::span<const double> values = function(0.0, quaternion, spin);
  check_near(values.first(3), {inertia[0] * w[0], inertia[1] * w[1], inertia[2] * w[2]});
  Triple torque = cross(vertical(quaternion), {0, 0, 1});
  for (double& entry : torque) entry *= pull;
  check_near(values.subspan(3, 3), torque);
  double energy = pull * vertical(quaternion)[2];
  for (std::size_t i = 0; i < 3; ++i) energy += inertia[i] * w[i] * w[i] / 2;
  CHECK(std::fabs(values[6] - energy) < equation_tolerance);
}

TEST_CASE("Suslov's constraint keeps the velocity in its plane") {
  const System system = System::define(
      {.name = "suslov", .coordinates = {{"R", false, "SO(3)"}}}, [](const Symbols& s) {
        Mechanics m = top(s, 0.0);
        const Vector& v = s.element("R").velocity;
        m.kinetic = m.kinetic + Expr(0.2) * v[0] * v[2] - Expr(0.1) * v[1] * v[2];
        m.constraints = {v[2]};
        return m;
      });
  Evaluator evaluator(system);
  // (I w)' = I w x w + lambda e3 with w3 = 0 and (I w)_3 = 0.2 w1 - 0.1 w2.
  const double third = 0.2 * 0.4 + 0.1 * 0.9;
  const Values plane{0.4, -0.9, 0.0};
  check_near(evaluator.acceleration(0.0, quaternion, plane),
             {-third * plane[1] / inertia[0], third * plane[0] / inertia[1], 0.0});
}

TEST_CASE("On SE(2) a body coasts on a straight line whatever its axes do") {
  const System system = System::define(
      {.name = "puck", .coordinates = {{"B", false, "SE(2)"}}}, [](const Symbols& s) {
        Mechanics m;
        const Vector& v = s.element("B").velocity;
        m.kinetic = (Expr(0.5) * v[0] * v[0] + Expr(2.0) * (v[1] * v[1] + v[2] * v[2])) / 2.0;
        return m;
      });
  Evaluator evaluator(system);
  // v' = -w x v along the axes of the body.
  check_near(evaluator.acceleration(0.0, Values{0.3, 1.0, 2.0}, Values{0.7, 1.5, -0.4}),
             {0.0, -0.7 * 0.4, -0.7 * 1.5});
}

TEST_CASE("A screw on SE(3) keeps its momenta along the axes of space") {
  const System system = System::define(
      {.name = "screw", .coordinates = {{"B", false, "SE(3)"}}}, [](const Symbols& s) {
        Mechanics m;
        const Vector& v = s.element("B").velocity;
        for (std::size_t i = 0; i < 3; ++i) {
          const Expr along = v[3 + i];
          m.kinetic = m.kinetic + Expr(inertia[i] / 2.0) * v[i] * v[i] + along * along;
        }
        return m;
      });
  Evaluator evaluator(system);
  const Values q{0.1, -0.7, 0.5, 0.5, 1, 2, 3}, v{0.4, -0.9, 1.3, 0.2, 0.5, -0.6};
  const Values rate = evaluator.acceleration(0.0, q, v);
  const Triple turning = cross({v[3], v[4], v[5]}, w);
  check_near(std::span(rate).first(3), euler(w, {0, 0, 0}));
  check_near(std::span(rate).subspan(3), turning);
}

TEST_CASE("Systems on groups that make no sense are refused") {
  const auto define = [](const std::vector<Coordinate>& coordinates, auto equations) {
    return System::define({.name = "odd", .coordinates = coordinates}, equations);
  };
  const auto free = [](const Symbols& s) {
    Mechanics m;
    m.kinetic = dot(s.v, s.v) / 2.0;
    return m;
  };
  CHECK_THROWS_AS(define({{"R", false, "S0(3)"}}, free), RequestError);
  CHECK_THROWS_AS(define({{"R", false, "SO(3)"}, {"R_q0"}}, free), RequestError);
  CHECK_THROWS_AS(define({{"R", false, "SO(3)"}, {"R_dot"}}, free), RequestError);
  CHECK_THROWS_AS(define({{"R", false, "SO(3)"}},
                         [&](const Symbols& s) {
                           Mechanics m = free(s);
                           m.reversal = std::vector<double>{-1.0};
                           return m;
                         }),
                  RequestError);
  CHECK_THROWS_AS(define({{"R", false, "SO(3)"}},
                         [&](const Symbols& s) {
                           Mechanics m = free(s);
                           m.force = {Expr(1.0)};
                           return m;
                         }),
                  RequestError);
}

TEST_CASE("A start's quaternion is brought to length 1, or keeps its bits") {
  const System system = heavy_top(1.0);
  const Start rough = prepare_start(system, {.q = {0.1, -0.7, 0.5, 0.5000001}, .v = spin});
  double square = 0.0;
  for (const double entry : rough.q) square += entry * entry;
  // A quotient in each entry and seven operations here.
  CHECK(std::fabs(square - 1.0) < test_support::round_off_of(9.0));
  CHECK(prepare_start(system, {.q = rough.q, .v = spin}).q == rough.q);
  CHECK_THROWS_AS(prepare_start(system, {.q = {0.1, -0.7, 0.5, 0.51}, .v = spin}), RequestError);
  const Start far = prepare_start(system, {.q = {0, 0, 0, 2}, .v = spin, .project = true});
  CHECK(far.q == Values{0, 0, 0, 1});
}
