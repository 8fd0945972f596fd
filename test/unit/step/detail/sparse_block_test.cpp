// Steps of large systems: what grows with the number of bodies, and what must not.

#include "step/detail/sparse_block.hpp"

#include <doctest/doctest.h>

#include <cmath>

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

}  // namespace

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
    for (std::size_t i = 0; i < plain.point.q.size(); ++i) {
      CHECK(std::fabs(sparse.point.q[i] - plain.point.q[i]) < 1e-11);
      CHECK(std::fabs(sparse.point.v[i] - plain.point.v[i]) < 1e-10);
    }
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
  CHECK_FALSE(sparse_block(ring, x, std::vector<bool>(30, false), h));
}
