#include "dalembert/expression/sparse/numeric_sample.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/expression/linear_solve.hpp"

using namespace dalembert;

TEST_CASE(
    "A sample keeps known signs and chosen numbers, and has nan for what it cannot evaluate") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr m = make_symbol(graph, "m", SignFacts::positive()), x = make_symbol(graph, "x"),
             y = make_symbol(graph, "y");
  const Matrix matrix(2, 2);
  Matrix unknown = matrix;
  for (std::size_t i = 0; i < 4; ++i) unknown.entries()[i] = sin(x * double(i + 1)) + y;
  const Vector expressions{m, x + y, Expr(2.0), solve_by_pivoting(unknown, {x, y}).front()};
  NumericSample sample(expressions);
  sample.set(x, 0.25);
  sample.set(y, 0.5);
  const std::vector<double> values = sample();
  CHECK(values[0] > 0.0);
  CHECK(values[1] == 0.75);
  CHECK(values[2] == 2.0);
  // Row by row: (a1 + y) s + (a2 + y) r = x, (a3 + y) s + (a4 + y) r = y.
  const double a = std::sin(0.25) + 0.5, b = std::sin(0.5) + 0.5, c = std::sin(0.75) + 0.5,
               d = std::sin(1.0) + 0.5;
  CHECK(values[3] == doctest::Approx((0.25 * d - 0.5 * b) / (a * d - b * c)).epsilon(1e-13));
  sample.choose(1);
  CHECK(sample()[0] != values[0]);
}
