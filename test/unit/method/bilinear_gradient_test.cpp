// The discrete gradient in the components of the velocity, and Broyden's method that finds them.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/frame.hpp"
#include "dalembert/method/energy/gradient_methods.hpp"
#include "dalembert/step/stepper.hpp"
#include "support/batch_support.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

const ReducedGradient bilinear{.gradient = GradientKind::bilinear};

/// A sleigh whose inertia changes with its place and heading, in a bowl.
System uneven_sleigh() {
  TextSystem text;
  text.name = "uneven-sleigh";
  text.coordinates = {"x", "y", "heading"};
  text.kinetic =
      "(x_dot^2 + y_dot^2 + (2 + sin(heading))*heading_dot^2/(1 + x^2))/2 + "
      "(x_dot + 0.3*heading_dot)^2/(3 + x^2)";
  text.potential = "x^2/4 + cos(heading) + y^2/4";
  text.constraints = {"y_dot - sin(heading)*x_dot - x*heading_dot"};
  return define(text);
}

const std::vector<double> start_q{0.3, -0.2, 0.5};
/// With y_dot from the constraint.
std::vector<double> start_v() { return {0.8, std::sin(0.5) * 0.8 + 0.3 * 0.6, 0.6}; }

/// The step by its definition, for all of (q, y), with the metric G of the frame and its bracket:
/// dH/drho = ym and dH/dq = dV - d(y0.G y1)/2, corrected along ym in the metric.
Method by_definition(FrameKind kind) {
  return Method(MethodDefinition{
      .name = "by-definition",
      .facts = Facts{.order = 2},
      .requirements = Requirements{.lagrangian = LagrangianKind::configuration_mass,
                                   .constraints = ConstraintKind::linear},
      .equations = [=](const System& s, const State& a, Unknowns& u, const Expr& h) -> Equations {
        const Frame frame(s, kind, a.q);
        const std::size_t n = s.dof(), k = frame.size();
        Vector q;
        for (std::size_t i = 0; i < n; ++i)
          q.push_back(make_symbol(h.graph(), "at_" + std::to_string(i)));
        const Vector y0 = frame.components(a.q, a.v);
        const Vector zeta = u.vector("zeta", concatenate({a.q, y0}));
        const Vector q1 = slice(zeta, 0, n), y1 = slice(zeta, n, k), ym = 0.5 * (y0 + y1),
                     qm = 0.5 * (a.q + q1);
        Vector held;
        for (std::size_t i = 0; i < 2 * k; ++i)
          held.push_back(make_symbol(h.graph(), "held_" + std::to_string(i)));
        const Vector crossed = frame.metric(q) * slice(held, k, k);
        const Expr cross = 0.5 * dot(slice(held, 0, k), crossed);
        const Vector values = concatenate({qm, y0, y1});
        const Vector by_metric = substitute(gradient(cross, q), concatenate({q, held}), values);
        const Vector by_place = substitute(gradient(s.potential(q), q), q, qm);
        const Vector pm = s.mass(qm) * (frame.at(qm) * ym);
        const Vector turning = frame.bracket(qm, pm, 0.0) * ym,
                     slope = transpose(frame.at(qm)) * (by_place - by_metric),
                     force = turning - slope, direction = frame.metric(qm) * ym;
        const Vector rho0 = frame.metric(a.q) * y0, rho1 = frame.metric(q1) * y1;
        const Expr rest =
                       0.5 * (dot(y1, rho0) - dot(y0, rho1)) + s.potential(q1) - s.potential(a.q),
                   quotient = (rest + h * dot(ym, force)) / dot(ym, direction);
        const Vector path = frame.at(qm) * ym;
        return {.zero = concatenate(
                    {q1 - a.q - h * path, rho1 - rho0 - h * force + quotient * direction}),
                .constraint = {},
                .after = {q1, frame.at(q1) * y1}};
      }});
}

Point after(const System& system, const Method& method, const std::vector<double>& q,
            const std::vector<double>& v, double h, std::uint64_t steps) {
  Stepper stepper(StepProgram::compile(system, method), h);
  Point point = make_point(stepper.program(), q, v);
  CHECK(stepper.advance(point, 0.0, 0, steps).steps == steps);
  return point;
}

}  // namespace

