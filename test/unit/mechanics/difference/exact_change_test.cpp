// Changes of functions: what the two values differ by, with the round-off of the difference.

#include "dalembert/mechanics/difference/exact_change.hpp"

#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <string>

#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/tape/compiled_function.hpp"
#include "support/direct_evaluation.hpp"
#include "support/round_off.hpp"

using namespace dalembert;
using test_support::round_off_of;

namespace {

using ChangeDigits = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>,
                                                   boost::multiprecision::et_off>;

struct ChangeSetting {
  const GraphPointer graph = std::make_shared<Graph>();
  Scope scope;
  Vector x, from, step;

  ChangeSetting() {
    for (const char* name : {"x", "y"}) {
      x.push_back(make_symbol(graph, name));
      scope.names[name] = x.back();
      from.push_back(make_symbol(graph, std::string(name) + "0"));
      step.push_back(make_symbol(graph, std::string(name) + "_step"));
    }
  }
  /// The error of the change of a function over a step, relative to the step.
  double error(const Expr& f, double size) const {
    CompiledFunction change(concatenate({from, step}), exact_change(Vector{f}, x, from, step));
    const std::vector<double> input{0.7, -0.4, size, 0.375 * size};
    const double found = change(input)[0];
    const auto at = [&](double taken) {
      const ChangeDigits first = ChangeDigits(input[0]) + taken * ChangeDigits(input[2]);
      const ChangeDigits second = ChangeDigits(input[1]) + taken * ChangeDigits(input[3]);
      return test_support::DirectEvaluation<ChangeDigits>(x, {first, second})(f);
    };
    const ChangeDigits wanted = at(1.0) - at(0.0);
    return std::fabs(static_cast<double>(ChangeDigits(found) - wanted)) / size;
  }
};

}  // namespace

TEST_CASE("A change has the round-off of the change, however small it is") {
  // Derivatives of size one, in some ten operations.
  for (const char* text : {"x^3*y - 2*x", "x/(2 + y)", "sqrt(1 + x^2 + y^2)", "sin(x)*cos(y)",
                           "cos(x - 3*y)", "tan(x*y)", "atan(x - y)", "atan2(y, x)", "exp(x*y)",
                           "sinh(x) + cosh(y)", "sin(x)/sqrt(1 + sin(x)^2)"}) {
    ChangeSetting setting;
    const Expr f = parse(text, setting.scope);
    for (const double size : {0.5, 1e-2, 1e-5, 1e-10, 1e-15})
      CHECK_MESSAGE(setting.error(f, size) < round_off_of(10.0), text, ", step ", size);
  }
}

TEST_CASE("The change of the solution of a linear system has the round-off of the change") {
  ChangeSetting setting;
  Matrix matrix(2, 2);
  matrix(0, 0) = sin(setting.x[0]);
  matrix(0, 1) = setting.x[1];
  matrix(1, 0) = 1.0 - setting.x[1];
  matrix(1, 1) = setting.x[0];
  const Vector solution = solve_by_pivoting(matrix, setting.x);
  // Ten operations, in a system of condition 4.
  for (const double size : {1e-2, 1e-8, 1e-14}) {
    CHECK(setting.error(solution[0], size) < round_off_of(40.0));
    CHECK(setting.error(solution[1], size) < round_off_of(40.0));
  }
}

TEST_CASE("A function without a form for its change has the difference of its values") {
  ChangeSetting setting;
  // Two values of three operations, whose round-off the step of 0.25 divides.
  CHECK(setting.error(parse("log(3 + x)*abs(y)", setting.scope), 0.25) < round_off_of(6.0) / 0.25);
}

TEST_CASE("What does not depend on the variables does not change") {
  const ChangeSetting setting;
  const Expr other = make_symbol(setting.graph, "other");
  const Vector change = exact_change(Vector{3.0, cos(other), setting.x[0] - setting.x[0]},
                                     setting.x, setting.from, setting.step);
  for (const Expr& entry : change) CHECK(entry.is_constant(0.0));
}

TEST_CASE("It is known of which functions the change has a form without subtraction") {
  const ChangeSetting setting;
  for (const char* text :
       {"x^3*y - 2*x", "sqrt(1 + x^2)/cos(y)", "3", "sinh(x)*atan2(y, x)", "x*sign(y)"})
    CHECK(has_exact_change(Vector{parse(text, setting.scope)}, setting.x));
  for (const char* text : {"x^0.3", "1 + y*log(2 + x)", "tanh(x)", "min(x, y)", "asin(y)"}) {
    CAPTURE(text);
    CHECK_FALSE(has_exact_change(Vector{parse(text, setting.scope)}, setting.x));
  }
  // What does not change may be anything.
  CHECK(has_exact_change(Vector{parse("x*log(2 + y)", setting.scope)}, {setting.x[0]}));
}
