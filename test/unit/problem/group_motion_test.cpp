// What every problem on a group keeps, and what it does not depend on.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/document/library.hpp"
#include "dalembert/measure/exact_flow.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/group/displacement.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "support/round_off.hpp"

using namespace dalembert;

namespace {

using Numbers = std::vector<double>;

struct MovingState {
  Numbers q, v;
};

/// All problems of the library on groups.
std::vector<Problem> group_problems() {
  std::vector<Problem> result;
  for (const std::string& name : study::problem_names()) {
    Problem problem = load_problem(name);
    if (problem.system.traits().has_groups) result.push_back(std::move(problem));
  }
  return result;
}

/// A start made admissible, with the parameters that it sets, and its flow.
struct Run {
  Run(const Problem& problem, const Start& given)
      : system(problem.system),
        parameters(named_parameter_values(system, given.parameters)),
        evaluator(system, parameters),
        flow(system, parameters) {
    const Start ready = prepare_start(system, given);
    start = {ready.q, ready.v};
  }
  MovingState after(MovingState state, double duration) {
    double t = 0.0;
    REQUIRE(flow.advance(t, state.q, state.v, duration));
    return state;
  }
  /// Energy, constraints and integrals.
  Numbers kept(const MovingState& state, bool with_energy) {
    Numbers values(system.mechanics().integrals.size());
    evaluator.integrals(0.0, state.q, state.v, values);
    if (with_energy) values.push_back(evaluator.energy(0.0, state.q, state.v));
    values.push_back(evaluator.constraint_error(0.0, state.q, state.v));
    return values;
  }

  System system;
  Numbers parameters;
  Evaluator evaluator;
  ExactFlow<double> flow;
  MovingState start;
};

double largest_change(const Numbers& x, const Numbers& y) {
  REQUIRE(x.size() == y.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    largest = numeric::larger(largest, std::fabs(x[i] - y[i]));
  return largest;
}

/// What an exact motion may be off by, in numbers of a size: some hundred extrapolations with a few
/// units of round-off each, whose errors the motion enlarges about ten times.
constexpr double off_motion(double size) { return test_support::round_off_of(300.0, 10.0 * size); }

/// Fast ones run for a shorter time.
double duration_of(const System& system) { return system.name() == "rattleback-so3" ? 0.3 : 3.0; }

MovingState reversed(const System& system, MovingState state) {
  const System::Reversal signs = system.reversal().value();
  for (std::size_t i = 0; i < state.q.size(); ++i) state.q[i] *= signs.stored[i];
  for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] *= -signs.position[i];
  return state;
}

}  // namespace

TEST_CASE("The library has the problems on groups, each with one constant length per quaternion") {
  const std::vector<Problem> problems = group_problems();
  CHECK(problems.size() >= 14);
  int quaternions = 0;
  for (const Problem& problem : problems) {
    CAPTURE(problem.system.name());
    Run run(problem, problem.starts.front());
    const MovingState last = run.after(run.start, duration_of(problem.system));
    for (const Configuration::Factor& factor : problem.system.configuration().factors()) {
      if (!factor.group.is_stored_as_quaternion()) continue;
      ++quaternions;
      double square = 0.0;
      for (std::size_t i = 0; i < 4; ++i)
        square += last.q[factor.storage + i] * last.q[factor.storage + i];
      CHECK(std::fabs(square - 1.0) < off_motion(1.0));
    }
  }
  CHECK(quaternions == 14);  // among the factors of these problems
}

TEST_CASE("Energy, constraints and integrals stay along exact motions on groups") {
  for (const Problem& problem : group_problems()) {
    const bool with_energy = problem.system.traits().constraints != ConstraintKind::affine;
    for (const Start& start : problem.starts) {
      CAPTURE(problem.system.name());
      CAPTURE(start.name);
      Run run(problem, start);
      const MovingState last = run.after(run.start, duration_of(problem.system));
      // The fastest top has an energy of some tens.
      CHECK(largest_change(run.kept(last, with_energy), run.kept(run.start, with_energy)) <
            off_motion(10.0));
      CHECK(largest_change(last.q, run.start.q) > 1e-3);  // it moves
    }
  }
}

TEST_CASE("Motions on groups run back where a reversal is stated") {
  int count = 0;
  for (const Problem& problem : group_problems()) {
    const System& system = problem.system;
    if (!system.reversal()) continue;
    CAPTURE(system.name());
    Run run(problem, problem.starts.front());
    const double duration = duration_of(system) / 2;
    const MovingState there = reversed(system, run.after(run.start, duration));
    const MovingState back = reversed(system, run.after(there, duration));
    CHECK(largest_change(back.q, run.start.q) < off_motion(1.0));
    CHECK(largest_change(back.v, run.start.v) < off_motion(10.0));
    ++count;
  }
  CHECK(count >= 13);
}

TEST_CASE("Without a potential, accelerations do not depend on the element") {
  // Nor do their operations: no rounding differs, but a few where simplification has not seen it.
  constexpr double few = test_support::round_off_of(8.0);
  for (const char* name :
       {"rigid-body-so3", "chaplygin-sleigh-se2", "snakeboard-se2", "car-se2", "heisenberg-h3"}) {
    CAPTURE(name);
    const Problem problem = load_problem(name);
    Run run(problem, problem.starts.front());
    const std::size_t n = problem.system.dof();
    Numbers displacement(n, 0.0);
    const std::size_t dimension =
        problem.system.configuration().factors().front().group.dimension();
    for (std::size_t i = 0; i < dimension; ++i)
      displacement[i] = 0.7 - 0.4 * static_cast<double>(i);
    Displacement<double> move(problem.system.configuration());
    const Numbers other = move(run.start.q, displacement);
    CHECK(largest_change(other, run.start.q) > 0.01);
    CHECK(largest_change(run.evaluator.acceleration(0.0, other, run.start.v),
                         run.evaluator.acceleration(0.0, run.start.q, run.start.v)) < few);
  }
}

TEST_CASE("A start off the constraints is brought onto them on groups") {
  for (const char* name : {"heavy-top-pinned", "tilting-disk-so3", "rattleback-so3", "veselova"}) {
    CAPTURE(name);
    const Problem problem = load_problem(name);
    Start start = prepare_start(problem.system, problem.starts.front());
    // Small against the rattleback's half axes of some centimetres.
    for (std::size_t i = 0; i < start.q.size(); ++i) start.q[i] += i % 2 == 0 ? 1e-3 : -2e-3;
    for (std::size_t i = 0; i < start.v.size(); ++i) start.v[i] += i % 2 == 0 ? 0.1 : -0.05;
    CHECK_THROWS_AS(prepare_start(problem.system, start), RequestError);
    start.project = true;
    const Start found = prepare_start(problem.system, start);
    Evaluator evaluator(problem.system);
    // The last step of the iteration leaves the rounding of rows of some ten operations.
    CHECK(evaluator.constraint_error(0.0, found.q, found.v) < test_support::round_off_of(20.0));
    CHECK(largest_change(found.q, start.q) < 0.02);
  }
}

TEST_CASE("A start on a group can give momenta") {
  const Problem problem = load_problem("heavy-top");
  Start start = problem.start("generic");
  start.p = {0.7 * start.v[0], 0.9 * start.v[1], 0.5 * start.v[2]};
  const Numbers wanted = std::exchange(start.v, {});
  // A product and a quotient in each entry, of size one and two.
  CHECK(largest_change(prepare_start(problem.system, start).v, wanted) <
        test_support::round_off_of(2.0, 2.0));
}
