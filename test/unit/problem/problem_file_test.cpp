#include "dalembert/problem/problem_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "dalembert/document/library.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/conservation.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/problem/make_system.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

ProblemFile read(const std::string& text) {
  return read_problem(parse_document(text, "text"), "test");
}

const std::string particle = R"toml(
coordinates = ["x", "w[1..n]"]
angles = ["w[1..n]"]
[sizes]
n = { default = 2, min = 1, max = 4 }
[parameters]
m = { default = 2.0, min = 0.0, min_exclusive = true }
k = 0.5
[definitions]
square = "sum(i, 1, n, sin(w[i])^2)"
half = "square/2"
[lagrangian]
kinetic = "(m*x_dot^2 + sum(i, 1, n, w_dot[i]^2))/2"
potential = "k*half"
[constraints]
expressions = ["each(i, 1, n - 1, sum(j, i, i + 1, w_dot[j]) + x*x_dot)"]
[force]
x = "-x_dot"
[frame]
vectors = [["1", "each(i, 1, n, w[i])"], "each(i, 1, n, w_dot[i] - k*x_dot)"]
[reversal]
signs = [1, -1]
[integrals]
momentum = "m*x_dot"
[initial.rest]
parameters = { m = 3 }
q = ["m", "each(i, 1, n, i*k)"]
v = ["each(i, 0, n, 0)"]
)toml";

}  // namespace

TEST_CASE("every problem of the library can be read, and its starts are admissible") {
  const std::vector<std::string> names = problem_names();
  REQUIRE(names.size() >= 30);
  for (const std::string& name : names) {
    CAPTURE(name);
    const ProblemFile problem = read_problem_file(find_problem(name));
    CHECK(problem.name == name);
    CHECK(!problem.description.empty());
    CHECK(!problem.source.empty());
    CHECK(!problem.starts.empty());
    const Problem made = make_problem(problem);
    CHECK(!made.starts.empty());
    for (const Start& start : made.starts) CHECK_NOTHROW(prepare_start(made.system, start));
  }
}

TEST_CASE("every problem conserves what its file says, and all its integrals") {
  int measured = 0;
  for (const std::string& name : problem_names()) {
    CAPTURE(name);
    const ProblemFile problem = read_problem_file(find_problem(name));
    const auto [system, starts, events] = make_problem(problem);
    const Conservation found = conservation(system, starts.front().q, starts.front().v);
    CHECK(found.keeps_energy() == (problem.conserves == "energy"));
    CHECK(found.energy != Conservation::Kept::unknown);
    if (system.is_skew_gradient()) continue;
    ++measured;
    CHECK(found.states >= 4);
    for (const Conservation::Integral& integral : found.integrals)
      CHECK_MESSAGE(integral.kept == Conservation::Kept::yes, integral.name,
                    " changes at a relative rate of ", integral.rate);
    const bool moving = std::any_of(found.integrals.begin(), found.integrals.end(),
                                    [](const auto& i) { return i.name == "moving_energy"; });
    CHECK(moving == (problem.conserves == "moving-energy"));
  }
  CHECK(measured == 62);  // all but those with a skew gradient
}

TEST_CASE("arrays, repeated entries, definitions and sizes") {
  const ProblemFile problem = read(particle);
  for (const long n : {1L, 2L, 3L}) {
    CAPTURE(n);
    const System system = make_system(problem, {{"n", n}});
    const auto size = static_cast<std::size_t>(n);
    CHECK(system.dof() == size + 1);
    CHECK(system.constraint_count() == size - 1);
    CHECK(system.description().coordinates.back().name == "w_" + std::to_string(n));
    CHECK(system.description().coordinates.back().is_angle);
    CHECK(!system.description().coordinates.front().is_angle);
    CHECK(system.mechanics().reversal == std::vector<double>([&] {
            std::vector<double> signs(size + 1, -1.0);
            signs[0] = 1.0;
            return signs;
          }()));
    REQUIRE(system.mechanics().frame.size() == size + 1);
    CHECK(to_string(system.mechanics().frame[1][0]) == "-k");
    CHECK(system.mechanics().frame[1][1].is_constant(1.0));
  }
}

