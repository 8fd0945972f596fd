// Steps of large systems: what grows with the number of bodies, and what must not.

#include "step/detail/sparse_block.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/long_chain.hpp"

using namespace dalembert;
using test_support::wheeled_chain;

namespace {

const std::vector<MethodSpec> chain_methods{
    {"dla", {}}, {"dla01", {}}, {"leapfrog", {}}, {"lobatto", {{"stages", 2.0}}}, {"newmark", {}}};

struct Steps {
  std::size_t lines;
  Point point;
  double constraint_error;
};

Steps steps_of(std::size_t bodies, const MethodSpec& spec, StepSolver solver) {
  const auto chain = wheeled_chain(bodies);
  const auto program =
      StepProgram::compile(chain.system, make_method(spec),
                           {.compensated = false, .wrap_angles = true, .solver = solver});
  Stepper stepper(program, 0.05);
  Evaluator evaluator(chain.system);
  Point point = start_point(stepper, evaluator, chain.q, chain.v);
  REQUIRE(stepper.advance(point, 0.0, 0, 5).steps == 5);
  return {program->tape().code.size(), point, evaluator.constraint_error(0.25, point.q, point.v)};
}

/// Oscillators on a line with springs of third order between neighbours, one of which is held by
/// the product of two others: a potential whose discrete gradients couple everything by one factor.
System line_of_oscillators(std::size_t n) {
  SystemDescription description{"line", {}};
  for (std::size_t i = 0; i < n; ++i)
    description.coordinates.push_back({"x" + std::to_string(i + 1)});
  return System::define(std::move(description), [n](const Symbols& s) {
    Mechanics m;
    m.kinetic = 0.5 * dot(s.v, s.v);
    m.potential = 0.5 * dot(s.q, s.q);
    for (std::size_t i = 0; i + 1 < n; ++i)
      m.potential += 0.25 * square(square(s.q[i + 1] - s.q[i]));
    m.constraints = {s.v[0] + s.q[1] * s.v[2]};
    return m;
  });
}

void check_near(const Point& a, const Point& b, double in_q, double in_v) {
  for (std::size_t i = 0; i < a.q.size(); ++i) {
    CHECK(std::fabs(a.q[i] - b.q[i]) < in_q);
    CHECK(std::fabs(a.v[i] - b.v[i]) < in_v);
  }
}

struct EnergySteps {
  std::size_t lines;
  Point point;
  double energy_error;
};

EnergySteps energy_steps_of(std::size_t bodies, const MethodSpec& spec, StepSolver solver) {
  const System line = line_of_oscillators(bodies);
  const auto program = StepProgram::compile(line, make_method(spec), {.solver = solver});
  Stepper stepper(program, 0.05);
  Evaluator evaluator(line);
  std::vector<double> q(bodies), v(bodies);
  for (std::size_t i = 0; i < bodies; ++i) q[i] = 0.5 * std::sin(1.3 * double(i));
  Point point = start_point(stepper, evaluator, q, evaluator.projected_velocity(0.0, q, v));
  const double before = evaluator.energy(0.0, point.q, point.v);
  REQUIRE(stepper.advance(point, 0.0, 0, 10).steps == 10);
  return {program->tape().code.size(), point,
          std::fabs(evaluator.energy(0.5, point.q, point.v) - before)};
}

const std::vector<MethodSpec> gradient_methods{{"discrete-derivative", {}}, {"gonzalez-full", {}}};

}  // namespace

TEST_CASE("Gonzalez' gradient takes work that grows with the number of bodies") {
  for (const MethodSpec& spec : gradient_methods) {
    INFO(label(spec));
    const EnergySteps half = energy_steps_of(20, spec, StepSolver::structured),
                      whole = energy_steps_of(40, spec, StepSolver::structured);
    CHECK(double(whole.lines) < 2.3 * double(half.lines));
    // Round-off of the energy of forty oscillators.
    CHECK(whole.energy_error < 1e-13);
  }
}

TEST_CASE("Steps with Gonzalez' factor as an unknown are those of the plain solver") {
  // Few bodies and many: the factor is named in both.
  for (const std::size_t bodies : {4u, 7u, 20u}) {
    for (const MethodSpec& spec : gradient_methods) {
      INFO(label(spec), ", ", bodies, " bodies");
      const EnergySteps named = energy_steps_of(bodies, spec, StepSolver::structured),
                        plain = energy_steps_of(bodies, spec, StepSolver::plain);
      check_near(named.point, plain.point, 1e-13, 1e-13);
      CHECK(named.lines < plain.lines);
    }
  }
}

TEST_CASE("The steps of a chain take work that grows with its length") {
  for (const MethodSpec& spec : chain_methods) {
    INFO(label(spec));
    const Steps half = steps_of(20, spec, StepSolver::structured),
                whole = steps_of(40, spec, StepSolver::structured);
    // Ends of the chain have fewer neighbours.
    CHECK(double(whole.lines) < 2.3 * double(half.lines));
    // Round-off of terms of the size one; what follows link by link would have lost all digits.
    CHECK(whole.constraint_error < 1e-12);
  }
}

TEST_CASE("The steps of a chain are those of the plain solver to round-off") {
  for (const MethodSpec& spec : chain_methods) {
    INFO(label(spec));
    const Steps sparse = steps_of(20, spec, StepSolver::structured),
                plain = steps_of(20, spec, StepSolver::plain);
    // Of coordinates of the size 20, in steps whose linear systems lose some digits.
    check_near(sparse.point, plain.point, 1e-11, 1e-10);
  }
}

TEST_CASE("Equations that are not those of a saddle point have no sparse block") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr h = make_symbol(graph, "h", SignFacts::positive(), true);
  Vector x, ring;
  for (int i = 0; i < 30; ++i) x.push_back(make_symbol(graph, "x"));
  // Every equation has the entry of its row and column that is the largest with its neighbour on
  // both sides alike.
  for (std::size_t i = 0; i < x.size(); ++i) ring.push_back(x[(i + 1) % 30] + x[(i + 29) % 30]);
  CHECK_FALSE(sparse_block({ring, x, {}}, std::vector<bool>(30, false), h, {}));
}

TEST_CASE("An order with a pivot that vanishes at rest is none, though the equations are regular") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr h = make_symbol(graph, "h", SignFacts::positive(), true);
  const Expr speed = make_symbol(graph, "v"), x = make_symbol(graph, "x"),
             y = make_symbol(graph, "y");
  const NamedFactors equations{{speed * x + 0.1 * y, 0.1 * x + speed * y}, {x, y}, {}};
  const std::vector<bool> none(2, false);
  constexpr double any_work = 10.0;
  CHECK(sparse_block(equations, none, h, {}, any_work));
  CHECK_FALSE(sparse_block(equations, none, h, {speed}, any_work));
}
