#include "dalembert/mechanics/system.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/mechanics/evaluator.hpp"
#include "support/small_systems.hpp"
#include "support/witness.hpp"

using namespace dalembert;

namespace {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

/// A particle in the plane with mass m and one constraint.
System particle(const Expr& (*choose)(const Symbols&), double least_mass) {
  return System::define({.name = "particle",
                         .coordinates = {{"x"}, {"y"}},
                         .parameters = {{.name = "m", .value = 1.0, .min = least_mass}}},
                        [choose](const Symbols& s) {
                          return Mechanics{
                              .kinetic = 0.5 * (s["m"] * square(s.v[0]) + square(s.v[1])),
                              .potential = choose(s),
                              .constraints = {s.q[1] * s.v[0] + s.q[0] * s.v[1]}};
                        });
}
const Expr& first_coordinate(const Symbols& s) { return s.q[0]; }

}  // namespace

TEST_CASE("The eliminated equations are those derived by hand for the transmission") {
  const auto small = test_support::pendulum_cvt();
  const std::vector<double> parameters{0.3}, q{0.7, -0.4, 0.9}, v{-0.2 * std::sin(0.9), 0.2, 1.1};
  Evaluator evaluator(small.system, parameters);
  // lambda = (x1 + x2 s - cos(xi) xi' x2') / (1 + s^2); x1'' = -x1 + lambda, x2'' = -x2 + s lambda,
  // xi'' = -W'.
  const double s = std::sin(q[2]), c = std::cos(q[2]);
  const double lambda = (q[0] + q[1] * s - c * v[2] * v[1]) / (1.0 + s * s);
  double measured = 0.0;
  evaluator.multiplier(0.0, q, v, {&measured, 1});
  CHECK(measured == doctest::Approx(lambda).epsilon(1e-14));
  const auto a = evaluator.acceleration(0.0, q, v);
  CHECK(a[0] == doctest::Approx(-q[0] + lambda).epsilon(1e-14));
  CHECK(a[1] == doctest::Approx(-q[1] + s * lambda).epsilon(1e-14));
  CHECK(a[2] == doctest::Approx(-s + 0.3 * std::cos(2.0 * q[2])).epsilon(1e-14));
}

TEST_CASE("The constraint stays constant along the eliminated equations") {
  for (const auto& witness :
       {test_support::witness_constant_mass(), test_support::witness_coupled_mass()}) {
    Evaluator evaluator(witness.system);
    const auto v = evaluator.projected_velocity(0.0, witness.q, witness.v);
    CHECK(evaluator.constraint_error(0.0, witness.q, v) < 1e-14);
    const auto a = evaluator.acceleration(0.0, witness.q, v);
    // A central difference along the motion: its error is of order step^2, here 1e-8.
    const double step = 1e-4;
    double change = 0.0;
    for (const double sign : {-1.0, 1.0}) {
      std::vector<double> q = witness.q, w = v;
      for (std::size_t i = 0; i < q.size(); ++i) {
        q[i] += sign * step * v[i] + 0.5 * step * step * a[i];
        w[i] += sign * step * a[i];
      }
      change += sign * evaluator.constraint(0.0, q, w)[0] / (2.0 * step);
    }
    CHECK(std::fabs(change) < 1e-6);
  }
}

TEST_CASE("Momentum and velocity are inverse to each other") {
  const auto witness = test_support::witness_coupled_mass();
  Evaluator evaluator(witness.system);
  const Symbols& s = witness.system.symbols();
  CompiledFunction momentum(witness.system.graph(),
                            concatenate({witness.system.parameter_symbols(), s.q, s.v}),
                            witness.system.momentum(s.q, s.v));
  std::vector<double> arguments(evaluator.parameters().begin(), evaluator.parameters().end());
  arguments.insert(arguments.end(), witness.q.begin(), witness.q.end());
  arguments.insert(arguments.end(), witness.v.begin(), witness.v.end());
  const auto v = evaluator.velocity_of_momentum(0.0, witness.q, momentum(arguments));
  for (std::size_t i = 0; i < v.size(); ++i)
    CHECK(v[i] == doctest::Approx(witness.v[i]).epsilon(1e-13));
}

TEST_CASE("The program finds out what kind of system it has") {
  CHECK(test_support::pendulum_cvt().system.traits().lagrangian == LagrangianKind::constant_mass);
  CHECK(test_support::pendulum_cvt().system.traits().constraints == ConstraintKind::linear);
  CHECK(test_support::witness_coupled_mass().system.traits().lagrangian ==
        LagrangianKind::configuration_mass);
  const auto kinds = [](const std::function<Expr(const Symbols&)>& constraint) {
    return System::define({.name = "s", .coordinates = {{"x"}, {"y"}}},
                          [&](const Symbols& s) {
                            return Mechanics{.kinetic = 0.5 * (square(s.v[0]) + square(s.v[1])),
                                             .constraints = {constraint(s)}};
                          })
        .traits();
  };
  CHECK(kinds([](const Symbols& s) { return s.v[0] + s.q[1]; }).constraints ==
        ConstraintKind::affine);
  CHECK(kinds([](const Symbols& s) { return square(s.v[0]) - s.v[1]; }).constraints ==
        ConstraintKind::nonlinear);
  CHECK(kinds([](const Symbols& s) { return s.v[0] + sin(s.t) * s.v[1]; }).time_dependent);
}

TEST_CASE("A system that makes no sense is refused with the reason") {
  const auto define = [](const std::function<Mechanics(const Symbols&)>& equations) {
    return message_of([&] {
      System::define({.name = "s", .coordinates = {{"x"}, {"y"}}}, equations);
    });
  };
  const auto kinetic = [](const Symbols& s) { return 0.5 * (square(s.v[0]) + square(s.v[1])); };
  CHECK(says(define([](const Symbols& s) { return Mechanics{.kinetic = square(s.v[0])}; }),
             "no kinetic energy in y_dot"));
  CHECK(says(define([&](const Symbols& s) {
               return Mechanics{.kinetic = kinetic(s), .constraints = {s.v[0] - s.v[0]}};
             }),
             "constraint 1 is identically zero"));
  CHECK(says(define([&](const Symbols& s) {
               return Mechanics{.kinetic = kinetic(s), .constraints = {s.q[0]}};
             }),
             "contains no velocity"));
  CHECK(says(message_of([&] {
               System::define({.name = "s", .coordinates = {{"x"}, {"x"}}},
                              [](const Symbols&) { return Mechanics{}; });
             }),
             "used twice"));
}

TEST_CASE("A start where the equations break is refused with what, where and by how much") {
  const System system = particle(first_coordinate, 0.0);
  Evaluator evaluator(system);
  const std::vector<double> on{1.0, 1.0}, at_origin{0.0, 0.0}, along{1.0, -1.0}, across{1.0, 1.0};
  CHECK(message_of([&] { evaluator.check_regular(0.0, on, along); }).empty());
  const std::string violated = message_of([&] { evaluator.check_regular(0.0, on, across); });
  CHECK(says(violated, "constraint 1"));
  CHECK(says(violated, "q = (1, 1)"));
  CHECK(says(violated, "violated by 2"));
  CHECK(says(message_of([&] { evaluator.check_regular(0.0, at_origin, along); }),
             "vanishes for every velocity"));
  Evaluator massless(system, std::vector<double>{0.0});
  CHECK(says(message_of([&] { massless.check_regular(0.0, on, along); }), "mass matrix"));
  CHECK(says(message_of([&] { Evaluator(system, std::vector<double>{-1.0}); }), "it must be >= 0"));
}
