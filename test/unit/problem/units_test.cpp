// Units as a problem says them, and names of multipliers as it makes them.

#include "dalembert/problem/units.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dalembert/document/library.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/problem/make_system.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

ProblemFile chain(const std::string& units, const std::string& name) {
  const std::string text = units +
                           "coordinates = [\"s\", \"w[1..n]\"]\n"
                           "angles = [\"w\"]\n"
                           "sizes = { n = 2 }\n"
                           "lagrangian = { kinetic = \"(s_dot^2 + sum(i, 1, n, w_dot[i]^2))/2\" }\n"
                           "constraints = { expressions = [{ name = \"" +
                           name + "\", expression = \"each(i, 1, n, w_dot[i] - s_dot)\" }] }\n";
  return read_problem(parse_document(text, "chain.toml"), "chain");
}

}  // namespace

TEST_CASE("units of arrays, velocities and what has none") {
  const ProblemFile problem = chain("units = { s = \"m\", w = \"rad\", t = \"ms\" }\n", "belt");
  const System system = make_system(problem);
  CHECK(column_units(problem, system) == std::vector<std::string>{"ms", "m", "rad", "rad", "m/ms",
                                                                  "rad/ms", "rad/ms", "", "", "",
                                                                  ""});
  CHECK(unit_of(problem, "energy").empty());
  CHECK(system.multiplier_names() == std::vector<std::string>{"belt_1", "belt_2"});
  CHECK(may_name_multiplier("belt_2", problem));
  CHECK_FALSE(may_name_multiplier("belt_", problem));
  CHECK_FALSE(may_name_multiplier("s", problem));
}

TEST_CASE("SI is a word for all units, and none is known without a word") {
  const ProblemFile problem = chain("units = \"SI\"\n", "belt");
  CHECK(unit_of(problem, "t") == "s");
  CHECK(unit_of(problem, "w") == "rad");
  const ProblemFile silent = chain("", "belt");
  CHECK(column_units(silent, make_system(silent)).empty());
}

TEST_CASE("what is no unit and no name is refused") {
  CHECK_THROWS_AS(chain("units = \"imperial\"\n", "belt"), RequestError);
  CHECK_THROWS_AS(chain("units = { x = \"m\" }\n", "belt"), RequestError);
  CHECK_THROWS_AS(chain("units = { s = 1 }\n", "belt"), RequestError);
  const auto make = [](const char* name) { return make_system(chain("", name)); };
  for (const char* name : {"w", "1a", "", "lambda_2"})
    CHECK_THROWS_AS(static_cast<void>(make(name)), RequestError);
  // Entries of each() are compared with the number after their name.
  for (const char* name : {"s", "n"}) CHECK_NOTHROW(static_cast<void>(make(name)));
}

TEST_CASE("contacts name the multipliers of problems in the library") {
  const System bicycle = make_system(read_problem_file(find_problem("bicycle")));
  CHECK(bicycle.multiplier_names() == std::vector<std::string>{"rear_tyre_1", "rear_tyre_2",
                                                               "front_tyre_1", "front_tyre_2",
                                                               "front_tyre_3"});
}
