#include <doctest/doctest.h>

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
