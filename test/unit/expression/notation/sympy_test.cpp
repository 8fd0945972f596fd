#include "dalembert/expression/notation/sympy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/parser.hpp"

using namespace dalembert;

namespace {

std::string sympy(const std::string& text) {
  const GraphPointer graph = std::make_shared<Graph>();
  Scope scope;
  for (const char* name : {"x", "y", "z", "lambda", "theta_dot"})
    scope.names.emplace(name, make_symbol(graph, name));
  return to_sympy(parse(text, scope));
}

}  // namespace

TEST_CASE("Names in Python") {
  CHECK(sympy_name("theta_dot") == "theta_dot");
  CHECK(sympy_name("lambda") == "lambda_");
  CHECK(sympy_name("pi") == "pi_");
  CHECK(sympy_name("pi_") == "pi__");
  CHECK(sympy_name("Max") == "Max_");
  CHECK(sympy_name("R[1,2]") == "R_1_2");
  CHECK(sympy_name("R_dot[3]") == "R_dot_3");
  CHECK(std::ranges::is_sorted(sympy_functions()));
}

TEST_CASE("Expressions as SymPy reads them") {
  CHECK(sympy("x + y - z") == "x + y - z");
  CHECK(sympy("x - (y - z)") == "x - y + z");
  CHECK(sympy("x*(y + z)/2") == "Rational(1, 2)*x*(y + z)");
  CHECK(sympy("x/(2*y)") == "x/(2*y)");
  CHECK(sympy("(x + y)/(y*z)") == "(x + y)/(y*z)");
  CHECK(sympy("x/3") == "Rational(1, 3)*x");
  CHECK(sympy("0.1*x") == "0.1*x");
  CHECK(sympy("theta_dot^2/2") == "Rational(1, 2)*theta_dot**2");
  CHECK(sympy("(-x)^y") == "(-x)**y");
  CHECK(sympy("x^(-y)") == "x**(-y)");
  CHECK(sympy("(x^y)^z") == "(x**y)**z");
  CHECK(sympy("x^y^z") == "x**(y**z)");
  CHECK(sympy("-lambda*x") == "-x*lambda_");
  CHECK(sympy("abs(x) + floor(y)") == "Abs(x) + floor(y)");
  CHECK(sympy("sign(x)") == "Piecewise((1, x >= 0), (-1, True))");
  CHECK(sympy("atan2(x, y)") == "atan2(x, y)");
  CHECK(sympy("pi*x") == "pi*x");
  CHECK(sympy("max(x, y) + min(x, 0)") == "Max(x, y) + Min(x, 0)");
  CHECK(sympy("piecewise(x, y >= 1 and z < 2, 0)") ==
        "Piecewise((x, And(y >= 1, z < 2)), (0, True))");
  CHECK(sympy("piecewise(x, y >= 1 or z < 2, 0)") ==
        "Piecewise((x, Or(y >= 1, z < 2)), (0, True))");
}

TEST_CASE("Functions that SymPy does not have are written out") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x");
  CHECK(to_sympy(sinc(x)) == "Piecewise((1, Eq(x, 0)), (sin(x)/x, True))");
  CHECK(to_sympy(sinhc(2.0 * x)) == "Piecewise((1, Eq(2*x, 0)), (sinh(2*x)/(2*x), True))");
  CHECK(to_sympy(sinc(x, 1)) ==
        "Piecewise((Rational(1, 3), Eq(x, 0)), ((-cos(x) + sin(x)/x)/x**2, True))");
  CHECK(to_sympy(sinc(x, 2)) ==
        "Piecewise((Rational(1, 15), Eq(x, 0)), ((-3*cos(x) + (3 - x**2)*sin(x)/x)/x**4, True))");
  CHECK(to_sympy(sinhc(x, 1)) ==
        "Piecewise((Rational(1, 3), Eq(x, 0)), ((cosh(x) - sinh(x)/x)/x**2, True))");
  CHECK(to_sympy(sinc_root(x, -1)) == "cos(sqrt(x))");
  CHECK(to_sympy(sinc_root(x, 1)) ==
        "Piecewise((Rational(1, 3), Eq(x, 0)), ((-cos(sqrt(x)) + sin(sqrt(x))/sqrt(x))/x, "
        "True))");
}

TEST_CASE("Opaque functions and entries of linear systems for SymPy") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  const Expr v = opaque_function("V", x);
  CHECK(to_sympy(v) == "V(x)");
  CHECK(to_sympy(gradient(v, {x})[0]) ==
        "Subs(Derivative(V(Symbol('_x')), (Symbol('_x'), 1)), Symbol('_x'), x)");
  Matrix a(2, 2);
  a.entries() = {x, y, y, x};
  CHECK(to_sympy(solve_linear(a, Vector{1.0, 2.0})[1]) ==
        "Matrix([[x, y], [y, x]]).LUsolve(Matrix([1, 2]))[1]");
}
