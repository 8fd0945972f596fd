#include "dalembert/expression/printer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/notation/latex.hpp"
#include "dalembert/expression/notation/sympy.hpp"
#include "dalembert/expression/parser.hpp"
#include "support/random_expression.hpp"

using namespace dalembert;

TEST_CASE("Expressions are printed in the grammar of problem files") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z");
  CHECK(to_string(x + y) == "x + y");
  CHECK(to_string(x - (y - z)) == "x - (y - z)");
  CHECK(to_string(x - y - z) == "x - y - z");
  CHECK(to_string(x * (y + z)) == "x*(y + z)");
  CHECK(to_string(x / (y * z)) == "x/(y*z)");
  CHECK(to_string(x / y / z) == "x/y/z");
  CHECK(to_string(-(x + y)) == "-(x + y)");
  CHECK(to_string(square(x)) == "x^2");
  CHECK(to_string(square(x + y)) == "(x + y)^2");
  CHECK(to_string(pow(x, y)) == "x^y");
  CHECK(to_string(pow(pow(x, y), z)) == "(x^y)^z");
  CHECK(to_string(pow(x, pow(y, z))) == "x^y^z");
  CHECK(to_string(pow(-x, y)) == "(-x)^y");
  CHECK(to_string(pow(x, -y)) == "x^(-y)");
  CHECK(to_string(atan2(y, x)) == "atan2(y, x)");
  CHECK(to_string(exp(sin(x))) == "exp(sin(x))");
  CHECK(to_string(sinc(x)) == "sinc(x)");
  CHECK(to_string(sinc(x, 2)) == "sinc_2(x)");
  CHECK(to_string(sinc_root(x + y, -1)) == "sinc_root(x + y, -1)");
  CHECK(to_string(opaque_function("V", x)) == "V(x)");
  CHECK(to_string(gradient(opaque_function("V", x), {x})[0]) == "V'(x)");
}

TEST_CASE("Constants") {
  CHECK(to_string(Expr(2.0)) == "2");
  CHECK(to_string(Expr(0.1)) == "0.1");
  CHECK(to_string(Expr(-1.5)) == "-1.5");
  CHECK(to_string(Expr(1e-300)) == "1e-300");
  CHECK(to_string(Expr(1.0) / 3.0) == "1/3");
  CHECK(to_string(Expr(-5.0) / 7.0) == "-5/7");
  CHECK(to_string(Expr(pi_constant)) == "pi");
  for (const double value : {0.1, 1.0 / 3.0, 1e22, 5e-324, 1.7976931348623157e308, -0.3})
    CHECK(std::strtod(to_string(value).c_str(), nullptr) == value);
}

TEST_CASE("Negative constants are enclosed where a sign would be misread") {
  const GraphPointer graph = std::make_shared<Graph>();
  Scope scope;
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  scope.names = {{"x", x}, {"y", y}};
  const Expr third = Expr(-1.0) / 3.0;
  for (const Expr& e :
       {pow(x, -2.5), pow(Expr(-2.0), x), -2.0 * x, pow(x * -3.0, y), third * x, pow(x, third),
        x / third, -1.5 + x, exp(-2.0 * x), (-2.0) / x, sinc_root(-2.0 * x, -1)}) {
    CHECK_MESSAGE(same(parse(to_string(e), scope), e), to_string(e));
  }
}

TEST_CASE("Random graphs survive printing and parsing, to rounding") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const GraphPointer graph = std::make_shared<Graph>();
    const Vector symbols{make_symbol(graph, "x"), make_symbol(graph, "y"),
                         make_symbol(graph, "k", {}, true)};
    Scope scope;
    scope.names = {{"x", symbols[0]}, {"y", symbols[1]}, {"k", symbols[2]}};
    const std::vector<long double> point{0.4L, -1.1L, 0.8L};
    test_support::RandomExpressions random(seed, symbols, {point}, 0x1p-52L);
    for (int i = 0; i < 25; ++i) random.grow();
    test_support::DirectEvaluation<long double> evaluate(symbols, point);
    for (const auto& [expression, plain] : random.pool()) {
      const std::string text = to_string(expression);
      if (text.size() > 5000) continue;  // a shared graph is printed as a tree
      const long double again = evaluate(parse(text, scope));
      CHECK_MESSAGE(std::fabs(again - plain[0].value) <= 4.0L * plain[0].error + 1e-15L, text);
    }
  }
}

TEST_CASE("Entries of linear systems are printed for the eye") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  Matrix a(2, 2);
  a.entries() = {x, y, y, x};
  CHECK(to_string(solve_linear(a, Vector{1.0, 2.0})[1]) == "solve(x, y, y, x, 1, 2)[2]");
}

TEST_CASE("Shared parts are not written out without end") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x");
  Expr chain = x;
  // Written as a tree it has 2^60 characters.
  for (int i = 0; i < 60; ++i) chain = sin(chain) * chain + 1.0;
  CHECK(to_string(chain).size() < 100'000);
  CHECK(to_string(chain).find("(...)") != std::string::npos);
  CHECK_THROWS_WITH_AS(to_latex(chain), doctest::Contains("a million characters"), RequestError);
  CHECK_THROWS_AS(to_sympy(chain), RequestError);
}
