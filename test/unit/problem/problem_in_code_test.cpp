#include "dalembert/problem/problem_in_code.hpp"

#include <doctest/doctest.h>

#include "dalembert/problem/make_system.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

Start start(const std::string& name) {
  Start made;
  made.name = name;
  made.q = {0.1, 1.0 / 3.0, 0.0};
  made.v = {0.0, 0.7, 1.9};
  made.parameters["epsilon"] = 0.3;
  return made;
}

}  // namespace

TEST_CASE("a problem made in code gives its very system and the bits of its starts") {
  const System system = test_support::pendulum_cvt().system;
  const ProblemFile problem = problem_in_code(system, {start("one"), start("two")});
  CHECK(problem.start_names() == std::vector<std::string>{"one", "two"});
  CHECK(&make_system(problem).description() == &system.description());
  const std::vector<double> parameters = start_parameters(problem, problem.starts[0]);
  CHECK(parameters == std::vector<double>{0.3});
  const Start read = evaluate_start(problem, problem.starts[0], system, {}, parameters);
  CHECK(read.q == start("").q);
  CHECK(read.v == start("").v);
}

TEST_CASE("starts that make no sense are refused") {
  const System system = test_support::pendulum_cvt().system;
  CHECK_THROWS_WITH_AS(problem_in_code(system, {start("one"), start("one")}),
                       "problem \"pendulum-cvt\" has two starts named \"one\"", RequestError);
  Start other = start("one");
  other.parameters["alpha"] = 1.0;
  CHECK_THROWS_AS(problem_in_code(system, {other}), RequestError);
}