TEST_CASE("The bilinear discrete gradient is that of its definition, in every frame") {
  const System system = uneven_sleigh();
  for (const FrameKind kind : {FrameKind::qr, FrameKind::adapted, FrameKind::sparse}) {
    ReducedGradient method = bilinear;
    method.frame = kind;
    const Point ours = after(system, method, start_q, start_v(), 0.1, 20),
                wanted = after(system, by_definition(kind), start_q, start_v(), 0.1, 20);
    // Round-off of twenty steps with numbers of size one.
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(std::fabs(ours.q[i] - wanted.q[i]) < 1e-13);
      CHECK(std::fabs(ours.v[i] - wanted.v[i]) < 1e-13);
    }
  }
}

TEST_CASE("Broyden's method keeps the energy to round-off over long runs, and at rest") {
  const System system = uneven_sleigh();
  Evaluator evaluator(system);
  constexpr std::uint64_t steps = 50000;  // among them some that turn round slowly
  for (const double h : {0.2, 0.01}) {
    for (const double speed : {1.0, 0.0}) {
      std::vector<double> v = start_v();
      for (double& entry : v) entry *= speed;
      const double energy = evaluator.energy(0.0, start_q, v);
      const Point point = after(system, bilinear, start_q, v, h, steps);
      const double size = 2.0 + (point.q[0] * point.q[0] + point.q[1] * point.q[1]) / 4.0;
      CAPTURE(h);
      CAPTURE(speed);
      // Less than a quarter of the round-off of the largest term in each step.
      CHECK(std::fabs(evaluator.energy(0.0, point.q, point.v) - energy) <
            0.25 * double(steps) * 0x1p-52 * size);
    }
  }
}

TEST_CASE("What Broyden's method remembers is a part of the state") {
  const System system = uneven_sleigh();
  const Point whole = after(system, bilinear, start_q, start_v(), 0.1, 40);
  Stepper stepper(StepProgram::compile(system, bilinear), 0.1);
  Point point = make_point(stepper.program(), start_q, start_v());
  CHECK(stepper.advance(point, 0.0, 0, 17).steps == 17);
  Stepper later(StepProgram::compile(system, bilinear), 0.1);
  CHECK(later.advance(point, 0.0, 17, 23).steps == 23);
  CHECK(point.q == whole.q);
  CHECK(point.v == whole.v);
  CHECK(point.history == whole.history);
  // Without it steps lead to the same state by more passes.
  Stepper forgetful(StepProgram::compile(system, bilinear), 0.1);
  Point forgotten = make_point(stepper.program(), start_q, start_v());
  std::uint64_t with = 0, without = 0;
  Point kept = forgotten;
  for (std::uint64_t k = 0; k < 40; ++k) {
    std::ranges::fill(forgotten.history, 0.0);
    without += forgetful.advance(forgotten, 0.0, k, 1).iterations;
    with += stepper.advance(kept, 0.0, k, 1).iterations;
  }
  CHECK(with < without);
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::fabs(forgotten.q[i] - whole.q[i]) < 1e-12);
}

TEST_CASE("Broyden's method has the same bits alone and in lanes, whatever passes others need") {
  const auto program = StepProgram::compile(uneven_sleigh(), bilinear);
  constexpr std::size_t members = 11;
  constexpr std::uint64_t steps = 60;
  const auto start = [&](std::size_t member) {
    std::vector<double> v = start_v();
    for (double& entry : v) entry *= double(member);
    return make_point(*program, start_q, v);
  };
  for (const batch_test::BatchOptions& options : batch_test::all_options()) {
    INFO(batch_test::text(options));
    BatchStepper batch(program, members, 0.1, options);
    for (std::size_t member = 0; member < members; ++member) batch.set_point(member, start(member));
    const auto reports = batch.advance(0.0, 0, steps);
    for (std::size_t member = 0; member < members; ++member) {
      Stepper stepper(program, 0.1);
      Point alone = start(member);
      CHECK(stepper.advance(alone, 0.0, 0, steps).iterations == reports[member].iterations);
      CHECK(batch_test::bits(alone) == batch_test::bits(batch.point(member)));
    }
  }
}
