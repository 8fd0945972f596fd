#include "dalembert/expression/notation/latex.hpp"

#include <doctest/doctest.h>

#include <memory>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/table/table.hpp"

using namespace dalembert;

namespace {

/// The text in LaTeX, in symbols of these names; m and h are steady.
std::string latex(const std::string& text) {
  const GraphPointer graph = std::make_shared<Graph>();
  Scope scope;
  for (const char* name : {"m", "h"}) scope.names.emplace(name, make_symbol(graph, name, {}, true));
  for (const char* name : {"x", "y", "z", "theta", "x_dot", "mass", "x_1"})
    scope.names.emplace(name, make_symbol(graph, name));
  return to_latex(parse(text, scope));
}

}  // namespace

TEST_CASE("Names in LaTeX") {
  CHECK(latex_name("x") == "x");
  CHECK(latex_name("theta") == "\\theta");
  CHECK(latex_name("mu") == "\\mu");
  CHECK(latex_name("Omega") == "\\Omega");
  CHECK(latex_name("theta_dot") == "\\dot{\\theta}");
  CHECK(latex_name("theta_1_dot") == "\\dot{\\theta}_{1}");
  CHECK(latex_name("x_ddot") == "\\ddot{x}");
  CHECK(latex_name("x_1") == "x_{1}");
  CHECK(latex_name("x12") == "x_{12}");
  CHECK(latex_name("lambda0") == "\\lambda_{0}");
  CHECK(latex_name("x1_2") == "x_{1,2}");
  CHECK(latex_name("omega_x") == "\\omega_{x}");
  CHECK(latex_name("omega_mu") == "\\omega_{\\mu}");
  CHECK(latex_name("J_rotor") == "J_{\\mathrm{rotor}}");
  CHECK(latex_name("heading") == "\\mathrm{heading}");
  CHECK(latex_name("heading_dot") == "\\dot{\\mathrm{heading}}");
  CHECK(latex_name("vtilde_2") == "\\mathrm{vtilde}_{2}");
  CHECK(latex_name("driver_energy") == "\\mathrm{driver\\_energy}");
  CHECK(latex_name("R[1,2]") == "R_{1,2}");
  CHECK(latex_name("R_dot[3]") == "\\dot{R}_{3}");
  CHECK(latex_name("V'") == "V'");
  CHECK(latex_name("V''") == "V''");
  CHECK(latex_name("a1b") == "\\mathrm{a1b}");
}

TEST_CASE("Text for LaTeX") {
  CHECK(latex_text("x_1^2 <= 50% of {a & b}") ==
        "x\\_1\\textasciicircum{}2 \\textless{}= 50\\% of \\{a \\& b\\}");
  CHECK(latex_text("\\#$~") == "\\textbackslash{}\\#\\$\\textasciitilde{}");
}

TEST_CASE("Sums in LaTeX have no superfluous brackets") {
  CHECK(latex("x + y - z") == "x + y - z");
  CHECK(latex("x - (y - z)") == "x - y + z");
  CHECK(latex("-(x + y)") == "-x - y");
  CHECK(latex("x*(y + z)") == "x (y + z)");
  CHECK(latex("(x + y)*(x - z)") == "(x + y) (x - z)");
  CHECK(latex("-x*y") == "-x y");
  CHECK(latex("(-x)*(y - 2*z)") == "-x (y - 2 z)");
}

TEST_CASE("Products in LaTeX stand side by side") {
  CHECK(latex("m*x_dot^2/2") == "\\frac{1}{2} m \\dot{x}^{2}");
  CHECK(latex("0.5*h*(x + y)") == "\\frac{1}{2} h (x + y)");
  CHECK(latex("0.3*mass*x") == "0.3 x \\, \\mathrm{mass}");
  CHECK(latex("x*sin(theta)*y") == "x y \\sin \\theta");
  CHECK(latex("sin(theta)*(x + y)*cos(theta)") == "(x + y) \\sin \\theta \\cos \\theta");
  CHECK(latex("2*0.1^x") == "2 \\cdot 0.1^{x}");
  CHECK(latex("1e-10*x") == "10^{-10} x");
  CHECK(latex("1.5e-10*x") == "1.5 \\cdot 10^{-10} x");
}

TEST_CASE("Fractions and roots in LaTeX") {
  CHECK(latex("x/y") == "\\frac{x}{y}");
  CHECK(latex("(x + y)/z") == "\\frac{x + y}{z}");
  CHECK(latex("x/y/z") == "\\frac{x}{y z}");
  CHECK(latex("x/(y/z)") == "\\frac{x z}{y}");
  CHECK(latex("1/x") == "\\frac{1}{x}");
  CHECK(latex("-x/(2*y)") == "-\\frac{x}{2 y}");
  CHECK(latex("(x/y + 1)*z") == "z \\left(1 + \\frac{x}{y}\\right)");
  CHECK(latex("sqrt(x^2 + 1)") == "\\sqrt{1 + x^{2}}");
  CHECK(latex("1/sqrt(x)") == "\\frac{1}{\\sqrt{x}}");
  CHECK(latex("x^(-2)") == "\\frac{1}{x^{2}}");
}

