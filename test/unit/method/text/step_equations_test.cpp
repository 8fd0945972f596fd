#include "dalembert/method/text/step_equations.hpp"

#include <doctest/doctest.h>

#include "dalembert/expression/notation/latex.hpp"
#include "dalembert/expression/notation/mathml.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/method/text/describe.hpp"

using namespace dalembert;

namespace {

Method method_named(const std::string& name) { return make_method(MethodSpec{name, {}}); }

}  // namespace

TEST_CASE("The equations of a step come as expressions, with the names of their left sides") {
  const std::vector<EquationLine> lines = step_equations(method_named("dla01"));
  REQUIRE(lines.size() >= 4);
  CHECK(lines[0].left == "a1");
  CHECK(to_string(lines[0].right) == "q0 + 0.5*h*v0");
  CHECK(lines[1].left == "0");
  CHECK(to_latex(lines[1].right) == "M (v - v_{0}) + h (V'(a_{1}) - A(a_{1})^{T} \\lambda)");
  CHECK(lines.back().left == "lambda1");
  CHECK(to_string(lines.back().right) == "lambda");
}

TEST_CASE("A constraint matrix multiplies velocities, its transpose multipliers") {
  const std::vector<EquationLine> lines = step_equations(method_named("leapfrog"));
  std::string text;
  for (const EquationLine& line : lines) text += to_string(line.right) + "\n";
  CHECK(text.find("A(q0)^T*lambda0") != std::string::npos);
  CHECK(text.find("A(a2)^T*lambda") != std::string::npos);
  CHECK(text.find("\nA(a2)*v\n") != std::string::npos);
  CHECK(to_mathml(lines.front().right).find("<mi>T</mi>") != std::string::npos);
  // Coefficients before a matrix are steady, in any method that prints equations.
  for (const MethodEntry& entry : methods()) {
    for (const EquationLine& line : step_equations(method_named(entry.name))) {
      const std::string right = to_string(line.right);
      INFO(entry.name, ": ", right);
      for (const char* wrong : {"lambda*A(", "lambda0*A(", "v*A(", "v0*A("})
        CHECK(right.find(wrong) == std::string::npos);
    }
  }
}

TEST_CASE("Words stand beside equations, and pieces of a splitting below their names") {
  const std::vector<EquationLine> lines = step_equations(method_named("compose"));
  REQUIRE(lines.size() > 2);
  CHECK(lines.front().words == "dla01(h):");
  CHECK(lines[1].is_equation());
  CHECK(lines[1].depth == 1);
  CHECK(lines.back().words.starts_with("one step: dla01("));
}

TEST_CASE("Printed equations are these lines") {
  for (const MethodEntry& entry : methods()) {
    const Method method = method_named(entry.name);
    const std::vector<EquationLine> lines = step_equations(method);
    const std::vector<std::string> printed = describe_equations(method);
    REQUIRE(printed.size() == lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
      CHECK(printed[i].ends_with(lines[i].is_equation() ? to_string(lines[i].right)
                                                        : lines[i].words));
  }
}
