#include "dalembert/expression/sparse/sparse_solve.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "dalembert/expression/query.hpp"

using namespace dalembert;

namespace {

/// The saddle point matrix of a chain: a mass matrix that couples neighbours, and a constraint for
/// each pair of them.
struct Chain {
  const GraphPointer graph = std::make_shared<Graph>();
  Matrix matrix;
  Vector right_side, symbols;

  explicit Chain(std::size_t n) : matrix(2 * n - 1, 2 * n - 1) {
    const Expr m = make_symbol(graph, "m", SignFacts::positive(), true);
    symbols.push_back(m);
    const auto set = [&](std::size_t i, std::size_t j, const Expr& value) {
      matrix(i, j) = value;
      matrix(j, i) = value;
    };
    for (std::size_t i = 0; i < n; ++i) set(i, i, 2.0 * m / 3.0);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      set(i, i + 1, m / 6.0);
      const Expr a = make_symbol(graph, "a"), b = make_symbol(graph, "b");
      set(n + i, i, a);
      set(n + i, i + 1, b);
      symbols.push_back(a);
      symbols.push_back(b);
    }
    for (std::size_t i = 0; i < 2 * n - 1; ++i) right_side.push_back(make_symbol(graph, "r"));
    symbols = concatenate({symbols, right_side});
  }
};

/// The largest residual of a solution where all symbols are numbers, in constants of 106 bits.
double residual(const Chain& chain, const Vector& x) {
  const Vector expressions = chain.matrix * x - chain.right_side;
  Vector numbers{1.3};
  for (std::size_t i = 1; i < chain.symbols.size(); ++i)
    numbers.push_back(Expr(0.6 * std::sin(1.7 * static_cast<double>(i))));
  double largest = 0.0;
  for (const Expr& entry : substitute(expressions, chain.symbols, numbers)) {
    REQUIRE(entry.is_constant());
    const double size = std::fabs(entry.constant().high);
    largest = size <= largest ? largest : size;
  }
  return largest;
}

std::size_t nodes_of_a_solution(std::size_t n) {
  const Chain chain(n);
  const std::size_t before = chain.graph->size();
  static_cast<void>(solve_linear(chain.matrix, chain.right_side));
  return chain.graph->size() - before;
}

}  // namespace

TEST_CASE("A long chain is solved along itself, with expressions that grow with its length") {
  const Chain chain(60);
  // Expressions of constants have 106 bits; a solution that grows from link to link would lose
  // 0.57 digits at each, (2 + sqrt 3)^60 in all.
  CHECK(residual(chain, solve_linear(chain.matrix, chain.right_side)) < 1e-12);
  CHECK(double(nodes_of_a_solution(120)) < 2.2 * double(nodes_of_a_solution(60)));
}

TEST_CASE("A constraint waits for all that it holds together") {
  const Chain chain(20);
  const auto order = symmetric_order(sparse_rows(chain.matrix));
  REQUIRE(order);
  std::vector<bool> done(chain.matrix.rows(), false);
  for (const Pivot& pivot : *order) {
    CHECK(pivot.row == pivot.column);
    for (std::size_t j = 0; pivot.row >= 20 && j < 20; ++j)
      CHECK((done[j] || chain.matrix(pivot.row, j).is_constant(0.0)));
    done[pivot.row] = true;
  }
}

TEST_CASE("There is no sparse order of a dense matrix, of one that is singular, and of others") {
  const std::size_t n = 30;
  Matrix dense = Matrix::identity(n), singular = dense, triangular = dense;
  const GraphPointer graph = std::make_shared<Graph>();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) dense(i, j) = make_symbol(graph, "s");
  }
  singular(n - 1, n - 2) = singular(n - 2, n - 1) = 1.0;
  triangular(0, 1) = 1.0;
  CHECK_FALSE(symmetric_order(sparse_rows(dense)));
  CHECK_FALSE(symmetric_order(sparse_rows(singular)));
  CHECK_FALSE(symmetric_order(sparse_rows(triangular)));
  CHECK_THROWS_AS(solve_linear(singular, zeros(n)), std::domain_error);
}