TEST_CASE("Powers in LaTeX") {
  CHECK(latex("x^2") == "x^{2}");
  CHECK(latex("x^7") == "x^{7}");
  CHECK(latex("(x + y)^3") == "(x + y)^{3}");
  CHECK(latex("x^y") == "x^{y}");
  CHECK(latex("(x^y)^z") == "(x^{y})^{z}");
  CHECK(latex("(-x)^y") == "(-x)^{y}");
  CHECK(latex("x^(-y)") == "x^{-y}");
  CHECK(latex("(x/y)^z") == "\\left(\\frac{x}{y}\\right)^{z}");
  CHECK(latex("sin(theta)^2") == "\\sin^{2} \\theta");
  CHECK(latex("sin(x + y)^2") == "\\sin^{2}(x + y)");
  CHECK(latex("sin(x)^y") == "(\\sin x)^{y}");
}

TEST_CASE("Functions in LaTeX") {
  CHECK(latex("cos(2*x)") == "\\cos(2 x)");
  CHECK(latex("log(x/y)") == "\\ln\\left(\\frac{x}{y}\\right)");
  CHECK(latex("abs(x - y)") == "\\left|x - y\\right|");
  CHECK(latex("floor(x)") == "\\left\\lfloor x\\right\\rfloor");
  CHECK(latex("sign(x)") == "\\operatorname{sgn} x");
  CHECK(latex("asin(x)") == "\\arcsin x");
  CHECK(latex("atan2(y, x + 1)") == "\\operatorname{atan2}(y, 1 + x)");
  CHECK(latex("exp(-x)") == "\\exp(-x)");
  CHECK(latex("sinc_root(x, 1)") == "\\operatorname{sinc}_{1}(\\sqrt{x})");
  CHECK(latex("sinc_root(x, -1)") == "\\cos(\\sqrt{x})");
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), v = opaque_function("V", x);
  CHECK(to_latex(sinc(x)) == "\\operatorname{sinc}(x)");
  CHECK(to_latex(sinhc(x, 2)) == "\\operatorname{sinhc}_{2}(x)");
  CHECK(to_latex(v) == "V(x)");
  CHECK(to_latex(gradient(v, {x})[0]) == "V'(x)");
  CHECK(to_latex(square(gradient(v, {x})[0])) == "V'(x)^{2}");
  const auto table = std::make_shared<const Table>("ratio", std::vector<double>{0, 1, 2, 3},
                                                   std::vector<double>{0, 1, 4, 9});
  CHECK(to_latex(look_up(table, x, 1)) == "\\mathrm{ratio}'(x)");
}

TEST_CASE("Pieces in LaTeX") {
  CHECK(latex("max(x, y)") == "\\max(x, y)");
  CHECK(latex("min(x, 0)") == "\\min(x, 0)");
  CHECK(latex("piecewise(x, y >= 1, 0)") ==
        "\\begin{cases} x & \\text{if } y \\ge 1 \\\\ 0 & \\text{otherwise} \\end{cases}");
  CHECK(latex("2*piecewise(x, y < z, -x)") ==
        "2 \\left(\\begin{cases} -x & \\text{if } y \\ge z \\\\ x & \\text{otherwise} "
        "\\end{cases}\\right)");
  CHECK(latex("piecewise(x, y >= 1 and (z < 2 or x >= 3), y)") ==
        "\\begin{cases} x & \\text{if } y \\ge 1 \\text{ and } (z < 2 \\text{ or } x \\ge 3) \\\\ "
        "y & \\text{otherwise} \\end{cases}");
  CHECK(latex("piecewise(x, y >= 1, piecewise(y, y >= 0, z))") ==
        "\\begin{cases} x & \\text{if } y \\ge 1 \\\\ y & \\text{if } y \\ge 0 \\\\ z & "
        "\\text{otherwise} \\end{cases}");
}

TEST_CASE("Numbers in LaTeX") {
  CHECK(to_latex(0.0) == "0");
  CHECK(to_latex(-3.0) == "-3");
  CHECK(to_latex(0.375) == "\\frac{3}{8}");
  CHECK(to_latex(0.1) == "0.1");
  CHECK(to_latex(Expr(-5.0) / 7.0) == "-\\frac{5}{7}");
  CHECK(to_latex(pi_constant) == "\\pi");
  CHECK(to_latex(Expr(pi_constant) * -2.0 / 3.0) == "-\\frac{2}{3} \\pi");
  CHECK(to_latex(6.02e23) == "6.02 \\cdot 10^{23}");
}

TEST_CASE("Entries of linear systems in LaTeX") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  Matrix a(2, 2);
  a.entries() = {x, y, y, x};
  CHECK(to_latex(solve_linear(a, Vector{1.0, 2.0})[1]) ==
        "\\left[\\begin{pmatrix} x & y \\\\ y & x \\end{pmatrix}^{-1} \\begin{pmatrix} 1 \\\\ 2 "
        "\\end{pmatrix}\\right]_{2}");
}

TEST_CASE("A long chain of nodes is written without recursion") {
  const GraphPointer graph = std::make_shared<Graph>();
  Expr sum = make_symbol(graph, "x"), power = sum;
  for (int i = 0; i < 100000; ++i) sum = sum + make_symbol(graph, "y");
  CHECK(to_latex(sum).size() > 300000);
  for (int i = 0; i < 40; ++i) power = power * power;
  CHECK(to_latex(power) == "x^{1099511627776}");
}
