// The discrete gradients on D* that are written out are those of the definition.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/mechanics/difference/discrete_gradient.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/frame.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/run/integrate.hpp"

using namespace dalembert;

namespace {

/// A sleigh whose inertia changes with its place and heading, on a slope.
System sleigh(Expr (*inertia)(const Expr&)) {
  SystemDescription description{.name = "uneven-sleigh",
                                .coordinates = {{"x"}, {"y"}, {"heading", true}}};
  return System::define(description, [inertia](const Symbols& s) {
    const Expr &x = s.q[0], &heading = s.q[2];
    Mechanics m;
    m.kinetic = (square(s.v[0]) + square(s.v[1]) +
                 (2.0 + sin(heading)) * square(s.v[2]) / (1.0 + square(x))) /
                    2.0 +
                inertia(x) * square(s.v[0] + 0.3 * s.v[2]);
    m.potential = 0.2 * x + cos(heading) + square(s.q[1]) / 4.0;
    m.constraints = {s.v[1] - sin(heading) * s.v[0] - x * s.v[2]};
    m.frame = {{1.0, sin(heading), 0.0}, {0.0, x, 1.0}};
    return m;
  });
}

Expr rational(const Expr& x) { return 1.0 / (3.0 + square(x)); }
Expr power_of(const Expr& x) { return pow(4.0 + square(x), 0.3); }

/// zeta1 - zeta0 = h Pi(middle) g, with the discrete gradient of any function.
Method by_definition(GradientKind kind, FrameKind frame) {
  return Method(MethodDefinition{
      .name = "by-definition",
      .facts = Facts{.order = 2},
      .requirements = Requirements{.lagrangian = LagrangianKind::configuration_mass,
                                   .constraints = ConstraintKind::linear},
      .equations = [=](const System& s, const State& a, Unknowns& u, const Expr& h) -> Equations {
        const Frame x(s, frame, a.q);
        Vector variables;
        for (const char* name : {"q1", "q2", "q3", "rho1", "rho2"})
          variables.push_back(make_symbol(h.graph(), name));
        const Vector q = slice(variables, 0, 3), rho = slice(variables, 3, 2);
        const Expr energy = 0.5 * dot(rho, x.components_of_momentum(q, rho)) + s.potential(q);
        const Vector p0 = s.mass(a.q) * a.v;
        const Vector before = concatenate({a.q, transpose(x.at(a.q)) * p0});
        const Vector zeta = u.vector("zeta", before), middle = before + 0.5 * (zeta - before);
        const Vector g = discrete_gradient(kind, energy, variables, before, zeta);
        const auto velocity = [&](const Vector& at) {
          const Vector place = slice(at, 0, 3);
          return x.at(place) * x.components_of_momentum(place, slice(at, 3, 2));
        };
        const Vector qm = slice(middle, 0, 3), pm = s.mass(qm) * velocity(middle);
        const Vector slope = slice(g, 0, 3), y = slice(g, 3, 2);
        const Vector turning = x.bracket(qm, pm, 0.0) * y, force = transpose(x.at(qm)) * slope;
        const Vector rate = concatenate({x.at(qm) * y, turning - force});
        return {.zero = (zeta - before) - h * rate,
                .constraint = {},
                .after = {slice(zeta, 0, 3), velocity(zeta)}};
      }});
}

/// A state that the constraint allows.
Point start_of(const Stepper& stepper) {
  const std::vector<double> q{0.4, -0.3, 0.7};
  const double vx = 0.6, turning = -0.9;
  return stepper.make_point(q, std::vector{vx, std::sin(q[2]) * vx + q[0] * turning, turning});
}

Point after(const System& system, const Method& method, double h, std::uint64_t steps) {
  Stepper stepper(StepProgram::compile(system, method), h);
  Point point = start_of(stepper);
  CHECK(stepper.advance(point, 0.0, 0, steps).steps == steps);
  return point;
}

}  // namespace

TEST_CASE("Discrete gradients on D* are those of the definition, in every frame") {
  for (const auto inertia : {&rational, &power_of}) {
    const System system = sleigh(inertia);
    for (const GradientKind kind : {GradientKind::gonzalez, GradientKind::mean_value}) {
      for (const FrameKind frame : {FrameKind::qr, FrameKind::given, FrameKind::adapted}) {
        const Point ours =
                        after(system, ReducedGradient{.gradient = kind, .frame = frame}, 0.1, 20),
                    wanted = after(system, by_definition(kind, frame), 0.1, 20);
        // Round-off of twenty steps with numbers of size one.
        for (std::size_t i = 0; i < 3; ++i) {
          CHECK(std::fabs(ours.q[i] - wanted.q[i]) < 1e-13);
          CHECK(std::fabs(ours.v[i] - wanted.v[i]) < 1e-13);
        }
      }
    }
  }
}

TEST_CASE("The energy is kept to round-off by steps of any size, also where nothing moves") {
  for (const auto inertia : {&rational, &power_of}) {
    const System system = sleigh(inertia);
    for (const FrameKind frame : {FrameKind::qr, FrameKind::given}) {
      for (const double h : {0.2, 1e-3, 1e-7}) {
        const auto program = StepProgram::compile(system, ReducedGradient{.frame = frame});
        Stepper stepper(program, h);
        Evaluator evaluator(system);
        for (const double speed : {1.0, 0.0}) {
          Point point = start_of(stepper);
          for (double& v : point.v) v *= speed;
          const double energy = evaluator.energy(0.0, point.q, point.v);
          CAPTURE(h);
          CAPTURE(speed);
          REQUIRE(stepper.advance(point, 0.0, 0, 300).steps == 300);
          // Twice a random walk of round-off of the largest term: downhill it becomes sixty.
          const double size = 2.0 + std::fabs(0.2 * point.q[0]);
          CHECK(std::fabs(evaluator.energy(0.0, point.q, point.v) - energy) <
                2.0 * std::sqrt(300.0) * 0x1p-52 * size);
        }
      }
    }
  }
}
