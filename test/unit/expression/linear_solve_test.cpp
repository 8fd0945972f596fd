#include "dalembert/expression/linear_solve.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "dalembert/numeric/extremes.hpp"
#include "support/direct_evaluation.hpp"
#include "support/round_off.hpp"
#include "unit/numeric/support.hpp"

using namespace dalembert;
using test_support::DirectEvaluation;

namespace {

/// A random sparse matrix of expressions, with a right-hand side, over symbols of which some are
/// known to be positive (provable pivots) and others not.
struct RandomSystem {
  const GraphPointer graph = std::make_shared<Graph>();
  Vector symbols;
  Matrix a;
  Vector b;

  RandomSystem(std::uint64_t seed, std::size_t n, double density, double provable) : a(n, n), b(n) {
    numeric_test::Random random{seed};
    for (std::size_t i = 0; i < 2 * n; ++i) {
      const bool positive = random.uniform(0.0, 1.0) < provable;
      symbols.push_back(make_symbol(graph, "s", positive ? SignFacts::positive() : SignFacts{}));
    }
    const auto any = [&]() -> Expr {
      const Expr& s = symbols[random.next() % symbols.size()];
      const Expr& r = symbols[random.next() % symbols.size()];
      switch (random.next() % 4) {
        case 0:
          return random.uniform(-2.0, 2.0);
        case 1:
          return s;
        case 2:
          return s * r;
        default:
          return sin(s) + r;
      }
    };
    for (std::size_t i = 0; i < n; ++i) {
      b[i] = any();
      for (std::size_t j = 0; j < n; ++j) {
        if (random.uniform(0.0, 1.0) < density) a(i, j) = any();
      }
      // A cyclic diagonal that may or may not be provably non-zero keeps the matrix regular.
      a(i, (i + seed) % n) = any() + symbols[i] * 2.0;
    }
  }
};

/// The residual of the symbolic solution, relative to the size of its terms, at random points.
void check_solution(RandomSystem& system, std::uint64_t seed) {
  const std::size_t n = system.b.size();
  const Vector x = solve_linear(system.a, system.b);
  numeric_test::Random random{seed};
  for (int k = 0; k < 5; ++k) {
    std::vector<double> at;
    for (std::size_t i = 0; i < system.symbols.size(); ++i) at.push_back(random.uniform(0.3, 1.7));
    DirectEvaluation<double> value(system.symbols, at);
    std::vector<double> matrix, pivot(n), right, numeric_x, solution;
    for (const Expr& entry : system.a.entries()) matrix.push_back(value(entry));
    for (const Expr& entry : system.b) right.push_back(value(entry));
    for (const Expr& entry : x) solution.push_back(value(entry));
    const std::vector<double> original = matrix;
    const auto report = numeric::lu_factor(static_cast<int>(n), matrix.data(), pivot.data());
    numeric_x = right;
    numeric::lu_solve(static_cast<int>(n), matrix.data(), pivot.data(), numeric_x.data());
    if (report.pivot_ratio < 1e-3) continue;  // a matrix that is nearly singular by chance
    double scale = 1.0;
    for (const double entry : numeric_x) scale = numeric::larger(scale, std::fabs(entry));
    // Elimination without numeric pivoting may lose a few digits where a provable pivot is small.
    for (std::size_t i = 0; i < n; ++i)
      CHECK(std::fabs(solution[i] - numeric_x[i]) <= 1e-9 * scale);
  }
}

}  // namespace

TEST_CASE("Random sparse systems agree with numeric elimination") {
  for (const double provable : {0.0, 0.5, 1.0}) {
    for (const double density : {0.15, 0.5, 1.0}) {
      for (std::uint64_t seed = 1; seed <= 15; ++seed) {
        RandomSystem system(seed, 2 + seed % 5, density, provable);
        check_solution(system, seed);
      }
    }
  }
}

TEST_CASE("Provable pivots are eliminated without a numeric solve") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr m = make_symbol(graph, "m", SignFacts::positive()), x = make_symbol(graph, "x");
  Matrix a(3, 3);  // mass, and one constraint row
  a.entries() = {m, 0.0, -x, 0.0, m, -1.0, x, 1.0, 0.0};
  const Vector solution = solve_linear(a, {x, 2.0, 0.0});
  for (NodeId id = 0; id < graph->size(); ++id)
    CHECK(graph->node(id).operation != Operation::solve);
  DirectEvaluation<double> value({m, x}, {2.0, 0.5});
  const double v1 = value(solution[0]), v2 = value(solution[1]), lambda = value(solution[2]);
  constexpr double few = test_support::round_off_of(4.0);  // a row has two products and a sum
  CHECK(2.0 * v1 - 0.5 * lambda == doctest::Approx(0.5).epsilon(few));
  CHECK(2.0 * v2 - lambda == doctest::Approx(2.0).epsilon(few));
  CHECK(0.5 * v1 + v2 == doctest::Approx(0.0).scale(1.0).epsilon(few));
}

TEST_CASE("Without provable pivots the rest is solved with numeric pivoting") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  Matrix a(2, 2);
  a.entries() = {x, y, y, x};
  const Vector solution = solve_linear(a, Vector{1.0, 2.0});
  CHECK(solution[0].is(Operation::component));
  DirectEvaluation<double> value({x, y}, {0.0, 4.0});  // needs a row exchange
  CHECK(value(solution[0]) == 0.5);
  CHECK(value(solution[1]) == 0.25);
}

TEST_CASE("One unknown is a division") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  Matrix a(1, 1);
  a(0, 0) = x;
  CHECK(same(solve_linear(a, Vector{y})[0], y / x));
}

TEST_CASE("Several right-hand sides") {
  RandomSystem system(3, 4, 0.7, 0.5);
  Matrix right(4, 2);
  for (std::size_t i = 0; i < 4; ++i) {
    right(i, 0) = system.b[i];
    right(i, 1) = system.symbols[i];
  }
  const Matrix both = solve_linear(system.a, right);
  const std::vector<double> at{0.5, 1.5, 0.7, 1.1, 0.9, 1.3, 0.4, 0.8};
  DirectEvaluation<double> value(system.symbols, at);
  // Each of four eliminations has some ten operations; pivots of a tenth enlarge their rounding.
  constexpr double tolerance = test_support::round_off_of(40.0, 10.0);
  for (std::size_t k = 0; k < 2; ++k) {
    const Vector one = solve_linear(system.a, right.column(k));
    for (std::size_t i = 0; i < 4; ++i)
      CHECK(value(both(i, k)) == doctest::Approx(value(one[i])).epsilon(tolerance));
  }
}

TEST_CASE("Structurally singular systems are refused") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x");
  Matrix row(2, 2), column(2, 2), repeated(2, 2);
  row.entries() = {x, x, 0.0, 0.0};
  column.entries() = {x, 0.0, x, 0.0};
  repeated.entries() = {1.0, x, 1.0, x};
  CHECK_THROWS_AS(solve_linear(row, Vector{1.0, 1.0}), std::domain_error);
  CHECK_THROWS_AS(solve_linear(column, Vector{1.0, 1.0}), std::domain_error);
  CHECK_THROWS_AS(solve_linear(repeated, Vector{1.0, 1.0}), std::domain_error);
}
