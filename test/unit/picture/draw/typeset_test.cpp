#include "picture/draw/typeset.hpp"

#include <doctest/doctest.h>

using namespace dalembert::study;

TEST_CASE("names of columns are written as in a paper") {
  CHECK(formula_markup("psi") == "ψ");
  CHECK(formula_markup("x_1") == "x_{1}");
  CHECK(formula_markup("x1") == "x_{1}");
  CHECK(formula_markup("lambda_12") == "λ_{12}");
  CHECK(formula_markup("lambda_ground_1") == "λ_{ground,1}");
  CHECK(formula_markup("Omega") == "Ω");
  CHECK(formula_markup("theta_dot") == "θ\u0307");
  CHECK(formula_markup("x1_dot") == "x\u0307_{1}");
  CHECK(formula_markup("R[1,3]") == "R_{13}");
  CHECK(formula_markup("R[10,3]") == "R_{10,3}");
}

TEST_CASE("longer names are words, and functions keep theirs") {
  CHECK(formula_markup("driver_energy") == "driver energy");
  CHECK(formula_markup("mean |moving_energy error|") == "mean |moving energy error|");
  CHECK(formula_markup("angle_dot") == "d(angle)/dt");
  CHECK(formula_markup("time t (s)") == "time t (s)");
  CHECK(formula_markup("cos(xi)") == "cos(ξ)");
  CHECK(formula_markup("gamma(2)") == "gamma(2)");
}

TEST_CASE("formulas and units") {
  CHECK(formula_markup("x^2 + 2*y_1^-1") == "x^{2} + 2·y_{1}^{−1}");
  CHECK(formula_markup("E (kg*m^2/s^2)") == "E (kg·m^{2}/s^{2})");
  CHECK(formula_markup("1e-5*x") == "1e-5·x");
  CHECK(formula_markup("x^") == "x\\^");
}

TEST_CASE("sentences keep what a user typed") {
  CHECK(sentence_markup("rotating, epsilon = 0.5, h = 0.1") == "rotating, ε = 0.5, h = 0.1");
  CHECK(sentence_markup("dla(alpha=0.4)") == "dla(alpha=0.4)");
  CHECK(sentence_markup("delta-robot and beta-plane") == "delta-robot and beta-plane");
  CHECK(sentence_markup("my_method") == "my\\_method");
  CHECK(sentence_markup("F^{beta,1/2}") == "F^{β,1/2}");
  CHECK(sentence_markup("{a} & ~b@c \\") == "\\{a\\} \\& \\~b\\@c \\\\");
}

TEST_CASE("the length of a markup is what a reader sees") {
  CHECK(shown_length(formula_markup("x1_dot")) == 3);  // x, its dot, which is a character, and 1
  CHECK(shown_length(sentence_markup("my_method")) == 9);
  CHECK(shown_length("") == 0);
}
