#include "dalembert/mechanics/start.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "dalembert/error.hpp"
#include "support/general_witness.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

constexpr double start_epsilon = std::numeric_limits<double>::epsilon();

TextSystem in_space(const std::string& constraint) {
  TextSystem text;
  text.name = "particle";
  text.coordinates = {"x", "y", "z"};
  text.kinetic = "m*(x_dot^2 + y_dot^2 + z_dot^2)/2";
  text.potential = "z";
  text.constraints = {constraint};
  text.parameters = {{"m", 2.0}};
  return text;
}

void check_start_refused(const System& system, const Start& start,
                         const std::vector<std::string>& words) {
  try {
    static_cast<void>(prepare_start(system, start));
    FAIL("admitted");
  } catch (const RequestError& error) {
    for (const std::string& word : words)
      CHECK_MESSAGE(std::string(error.what()).find(word) != std::string::npos, error.what());
  }
}

}  // namespace

TEST_CASE("an admissible start stays as it is") {
  const System system = define(in_space("z_dot - y*x_dot"));
  const Start start{.name = "one", .q = {0, 2, 0}, .v = {1, 0.5, 2}, .description = "words"};
  const Start ready = prepare_start(system, start);
  CHECK(ready.q == start.q);
  CHECK(ready.v == start.v);
  CHECK(ready.name == "one");
  CHECK(ready.description == "words");
}

TEST_CASE("momenta give the velocity also where constraints are singular at rest") {
  // Both constraints have no row at v = 0. The velocities satisfy them exactly; m = 2 is exact.
  for (const char* constraint : {"x_dot^2 + y_dot^2 + z_dot^2 - 9", "z_dot^2 - x_dot^2/4 - 15/4"}) {
    const System system = define(in_space(constraint));
    const std::vector<double> v{1.0, 2.0, 2.0}, p{2.0, 4.0, 4.0};
    const Start ready = prepare_start(system, {.q = {0.3, -0.2, 0}, .p = p});
    CHECK(ready.v == v);
    CHECK_FALSE(ready.p);
  }
}

TEST_CASE("momenta that miss a nonlinear constraint are refused, or projected") {
  const System system = define(in_space("x_dot^2 + y_dot^2 + z_dot^2 - 4"));
  Start start{.q = {0, 0, 0}, .p = std::vector<double>{6.0, 0.0, 0.0}};
  check_start_refused(system, start, {"constraint 1", "violated by 5", "project = true"});
  start.project = true;
  // The nearest velocity of length 2 is along that of length 3.
  CHECK(std::fabs(prepare_start(system, start).v[0] - 2.0) < 4 * start_epsilon);
  CHECK_FALSE(prepare_start(system, start).project);
}

TEST_CASE("a singular mass is refused before a velocity is looked for") {
  TextSystem text = in_space("x_dot^2 + y_dot^2 + z_dot^2 - 1");
  text.kinetic = "(x_dot^2 + y_dot^2 + x^2*z_dot^2)/2";
  check_start_refused(define(text), {.q = {0, 0.5, 0}, .p = std::vector<double>{1.0, 0.0, 0.0}},
                      {"mass matrix", "(0, 0.5, 0)", "singular"});
}

TEST_CASE("projection moves positions and velocities to the nearest admissible ones") {
  TextSystem text = in_space("");
  text.constraints = {};
  text.holonomic = {"x^2 + y^2 + z^2 - 1"};
  const Start ready =
      prepare_start(define(text), {.q = {0, 0, 2}, .v = {1, 0, 3}, .project = true});
  CHECK(std::fabs(ready.q[2] - 1.0) < 4 * start_epsilon);
  CHECK(ready.v[0] == doctest::Approx(1.0).epsilon(8 * start_epsilon));
  CHECK(std::fabs(ready.v[2]) < 8 * start_epsilon);
}

TEST_CASE("the parameters of a start count unless others are given") {
  const System system = define(in_space("z_dot - y*x_dot"));
  const Start start{
      .q = {0, 2, 0}, .p = std::vector<double>{4.0, 0.0, 8.0}, .parameters = {{"m", 4.0}}};
  CHECK(prepare_start(system, start).v[0] == 1.0);
  CHECK(prepare_start(system, start, std::vector<double>{2.0}).v[0] == 2.0);
}

TEST_CASE("what is wrong with a start is said") {
  const System system = define(in_space("z_dot - y*x_dot"));
  const std::vector<double> p{1.0, 0.0, 2.0};
  check_start_refused(system, {.name = "a", .q = {0, 2}, .v = {1, 0, 2}},
                      {"q of the start \"a\" has 2 entries", "3 (x, y, z)"});
  check_start_refused(system, {.q = {0, 2, 0}, .v = {1}}, {"v of the start has 1 entries", "3"});
  check_start_refused(system, {.q = {0, 2, 0}}, {"v of the start has 0 entries"});
  check_start_refused(system, {.q = {0, 2, 0}, .v = {1, 0, 2}, .p = p}, {"both given"});
  check_start_refused(system, {.q = {0, NAN, 0}, .v = {1, 0, 2}}, {"entry 2 of q", "nan"});
  check_start_refused(system, {.q = {0, 2, 0}, .v = {1, 0, 2}, .lambda = std::vector<double>{1, 2}},
                      {"lambda of the start has 2 entries; it needs 1"});
  check_start_refused(system, {.q = {0, 2, 0}, .v = {1, 0, 3}},
                      {"violated by 1", "project = true"});
  check_start_refused(system, {.q = {0, 2, 0}, .v = {1, 0, 2}, .parameters = {{"n", 1.0}}},
                      {"\"n\" is not a parameter", "m"});
}
