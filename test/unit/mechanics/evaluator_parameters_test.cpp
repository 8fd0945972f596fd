#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;

namespace {

/// All that it says of a state.
std::vector<double> said(Evaluator& evaluator, const std::vector<double>& q,
                         const std::vector<double>& v) {
  std::vector<double> all{evaluator.energy(0.0, q, v), evaluator.constraint_error(0.0, q, v)};
  std::vector<double> lambda(evaluator.system().constraint_count()),
      integrals(evaluator.system().mechanics().integrals.size());
  evaluator.multiplier(0.0, q, v, lambda);
  evaluator.integrals(0.0, q, v, integrals);
  for (const std::vector<double>& part : {lambda, integrals, evaluator.acceleration(0.0, q, v),
                                          evaluator.projected_velocity(0.0, q, v)})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

TEST_CASE("New parameters say what an evaluator made with them says") {
  const test_support::SmallSystem small = test_support::pendulum_cvt();
  std::vector<double> parameters = small.system.default_parameters();
  REQUIRE(!parameters.empty());
  Evaluator changed(small.system), first(small.system);
  for (double& parameter : parameters) parameter = 1.25 * parameter + 0.125;
  changed.set_parameters(parameters);
  Evaluator made(small.system, parameters);
  CHECK(said(changed, small.q, small.v) == said(made, small.q, small.v));
  CHECK(said(changed, small.q, small.v) != said(first, small.q, small.v));
  CHECK(std::vector(changed.parameters().begin(), changed.parameters().end()) == parameters);
  CHECK_THROWS_AS(changed.set_parameters(std::vector{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0}),
                  RequestError);
}

TEST_CASE("New parameters are those of starts, whether these were asked for before or not") {
  const System system = System::define(
      {.name = "slope", .coordinates = {{"x"}, {"y"}}, .parameters = {{"m", 1.0}, {"k", 1.0}}},
      [](const Symbols& s) {
        Mechanics m;
        m.kinetic = (s["m"] * square(s.v[0]) + square(s.v[1])) / 2.0;
        m.constraints = {s.v[1] - s["k"] * s.v[0]};
        return m;
      });
  const std::vector<double> q{0.0, 0.0}, v{1.0, 0.0}, parameters{4.0, 0.5};
  const auto starts = [&](Evaluator& evaluator) {
    std::vector<std::vector<double>> found{evaluator.consistent_state(0.0, q, v).second};
    found.push_back(evaluator.velocity_of_momentum(0.0, q, v));
    found.push_back(evaluator.projected_velocity(0.0, q, v));
    return found;
  };
  Evaluator asked(system), unasked(system), made(system, parameters);
  const auto before = starts(asked);
  asked.set_parameters(parameters);
  unasked.set_parameters(parameters);
  // v - M^-1 A^T (A M^-1 A^T)^-1 A v with A = (-k, 1) and M = diag(m, 1); p/M of p = v.
  CHECK(starts(made)[0][0] == doctest::Approx(1.0 - 0.125 * 0.5 / 1.0625).epsilon(1e-15));
  CHECK(starts(made)[1] == std::vector{0.25, 0.0});
  CHECK(starts(asked) == starts(made));
  CHECK(starts(unasked) == starts(made));
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(before[i] != starts(made)[i]);
}

TEST_CASE("What is regular in one state is looked at again in another") {
  const System system =
      System::define({.name = "bead", .coordinates = {{"x"}, {"y"}, {"z"}}}, [](const Symbols& s) {
        Mechanics m;
        m.kinetic = (square(s.q[0] * s.v[0]) + square(s.v[1]) + square(s.v[2])) / 2.0;
        m.constraints = {s.v[1], s.v[1] + s.q[2] * s.v[2]};
        return m;
      });
  Evaluator evaluator(system);
  const std::vector<double> rest(3, 0.0);
  for (int round = 0; round < 2; ++round) {
    CHECK_NOTHROW(evaluator.check_regular(0.0, std::vector{1.0, 0.0, 1.0}, rest));
    CHECK_THROWS_WITH_AS(evaluator.check_regular(0.0, std::vector{0.0, 0.0, 1.0}, rest),
                         doctest::Contains("is singular"), RequestError);
    CHECK_THROWS_WITH_AS(evaluator.check_regular(0.0, std::vector{1.0, 0.0, 0.0}, rest),
                         doctest::Contains("not independent"), RequestError);
  }
}

TEST_CASE("New parameters are those of reactions, too") {
  const System system = System::define(
      {.name = "servo", .coordinates = {{"x"}, {"y"}}, .parameters = {{"grip", 1.0}}},
      [](const Symbols& s) {
        Mechanics m;
        m.kinetic = (square(s.v[0]) + square(s.v[1])) / 2.0;
        m.constraints = {s.v[1]};
        m.reactions = {{Expr(1.0), s.parameter_list[0]}};
        return m;
      });
  const std::vector<double> q{0.0, 0.0}, v{1.0, 0.0};
  Evaluator evaluator(system);
  CHECK_NOTHROW(evaluator.check_regular(0.0, q, v));
  evaluator.set_parameters(std::vector{0.0});
  CHECK_THROWS_WITH_AS(evaluator.check_regular(0.0, q, v),
                       doctest::Contains("does not hold the constraints"), RequestError);
}

TEST_CASE("What is made of a system ends with it") {
  std::weak_ptr graph = std::shared_ptr<Graph>{};
  {
    const test_support::SmallSystem small = test_support::pendulum_cvt();
    graph = small.system.mechanics().constraints.front().graph();
    Evaluator evaluator(small.system);
    const Evaluator copy(evaluator);
    static_cast<void>(said(evaluator, small.q, small.v));
    static_cast<void>(evaluator.consistent_state(0.0, small.q, small.v));
    CHECK(!graph.expired());
  }
  CHECK(graph.expired());
}
