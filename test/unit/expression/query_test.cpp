#include "dalembert/expression/query.hpp"

#include <doctest/doctest.h>

#include "dalembert/error.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "support/direct_evaluation.hpp"
#include "support/random_expression.hpp"
#include "support/round_off.hpp"

using namespace dalembert;
using test_support::DirectEvaluation;

TEST_CASE("Polynomial degree") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), k = make_symbol(graph, "k");
  const auto degree = [&](const Expr& e) { return polynomial_degree(e, {x, y}); };
  CHECK(degree(3.0) == 0);
  CHECK(degree(k) == 0);
  CHECK(degree(sin(k)) == 0);
  CHECK(degree(x) == 1);
  CHECK(degree(x * k + y / k) == 1);
  CHECK(degree(x * y - k) == 2);
  CHECK(degree(pow(x, 5.0) * y) == 6);
  CHECK(degree(-(x * x) / 3.0) == 2);
  CHECK(degree(1.0 / x) == not_polynomial);
  CHECK(degree(sin(x)) == not_polynomial);
  CHECK(degree(abs(x)) == not_polynomial);
  CHECK(degree(pow(x, k)) == not_polynomial);
  CHECK(degree(x * sin(y)) == not_polynomial);
  CHECK(polynomial_degree(x * sin(y), {x}) == 1);
  CHECK(is_linear(x * k + y, {x, y}));
  CHECK_FALSE(is_linear(x * y, {x, y}));
  CHECK(is_linear(x * y, {x}));
}

TEST_CASE("Degree through linear systems") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), k = make_symbol(graph, "k"), l = make_symbol(graph, "l");
  Matrix a(2, 2);
  a.entries() = {k, l, l, k};
  const Vector steady = solve_linear(a, {x, x * x});
  CHECK(polynomial_degree(steady[0], {x}) == 2);
  a(0, 0) = x;
  CHECK(polynomial_degree(solve_linear(a, {x, 1.0})[0], {x}) == not_polynomial);
}

TEST_CASE("The degree is never understated: derivatives beyond it vanish") {
  // Along a line a polynomial of degree d has vanishing differences of order d + 1.
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const GraphPointer graph = std::make_shared<Graph>();
    const Vector symbols{make_symbol(graph, "x"), make_symbol(graph, "y")};
    numeric_test::Random random{seed};
    Vector pool = symbols;
    for (int i = 0; i < 12; ++i) {
      const Expr a = pool[random.next() % pool.size()], b = pool[random.next() % pool.size()];
      switch (random.next() % 5) {
        case 0:
          pool.push_back(a + 2.0 * b);
          break;
        case 1:
          pool.push_back(a - b);
          break;
        case 2:
          pool.push_back(a * b);
          break;
        case 3:
          pool.push_back(a / 4.0 + 1.0);
          break;
        default:
          pool.push_back(-a);
      }
      const int degree = polynomial_degree(pool.back(), symbols);
      if (degree > 8) {
        pool.pop_back();
        continue;
      }
      double difference = 0.0, binomial = 1.0, size = 1.0;
      for (int k = 0; k <= degree + 1; ++k) {
        const double s = 0.25 * k;
        DirectEvaluation<double> value(symbols, {0.5 + s, 1.0 - 0.5 * s});
        const double term = binomial * value(pool.back());
        difference += term;
        size = numeric::larger(size, std::fabs(term));
        binomial *= -double(degree + 1 - k) / double(k + 1);
      }
      // Ten terms, of polynomials with dyadic coefficients at dyadic points: hardly any is rounded.
      CHECK(std::fabs(difference) <= test_support::round_off_of(10.0) * size);
    }
  }
}

TEST_CASE("Dependencies") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z");
  const Expr e = sin(x) * z;
  CHECK(dependencies(e, {x, y, z}) == std::vector<bool>{true, false, true});
  CHECK(depends_on(e, {y, z}));
  CHECK_FALSE(depends_on(e, {y}));
  CHECK_FALSE(depends_on(Expr(1.0), {x}));
  CHECK_FALSE(depends_on(x - x, {x}));
  CHECK(any_dependencies({e, 2.0, y + x}, {x, y, z}) == std::vector<bool>(3, true));
  CHECK(any_dependencies({e, e * e}, {y, z}) == std::vector<bool>{false, true});
}

