// Multipliers have names or numbers, and names change nothing that is computed.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/mechanics/serialise_system.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/run/simulate.hpp"

using namespace dalembert;

namespace {

/// A particle in space with a constraint on its velocity and one on its position.
System guided(std::vector<std::string> names) {
  SystemDescription description{.name = "guided",
                                .coordinates = {{"x"}, {"y"}, {"z"}},
                                .parameters = {{.name = "m", .value = 1.0}}};
  description.multiplier_names = std::move(names);
  return System::define(std::move(description), [](const Symbols& s) {
    Mechanics mechanics{.kinetic =
                            s["m"] * (s.v[0] * s.v[0] + s.v[1] * s.v[1] + s.v[2] * s.v[2]) / 2.0};
    mechanics.potential = s.q[0];
    const Expr moved = s.q[1] * s.v[0];
    mechanics.constraints = {s.v[2] - moved};
    mechanics.holonomic = {s.q[0] - 2.0 * s.q[1]};
    mechanics.integrals = {{"spin", s.q[2]}};
    return mechanics;
  });
}

}  // namespace

TEST_CASE("a multiplier is called by its name, or by its number") {
  using Names = std::vector<std::string>;
  CHECK(guided({}).multiplier_names() == Names{"lambda_1", "lambda_2"});
  CHECK(guided({"", "normal"}).multiplier_names() == Names{"lambda_1", "normal"});
  CHECK(guided({"lambda_1", "normal"}).multiplier_names() == Names{"lambda_1", "normal"});
}

TEST_CASE("names of multipliers that are none, or belong to something else, are refused") {
  const std::vector<std::vector<std::string>> wrong{
      {"a"},       {"a", "b", "c"},  {"", "x"},    {"", "x_dot"},    {"", "m"},
      {"", "t"},   {"", "energy"},   {"a", "a"},   {"lambda_2", ""}, {"", "2nd"},
      {"", "a b"}, {"", "lambda_1"}, {"", "spin"}, {"", "y_ddot"}};
  for (const auto& names : wrong) CHECK_THROWS_AS(guided(names), RequestError);
}

TEST_CASE("names survive as text, and texts without names are as ever") {
  const std::string named = serialise(guided({"", "normal"})), plain = serialise(guided({}));
  CHECK(deserialise_system(named).multiplier_names() == guided({"", "normal"}).multiplier_names());
  CHECK(deserialise_system(plain).multiplier_names() == guided({}).multiplier_names());
  CHECK(serialise(deserialise_system(named)) == named);
  CHECK(serialise(guided({"", ""})) == plain);
}

TEST_CASE("systems that differ in names only compute the same bits") {
  const Start start{.q = {0.2, 0.1, 0.0}, .v = {0.2, 0.1, 0.02}};
  const SimulateOptions options{.step = 0.1, .steps = 20};
  const Method method = make_method({"lobatto"});
  const Solution named = simulate(guided({"side", "normal"}), method, start, options);
  const Solution plain = simulate(guided({}), method, start, options);
  REQUIRE(named.ok());
  for (const char* column : {"x", "z_dot", "lambda_1", "lambda_2", "energy"})
    CHECK(named.column(column) == plain.column(column));
  CHECK(named.column("normal") == plain.column("lambda_2"));
  CHECK(named.names()[7] == "side");
  CHECK_THROWS_AS(static_cast<void>(named.column("lambda_3")), RequestError);
}
