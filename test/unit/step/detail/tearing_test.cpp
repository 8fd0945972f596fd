// Tearing, on systems whose smallest sets of torn unknowns are known.

#include "dalembert/step/detail/tearing.hpp"

#include <doctest/doctest.h>

#include <random>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/step/detail/named_parts.hpp"

using namespace dalembert;

namespace {

using Incidence = std::vector<std::vector<bool>>;

Incidence incidence_of(const std::vector<std::vector<int>>& rows) {
  Incidence result(rows.size(), std::vector<bool>(rows.size(), false));
  for (std::size_t e = 0; e < rows.size(); ++e) {
    for (const int u : rows[e]) result[e][static_cast<std::size_t>(u)] = true;
  }
  return result;
}

/// Every assignment takes what is known before it, and every equation and unknown has one role.
void check_sound(const Tearing& tearing, const Incidence& incidence, const Incidence& solvable) {
  const std::size_t size = incidence.size();
  std::vector<bool> known(size, false), used(size, false);
  for (const std::size_t u : tearing.torn) known[u] = true;
  for (const auto& [equation, unknown] : tearing.assignments) {
    CHECK(solvable[equation][unknown]);
    CHECK(!known[unknown]);
    CHECK(!used[equation]);
    known[unknown] = used[equation] = true;
    for (std::size_t u = 0; u < size; ++u) CHECK((!incidence[equation][u] || known[u]));
  }
  for (const std::size_t e : tearing.remaining) used[e] = true;
  CHECK(known == std::vector<bool>(size, true));
  CHECK(used == std::vector<bool>(size, true));
  CHECK(tearing.torn.size() == tearing.remaining.size());
}

}  // namespace

TEST_CASE("A ring of assignments is cut once, whatever set the search starts from") {
  // x0 = f(x3), x1 = f(x0), x2 = f(x1), x3 = f(x2).
  const Incidence ring = incidence_of({{0, 3}, {0, 1}, {1, 2}, {2, 3}}),
                  own = incidence_of({{0}, {1}, {2}, {3}});
  const std::vector<bool> all(4, true), none(4, false), third{false, false, true, false};
  for (const auto& start : {all, none, third}) {
    const Tearing tearing = tear(ring, own, all, {start});
    check_sound(tearing, ring, own);
    CHECK(tearing.torn.size() == 1);
  }
  CHECK(tear(ring, own, third, {none}).torn == std::vector<std::size_t>{2});
}

TEST_CASE("Random systems are torn into a sound sequence, and fully where nothing can be solved") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t size = 1 + random() % 9;
    Incidence incidence(size, std::vector<bool>(size)), solvable = incidence;
    for (std::size_t e = 0; e < size; ++e) {
      for (std::size_t u = 0; u < size; ++u) {
        incidence[e][u] = u == e || random() % 3 == 0;
        solvable[e][u] = incidence[e][u] && random() % 2 == 0;
      }
    }
    const std::vector<bool> all(size, true), none(size, false);
    check_sound(tear(incidence, solvable, all, {all, none}), incidence, solvable);
    const Incidence nothing(size, none);
    CHECK(tear(incidence, nothing, all, {none, all}).torn.size() == size);
  }
}

TEST_CASE("Parts of equations become unknowns: arguments, and terms that several equations share") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), a = make_symbol(graph, "a");
  const Expr b = make_symbol(graph, "b", {}, true);
  const Expr sum = a + x + b * y, term = sin(sum) * x;
  const NamedParts named = name_parts_of({x + b * term, y - 2.0 * term}, {x, y});
  REQUIRE(named.parts.size() == 2);
  REQUIRE(named.functions.size() == 4);
  CHECK(same(named.parts[0].expression, sum));
  CHECK(named.parts[0].is_linear);
  CHECK(same(named.parts[0].coefficients[0], Expr(1.0)));
  CHECK(same(named.parts[0].coefficients[1], b));
  CHECK(same(named.parts[0].value, a + named.symbols[2]));
  CHECK(!named.parts[1].is_linear);
  CHECK(same(named.functions[0], x + b * named.symbols[3]));
  CHECK(same(named.functions[2], named.symbols[2] - (x + b * y)));
  CHECK(name_parts_of({x + sin(y), y * x}, {x, y}).parts.empty());
}

TEST_CASE("Elimination with given pivots leaves the Schur complement") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr a = make_symbol(graph, "a"), b = make_symbol(graph, "b");
  Matrix matrix(3, 3);
  matrix.entries() = {1.0, a, 0.0, b, 0.0, 2.0, 0.0, 1.0, b};
  // Rows and columns 0: 1; what is left of rows 1 and 2 in columns 1 and 2.
  const SchurComplement left = eliminate(matrix, {3.0, 4.0, 5.0}, {{0, 0}});
  CHECK(left.rows == std::vector<std::size_t>{1, 2});
  CHECK(left.columns == std::vector<std::size_t>{1, 2});
  CHECK(same(left.matrix(0, 0), -(b * a)));
  CHECK(same(left.matrix(0, 1), Expr(2.0)));
  CHECK(same(left.matrix(1, 0), Expr(1.0)));
  CHECK(same(left.right_side[1], Expr(5.0)));
}
