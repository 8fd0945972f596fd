// Also under the sanitizers of tool/check proof, but for what is slow.

#include "dalembert/mechanics/difference/quadrature.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/error.hpp"
#include "study/extended.hpp"

using namespace dalembert;
using dalembert::study::Extended;

namespace {

Extended value(const Constant& c) { return c.as<Extended>(); }

/// int_0^1 x^k by the rule, minus 1/(k+1).
double moment_error(const QuadratureRule& rule, int k) {
  Extended sum = 0;
  for (std::size_t i = 0; i < rule.nodes.size(); ++i)
    sum += value(rule.weights[i]) * pow(value(rule.nodes[i]), k);
  return static_cast<double>(abs(sum - Extended(1) / (k + 1)));
}

/// The unit of round-off of constants, which have two parts of 53 bits.
const Extended unit_of_constants = 0x1p-106;

/// Exact to about 100 bits (the weights of many points lose some) up to `degree`, and not beyond.
void check_degree(const QuadratureRule& rule, int degree) {
  const auto points = static_cast<double>(rule.nodes.size());
  for (int k = 0; k <= degree; ++k)
    CHECK_MESSAGE(moment_error(rule, k) < 1e-30 * std::pow(10.0, points / 2.0), points,
                  " points, moment ", k);
  // Gauss' rules err least: by s!^4/((2 s + 1) (2 s)!^2), 9e-8 for six points.
  if (points <= 6) CHECK(moment_error(rule, degree + 1) > 8e-8);
}

void check_shape(const QuadratureRule& rule) {
  for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
    CHECK(rule.weights[i].high > 0.0);
    CHECK(rule.nodes[i].high >= 0.0);
    CHECK(rule.nodes[i].high <= 1.0);
    if (i > 0) CHECK(rule.nodes[i - 1].high < rule.nodes[i].high);
  }
}

}  // namespace

TEST_CASE("Gauss rules: degree 2s - 1" * doctest::test_suite("slow")) {
  for (int s = 1; s <= 14; ++s) {
    check_degree(gauss_rule(s), 2 * s - 1);
    check_shape(gauss_rule(s));
  }
  // Weights from the slopes at the nodes do not lose digits with every point: moments err by the
  // round-off of as many terms, and of the recurrence of as many steps.
  for (int s : {11, 12, 16, 21, 32, most_quadrature_nodes}) {
    check_shape(gauss_rule(s));
    for (int k = 0; k < 2 * s; ++k)
      CHECK(moment_error(gauss_rule(s), k) < s * s * unit_of_constants);
  }
}

TEST_CASE("Lobatto rules: degree 2s - 3, with both ends") {
  for (int s = 2; s <= 14; ++s) {
    const QuadratureRule rule = lobatto_rule(s);
    check_degree(rule, 2 * s - 3);
    check_shape(rule);
    CHECK(rule.nodes.front() == Constant{0.0});
    CHECK(rule.nodes.back() == Constant{1.0});
  }
}

TEST_CASE("Radau rules: degree 2s - 2, with the right end") {
  for (int s = 1; s <= 14; ++s) {
    const QuadratureRule rule = radau_rule(s);
    check_degree(rule, 2 * s - 2);
    check_shape(rule);
    CHECK(rule.nodes.back() == Constant{1.0});
  }
}

TEST_CASE("Known nodes to quadruple precision") {
  const Extended third = sqrt(Extended(3)) / 6;
  CHECK(abs(value(gauss_rule(2).nodes[0]) - (Extended(1) / 2 - third)) < unit_of_constants);
  CHECK(abs(value(lobatto_rule(4).nodes[1]) - (Extended(1) / 2 - sqrt(Extended(5)) / 10)) <
        unit_of_constants);
  CHECK(abs(value(radau_rule(2).nodes[0]) - Extended(1) / 3) < unit_of_constants);
}

TEST_CASE("Collocation coefficients integrate polynomials up to each node") {
  for (const QuadratureRule& rule :
       {gauss_rule(3), gauss_rule(5), lobatto_rule(4), radau_rule(3)}) {
    const auto a = collocation_coefficients(rule.nodes);
    const std::size_t s = rule.nodes.size();
    for (std::size_t i = 0; i < s; ++i) {
      for (int k = 1; k <= static_cast<int>(s); ++k) {  // C(s)
        Extended sum = 0;
        for (std::size_t j = 0; j < s; ++j)
          sum += value(a[i][j]) * pow(value(rule.nodes[j]), k - 1);
        // Coefficients come from polynomials whose terms are up to 100 times as large.
        CHECK(abs(sum - pow(value(rule.nodes[i]), k) / k) < 100 * unit_of_constants);
      }
    }
  }
}

TEST_CASE("Lagrange polynomials integrated to any end") {
  const QuadratureRule rule = gauss_rule(3);
  const Constant end{0.3};
  const auto weights = integrated_lagrange(rule.nodes, end);
  for (int k = 0; k < 3; ++k) {
    Extended sum = 0;
    for (std::size_t j = 0; j < 3; ++j) sum += value(weights[j]) * pow(value(rule.nodes[j]), k);
    CHECK(abs(sum - pow(Extended(0.3), k + 1) / (k + 1)) <
          3 * unit_of_constants);  // of three terms
  }
}

TEST_CASE("Numbers of points that make no sense") {
  CHECK_THROWS_AS(gauss_rule(0), RequestError);
  CHECK_THROWS_AS(lobatto_rule(1), RequestError);
  CHECK_THROWS_AS(radau_rule(0), RequestError);
  CHECK_THROWS_AS(gauss_rule(most_quadrature_nodes + 1), RequestError);
}