TEST_CASE("Substitution happens everywhere at once") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z");
  CHECK(same(substitute(x / y, {x, y}, {y, x}), y / x));  // exchanged, not one after the other
  CHECK(same(substitute(x * z, {x}, {0.0}), Expr(0.0)));
  CHECK(same(substitute(sin(x), {x}, {Expr(-1.0) * y}), -sin(y)));
  CHECK(same(substitute(x, {y}, {z}), x));
  CHECK(same(substitute(Expr(2.0), {x}, {y}), Expr(2.0)));
  CHECK_THROWS_AS(substitute(x + y, {x + y}, {z}), RequestError);
}

TEST_CASE("Substitution evaluates like a composition") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const GraphPointer graph = std::make_shared<Graph>();
    const Vector outer{make_symbol(graph, "u"), make_symbol(graph, "w")};
    const Vector inner{make_symbol(graph, "x"), make_symbol(graph, "y")};
    test_support::RandomExpressions random(seed, outer, {{0.4L, 0.9L}}, 0x1p-53L);
    for (int i = 0; i < 60; ++i) random.grow();
    Vector functions;
    for (const auto& twin : random.pool()) functions.push_back(twin.expression);
    Matrix a(2, 2);
    a.entries() = {outer[0] + 2.0, outer[1], sin(outer[0]), outer[1] - 3.0};
    for (const Expr& x : solve_linear(a, {outer[1], 1.0})) functions.push_back(x);
    const Vector values{sin(inner[0]) * inner[1], inner[0] - 0.5 * inner[1]};
    const Vector composed = substitute(functions, outer, values);
    DirectEvaluation<long double> in(inner, {0.7L, -0.3L});
    DirectEvaluation<long double> out(outer, {in(values[0]), in(values[1])});
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const long double expected = out(functions[i]), found = in(composed[i]);
      // The same operations on the same numbers, but where substitution has simplified a few.
      CHECK(std::fabs(found - expected) <=
            test_support::round_off_of<long double>(100.0) * (1.0L + std::fabs(expected)));
    }
  }
}

TEST_CASE("Terms of a sum") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z");
  const Vector terms = terms_of(x * y + sin(z) - z * z);
  REQUIRE(terms.size() == 3);
  Expr sum = 0.0;
  for (const Expr& term : terms) sum += term;
  CHECK(same(sum, x * y + sin(z) - z * z));
  CHECK(terms_of(x * y).size() == 1);
}

TEST_CASE("Opaque functions are substituted and differentiated by name") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  const Expr f = opaque_function("V", x);
  CHECK(same(substitute(f, {x}, {y}), opaque_function("V", y)));
  CHECK_THROWS_AS(opaque_function("V", 1.0), RequestError);
}

TEST_CASE("Expressions are rebuilt in another graph, with what they share as it is") {
  const GraphPointer base = std::make_shared<Graph>();
  const Expr k = make_symbol(base, "k"), shared = sin(k) * k;
  base->freeze();
  const auto from_graph = std::make_shared<Graph>(base), to_graph = std::make_shared<Graph>(base);
  const Expr x = make_symbol(from_graph, "x"), y = make_symbol(from_graph, "y");
  const Expr z = make_symbol(to_graph, "z");
  Matrix matrix(2, 2);
  matrix.entries() = {x, k, k, y + 2.0};
  const Vector solved = solve_linear(matrix, {shared, 3.0});
  const Vector rebuilt =
      rebuild_in(to_graph, {shared * x + cos(y), x, 2.0, solved[1]}, {x, y}, {z, 0.5});
  CHECK(same(rebuilt[0], shared * z + cos(Expr(0.5))));
  CHECK(same(rebuilt[1], z));
  CHECK(rebuilt[2].is_constant(2.0));
  CHECK(rebuilt[3].graph() == to_graph);
  CHECK_THROWS_AS(rebuild_in(to_graph, {x * y}, {x}, {z}), RequestError);
}
