// Derivatives of runs by tangents and by adjoints, beside the run itself.

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/sensitivity/sensitivity.hpp"
#include "support/general_witness.hpp"
#include "support/group_systems.hpp"
#include "support/long_chain.hpp"
#include "support/sensitivities.hpp"
#include "support/witness.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

SensitivityOptions by_all(SensitivityMode mode) {
  SensitivityOptions options{.step = 0.05, .steps = 150, .mode = mode};
  options.by = {"start", "parameters", "step"};
  return options;
}

}  // namespace

TEST_CASE("Adjoints find what tangents find, and both run with the bits of the method") {
  // Round-off of 150 steps, times the growth of perturbations.
  constexpr double round_off = 1e-10;
  std::vector<Problem> problems{problem_of(witness_constant_mass()),
                                problem_of(witness_nonlinear()), problem_of(witness_holonomic()),
                                problem_of(witness_forced_time())};
  for (const GroupSystem& group : group_systems())
    problems.push_back(problem_of({group.system, group.q, group.v}));
  for (const Problem& problem : problems) {
    for (const char* name : {"lobatto", "gauss", "leapfrog", "newmark", "dla"}) {
      const Method method = make_method({name, {}});
      if (method.misfit(problem.system)) continue;
      CAPTURE(problem.system.name());
      CAPTURE(name);
      const Sensitivity forwards =
                            sensitivity(problem, method, {}, by_all(SensitivityMode::tangent)),
                        backwards =
                            sensitivity(problem, method, {}, by_all(SensitivityMode::adjoint));
      CHECK(largest_apart(forwards, backwards) <= round_off);
      const Solution run = simulate(problem, method, {}, {.step = 0.05, .steps = 150});
      CHECK(forwards.point.q == run.point.q);
      CHECK(forwards.point.v == run.point.v);
      CHECK(forwards.point.turns == run.point.turns);
      CHECK(backwards.point.q == run.point.q);
    }
  }
}

TEST_CASE("Large systems are differentiated in the sparse order of their steps") {
  const SmallSystem chain = wheeled_chain(12);
  const Problem problem{chain.system, {Start{.q = chain.q, .v = chain.v, .project = true}}};
  for (const char* name : {"dla01", "lobatto"}) {
    const Method method = make_method({name, {}});
    for (const Method& varied : {tangent_method(method, {}), adjoint_method(method, {})}) {
      const auto program = StepProgram::compile(chain.system, varied);
      // As in few_entries: nothing is torn.
      for (const StepProgram::Block& block : program->blocks())
        CHECK(block.system_size == block.unknowns.size());
    }
    SensitivityOptions options{.step = 0.02, .steps = 50};
    options.by = {"start"};
    options.of = {
        {"end", [](const Symbols& s, const Vector&) { return s.q.back() + s.v.front(); }}};
    options.mode = SensitivityMode::tangent;
    const Sensitivity forwards = sensitivity(problem, method, {}, options);
    options.mode = SensitivityMode::adjoint;
    CHECK(largest_apart(forwards, sensitivity(problem, method, {}, options)) <= 1e-11);
  }
}