TEST_CASE("definitions and sums mean what they say") {
  const System system = make_system(read(particle), {{"n", 3}});
  Evaluator evaluator(system);
  const std::vector<double> q{1.0, 2.0, 3.0, 4.0}, v{0.5, 1.0, 1.5, 2.0};
  double square = 0.0;
  for (std::size_t i = 1; i < q.size(); ++i) square += std::sin(q[i]) * std::sin(q[i]);
  // Sines of our own: some units in the last place.
  CHECK(evaluator.energy(0.0, q, v) ==
        doctest::Approx((2.0 * 0.25 + 1.0 + 2.25 + 4.0) / 2 + 0.5 * square / 2).epsilon(1e-15));
  CHECK(evaluator.constraint(0.0, q, v) == std::vector<double>{3.0, 4.0});
}

TEST_CASE("a start uses its own parameters") {
  const Problem problem = make_problem(read(particle));
  REQUIRE(problem.starts.size() == 1);
  const Start& start = problem.start("rest");
  CHECK(start.q == std::vector<double>{3.0, 0.5, 1.0});
  CHECK(start.v == std::vector<double>(3, 0.0));
  CHECK(start.parameters.at("m") == 3.0);
}

TEST_CASE("sizes are checked") {
  const ProblemFile problem = read(particle);
  CHECK_THROWS_WITH_AS(make_system(problem, {{"n", 5}}), doctest::Contains("[1, 4]"), RequestError);
  CHECK_THROWS_WITH_AS(make_system(problem, {{"m", 1}}), doctest::Contains("no size \"m\""),
                       RequestError);
}

TEST_CASE("a system is made once of the same text, sizes, parameters and limits") {
  const ProblemFile problem = read(particle);
  const System system = make_system(problem);
  CHECK(make_system(read(particle)).is_copy_of(system));
  CHECK(make_system(problem, {{"n", 2}}).is_copy_of(system));  // the default
  CHECK_FALSE(make_system(problem, {{"n", 3}}).is_copy_of(system));
  CHECK_FALSE(make_system(problem, {}, {{"k", 1.0}}).is_copy_of(system));
  ProblemFile heavier = problem;
  heavier.parameters.front().value = 3.0;
  const System other = make_system(heavier);
  CHECK_FALSE(other.is_copy_of(system));
  CHECK(other.default_parameters().front() == 3.0);
  CHECK_FALSE(make_system(read("description = \"another\"\n" + particle)).is_copy_of(system));
  ProblemFile more = problem;
  more.integrals.emplace_back("speed", DocumentNode{std::string("x_dot")});
  CHECK(make_system(more).mechanics().integrals.size() == 2);
  {
    const LocalLimits few({.nodes = 10});
    CHECK_THROWS_WITH_AS(make_system(problem), doctest::Contains("--most-nodes"), RequestError);
  }
  CHECK(make_system(problem).is_copy_of(system));
}

TEST_CASE("numbers keep every bit on the way") {
  const ProblemFile problem = read(R"toml(
coordinates = ["x"]
[lagrangian]
kinetic = "x_dot^2/2"
[initial.a]
q = [0.1000000000000000055511151231257827]
v = ["-1/3"]
)toml");
  const Start start = make_problem(problem).start();
  CHECK(start.q[0] == 0.1);
  CHECK(start.v[0] == -1.0 / 3.0);
}

TEST_CASE("the library is found by name, with the nearest name for a mistake") {
  CHECK(std::filesystem::exists(find_problem("pendulum-cvt")));
  CHECK(find_problem("./a.toml", "/elsewhere") == std::filesystem::path("/elsewhere/./a.toml"));
  CHECK_THROWS_WITH_AS(find_problem("pendulum-ctv"), doctest::Contains("pendulum-cvt"),
                       RequestError);
  CHECK(!study_names().empty());
}

TEST_CASE("a problem is loaded under limits of its own") {
  CHECK_THROWS_WITH_AS(load_problem("chaotic", {.limits = Limits{.nodes = 50}}),
                       doctest::Contains("--most-nodes"), RequestError);
  CHECK_THROWS_WITH_AS(load_problem("chaotic", {.limits = Limits{.coordinates = 2}}),
                       doctest::Contains("--most-coordinates"), RequestError);
  CHECK_NOTHROW(load_problem("chaotic"));
  CHECK_NOTHROW(load_problem("chaotic", {.limits = Limits{.nodes = 100'000}}));
}
