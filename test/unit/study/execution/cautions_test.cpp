// What is said of energies and constraints that a method promises to keep: round-off of large terms
// is no loss, and no large term hides one.

#include "dalembert/study/execution/cautions.hpp"

#include <doctest/doctest.h>

#include "dalembert/document/toml.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/splitting/frame_splitting.hpp"
#include "dalembert/problem/problem_in_code.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/study_file.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace dalembert::study;
using namespace test_support;

namespace {

/// A point that falls with x_dot = 2 z_dot, whose energy has terms that grow with the square of
/// time.
System falling() {
  TextSystem text = particle_in_space("falling");
  text.potential = "z";
  text.constraints = {"x_dot - 2*z_dot"};
  return define(text);
}

/// A pendulum of length `length` without velocities.
System pendulum(const std::string& length) {
  TextSystem text = particle_in_plane("pendulum");
  text.potential = "y";
  text.holonomic = {"x^2 + y^2 - " + length + "^2"};
  return define(text);
}

/// A method whose velocities are changed by a factor that is one far from the origin or everywhere
/// but for `part`, and their first one by `shift`; under the promises of the method.
struct Leaking {
  double part = 0.0, near = 0.0, shift = 0.0;

  static MethodPage<Leaking> page() {
    const Method honest(FrameSplitting{});
    return {.name = "leaking",
            .facts = honest.facts(),
            .requirements = honest.requirements(),
            .equations = &Leaking::equations};
  }
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    Equations step = Method(FrameSplitting{}).equations(s, a, u, h);
    const Expr distance = dot(a.q, a.q);
    step.after.v = (1.0 - part - near / (1.0 + square(distance))) * step.after.v;
    step.after.v[0] = step.after.v[0] + shift;
    return step;
  }
};

struct Told {
  RunResult result;
  std::vector<std::string> sentences;
};

Told run(const System& system, const Start& start, const Method& method,
         const std::string& until = "3000") {
  const Study study =
      read_study(parse_document("[run]\nstep = 0.1\nuntil = " + until + "\n[[method]]\nname = \"" +
                                    method.name() + "\"",
                                "text"),
                 problem_in_code(system, {start}), {method});
  const std::vector<RunPlan> plans = plan_runs(study);
  const RunResult result = execute_runs(plans, {}).at(0);
  return {result, run_cautions(plans.at(0), result)};
}

const Start at_rest{.name = "start", .q = {0, 0, 0}, .v = {2, 1, 1}};

}  // namespace

TEST_CASE("Round-off of an energy whose terms have grown is no loss") {
  const Told told = run(falling(), at_rest, FrameSplitting{});
  CHECK(told.result.diagnostics.energy.max_error > 1e-8 * 4.0);  // of 1 + |energy|
  CHECK(told.result.diagnostics.energy.max_error < 1e-12 * 9e5);
  CHECK_FALSE(told.result.diagnostics.cautions[Caution::energy_off]);
  CHECK(told.sentences.empty());
}

TEST_CASE("An energy that is lost is told of, however large its terms grow") {
  // The kinetic part loses 2e-10 of itself in each step.
  const Told slowly = run(falling(), at_rest, Leaking{.part = 1e-10});
  REQUIRE(slowly.sentences.size() == 1);
  CHECK(slowly.sentences[0].find("the method keeps the energy") == 0);
  // All of it at the beginning: less than round-off may be in the end.
  const Told early = run(falling(), at_rest, Leaking{.near = 1e-6});
  CHECK(early.result.diagnostics.energy.max_error < 1e-9 * 9e5);
  REQUIRE(early.sentences.size() == 1);
  CHECK(early.result.diagnostics.cautions[Caution::energy_off] == 0.1);
  CHECK(early.sentences[0].find("from t = 0.1 on") != std::string::npos);
}

TEST_CASE("What is lost and the sizes of terms are known when a run goes on") {
  const System system = falling();
  const auto study = [&](const std::string& until) {
    return read_study(parse_document("[run]\nstep = 0.1\nuntil = " + until +
                                         "\nrecord_every = 1000\n[[method]]\nname = "
                                         "\"frame-splitting\"",
                                     "text"),
                      problem_in_code(system, {at_rest}));
  };
  ExecutionOptions options;
  options.resume_from = execute_runs(plan_runs(study("1500")), {});
  const RunDiagnostics parts = execute_runs(plan_runs(study("3000")), options)[0].diagnostics,
                       whole = execute_runs(plan_runs(study("3000")), {})[0].diagnostics;
  CHECK_FALSE(parts.cautions[Caution::energy_off]);
  CHECK(parts.departures.energy_terms() == whole.departures.energy_terms());
}

TEST_CASE("A constraint is judged by its own terms and not by the energy") {
  const Start fast{.name = "start", .q = {0, 0, 0}, .v = {2e9, 1e9, 1e9}};
  const std::string time = "10";
  TextSystem askew = particle_in_space("askew");
  askew.potential = "z";
  askew.constraints = {"0.7*x_dot - 1.3*z_dot + y_dot/3"};
  Start fitting = fast;
  fitting.project = true;
  const Told honest = run(define(askew), fitting, FrameSplitting{}, time);
  CHECK(honest.result.diagnostics.constraint_max > 1e-8);  // round-off of 2e9
  CHECK(honest.sentences.empty());
  // Less than a part of 1e-7 of its terms, and nothing beside an energy of 3e18.
  const Told sliding = run(falling(), fast, Leaking{.shift = 400}, time);
  CHECK(sliding.result.diagnostics.cautions[Caution::constraint_off] == 0.1);
  REQUIRE_FALSE(sliding.sentences.empty());
  CHECK(sliding.sentences.back().find("the method keeps the constraints, but they were violated") ==
        0);
  CHECK(sliding.sentences.back().find("from t = 0.1 on") != std::string::npos);
}

TEST_CASE("A constraint on positions may be off by round-off of its terms") {
  // Its energy is zero, its terms are 1e12.
  const Told told = run(pendulum("1e6"), {.name = "start", .q = {1e6, 0}, .v = {0, 0}}, Lobatto{});
  CHECK(told.result.diagnostics.constraint_max > 1e-6);
  CHECK_FALSE(told.result.diagnostics.cautions[Caution::constraint_off]);
  CHECK(told.sentences.empty());
}
