#include "dalembert/mechanics/problem.hpp"

#include <doctest/doctest.h>

#include "dalembert/error.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;

TEST_CASE("starts have names; the first one needs none") {
  const auto small = test_support::pendulum_cvt();
  const Problem problem{small.system,
                        {{.name = "swinging", .q = small.q, .v = {0, 0, 0.1}},
                         {.name = "rotating", .q = small.q, .v = {0, 0, 3}}}};
  CHECK(problem.start("rotating").v[2] == 3.0);
  CHECK(problem.start().name == "swinging");
  CHECK(problem.start_names() == std::vector<std::string>{"swinging", "rotating"});
  CHECK_THROWS_WITH_AS(problem.start("rotatin"), doctest::Contains("did you mean \"rotating\""),
                       RequestError);
  CHECK_THROWS_WITH_AS(problem.start("other"), doctest::Contains("swinging, rotating"),
                       RequestError);
  CHECK_THROWS_WITH_AS(Problem{small.system}.start(), doctest::Contains("has no start"),
                       RequestError);
}
