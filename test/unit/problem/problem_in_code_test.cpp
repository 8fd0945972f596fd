#include "dalembert/problem/problem_in_code.hpp"

#include <doctest/doctest.h>

#include "dalembert/expression/vector.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
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

TEST_CASE("a system on a group made in code goes the same road") {
  const System system = System::define(
      {.name = "body", .coordinates = {{"R", false, "SO(3)"}, {"x"}}}, [](const Symbols& s) {
        Mechanics m;
        m.kinetic = dot(s.v, s.v) / 2.0;
        m.potential = s.element("R").matrix(2, 2) * s.q.back();
        return m;
      });
  const ProblemFile problem =
      problem_in_code(system, {{.name = "still", .q = {0.6, 0, 0.8, 0, 2}, .v = {0, 1, 2, 3}}});
  const Problem made = make_problem(problem);
  CHECK(made.starts.front().q == std::vector<double>{0.6, 0, 0.8, 0, 2});
  CHECK(made.starts.front().v == std::vector<double>{0, 1, 2, 3});
  const ProblemFile copy = read_problem(problem.document, "");
  CHECK(make_system(copy).configuration().text() == "SO(3) x R");
  CHECK(make_system(copy).storage_count() == 5);
  CHECK(copy.coordinates.front().text() == "R in SO(3)");
}

TEST_CASE("starts that make no sense are refused") {
  const System system = test_support::pendulum_cvt().system;
  CHECK_THROWS_WITH_AS(problem_in_code(system, {start("one"), start("one")}),
                       "problem \"pendulum-cvt\" has two starts named \"one\"", RequestError);
  Start other = start("one");
  other.parameters["alpha"] = 1.0;
  CHECK_THROWS_AS(problem_in_code(system, {other}), RequestError);
}
