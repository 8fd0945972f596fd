// What makes no sense is refused where it is defined or started, by name, place and size.

#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

TextSystem plain() { return particle_in_space("plain"); }

/// The call throws RequestError with all these parts in its message.
template <class Call>
void check_refused(const Call& call, const std::vector<std::string>& parts) {
  try {
    call();
    FAIL_CHECK("accepted; expected: ", parts.front());
  } catch (const RequestError& error) {
    const std::string message = error.what();
    for (const std::string& part : parts)
      CHECK_MESSAGE(message.find(part) != std::string::npos, "\"", part, "\" is not in: ", message);
  }
}

void check_definition(const TextSystem& text, const std::vector<std::string>& parts) {
  check_refused([&] { define(text); }, parts);
}

using Numbers = std::vector<double>;
void check_start(const TextSystem& text, const Numbers& q, const Numbers& v,
                 const std::vector<std::string>& parts) {
  const System system = define(text);
  Evaluator evaluator(system);
  check_refused([&] { evaluator.check_regular(0.0, q, v); }, parts);
}

}  // namespace

TEST_CASE("Equations that make no sense are refused when the system is defined") {
  TextSystem text = plain();
  text.kinetic = "(x_dot^2 + y_dot^2)/2";
  check_definition(text, {"plain", "no kinetic energy", "z_dot", "singular"});
  text = plain();
  text.constraints = {"x_dot - x_dot"};
  check_definition(text, {"plain", "constraint 1", "identically zero"});
  text.constraints = {"x_dot + y_dot", "x^2 + y"};
  check_definition(text, {"constraint 2", "contains no velocity", "holonomic"});
  text = plain();
  text.kinetic = "((x_dot + y_dot)^2 + z_dot^2)/2";
  check_definition(text, {"plain", "mass matrix is singular for every state"});
  text = plain();
  text.coordinates = {"x", "x", "z"};
  check_definition(text, {"\"x\"", "used twice"});
  text = plain();
  text.parameters = {{"y", 1.0}};
  check_definition(text, {"\"y\"", "used twice"});
  text = plain();
  text.force = {"0", "0"};
  check_definition(text, {"force", "one entry per coordinate"});
  text = plain();
  text.reversal = std::vector<double>{1.0};
  check_definition(text, {"reversal", "one sign per coordinate"});
  text.coordinates = {};
  text.kinetic = "0";
  text.reversal.reset();
  check_definition(text, {"no coordinates"});
}

TEST_CASE("A singular mass matrix is named with the place") {
  TextSystem text = plain();
  text.kinetic = "(x_dot^2 + y_dot^2 + x^2*z_dot^2)/2";
  check_start(text, {0, 0.5, 0}, {1, 0, 0},
              {"mass matrix", "plain", "(0, 0.5, 0)", "singular", "pivot"});
  text.kinetic = "(x_dot^2 + y_dot^2 + z_dot^2)/2 + cos(z)*x_dot*y_dot";
  check_start(text, {1, 0, 0}, {1, 0, 0}, {"mass matrix", "(1, 0, 0)", "singular"});
}

TEST_CASE("Dependent and vanishing constraints are named") {
  TextSystem text = plain();
  text.constraints = {"x_dot", "y_dot", "z_dot", "x_dot + z_dot"};
  check_refused([&] { Evaluator(define(text)); }, {"4 constraints", "3 coordinates"});
  text.constraints = {"x_dot + y*z_dot", "2*x_dot + 2*y*z_dot"};
  check_refused([&] { Evaluator(define(text)); },
                {"plain", "constraints are dependent for every state", "2 times constraint 1"});
  text.constraints = {"x_dot + y*z_dot", "x_dot + z*z_dot"};
  check_start(text, {0, 0.5, 0.5}, {0, 1, 0},
              {"constraint 2", "not independent", "(0, 0.5, 0.5)", "new"});
  text.constraints = {"x*x_dot + y*z_dot"};
  check_start(text, {0, 0, 1}, {1, 1, 1}, {"constraint 1", "vanishes for every velocity"});
}

TEST_CASE("A start off the constraint says by how much, unless a violation is allowed") {
  TextSystem text = plain();
  text.constraints = {"z_dot - y*x_dot"};
  check_start(text, {0, 2, 0}, {1, 0, 1.75},
              {"constraint 1", "violated by -0.25", "project = true", "(1, 0, 1.75)"});
  Evaluator evaluator(define(text));
  CHECK_NOTHROW(evaluator.check_regular(0, Numbers{0, 2, 0}, Numbers{1, 0, 1.75}, true));
  CHECK_NOTHROW(evaluator.check_regular(0, Numbers{0, 2, 0}, Numbers{1, 0, 2}));
  // Round-off of data is no violation.
  CHECK_NOTHROW(evaluator.check_regular(0, Numbers{0, 2, 0}, Numbers{1, 0, 2 + 4e-16}));
  CHECK_THROWS_AS(evaluator.check_regular(0, Numbers{0, 2, 0}, Numbers{1, 0, 2 + 1e-12}),
                  RequestError);
}

TEST_CASE("Divisions by zero are named by what they spoil") {
  TextSystem text = plain();
  text.potential = "1/x";
  check_start(text, {0, 0, 0}, {1, 0, 0}, {"Lagrangian", "not a finite number", "division"});
  text = plain();
  text.constraints = {"x_dot/y + z_dot"};
  check_start(text, {0, 0, 0}, {0, 1, 0}, {"constraint", "not finite"});
  text = plain();
  text.kinetic = "(x_dot^2 + y_dot^2 + z_dot^2/x)/2";
  check_start(text, {0, 0, 0}, {1, 0, 0}, {"not"});
  text = plain();
  text.potential = "sqrt(x)";  // finite, but its slope is not
  check_start(text, {0, 0, 0}, {1, 0, 0}, {"acceleration", "not finite"});
}

TEST_CASE("Parameters out of range and of the wrong number") {
  SystemDescription description{"ranged", {{"x"}, {"y"}}};
  Parameter mass;
  mass.name = "m";
  mass.value = 1.0;
  mass.min = 0.0;
  mass.min_exclusive = true;
  description.parameters = {mass};
  const System system = System::define(description, [](const Symbols& s) {
    Mechanics m;
    m.kinetic = s["m"] * (square(s.v[0]) + square(s.v[1])) / 2.0;
    return m;
  });
  check_refused([&] { Evaluator(system, Numbers{0.0}); }, {"\"m\"", "is 0", "must be > 0"});
  check_refused([&] { Evaluator(system, Numbers{-1.0}); }, {"\"m\"", "-1"});
  check_refused([&] { Evaluator(system, Numbers{std::numeric_limits<double>::quiet_NaN()}); },
                {"\"m\"", "nan"});
  check_refused([&] { Evaluator(system, Numbers{1.0, 2.0}); }, {"1 parameters, not 2"});
  CHECK_NOTHROW(Evaluator(system, Numbers{2.0}));
}

TEST_CASE("Ranges in words") {
  Parameter p;
  CHECK(p.range_text() == "any real number");
  p.min = -1.0;
  CHECK(p.range_text() == ">= -1");
  p.min_exclusive = true;
  CHECK(p.range_text() == "> -1");
  p.max = 2.0;
  CHECK(p.range_text() == "in (-1, 2]");
  CHECK(p.admits(2.0));
  CHECK_FALSE(p.admits(-1.0));
  CHECK_FALSE(p.admits(std::numeric_limits<double>::quiet_NaN()));
}
