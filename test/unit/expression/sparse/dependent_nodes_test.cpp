#include "dalembert/expression/sparse/dependent_nodes.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "dalembert/expression/query.hpp"

using namespace dalembert;

TEST_CASE("Walks find what depends on symbols, and nothing else") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), p = make_symbol(graph, "p");
  const Expr shared = sin(p) + p * p, f = x * shared, g = shared + y * f;
  const Vector functions{f, g, shared, 2.0}, symbols{y, x};
  DependentNodes nodes(*graph, functions, symbols);
  CHECK(nodes.contains(f.id()));
  CHECK_FALSE(nodes.contains(shared.id()));
  CHECK(nodes.below(f.id()) == std::vector<NodeId>{x.id(), f.id()});
  CHECK(nodes.below(shared.id()).empty());
  CHECK(nodes.below(f.id()).size() == 2);  // once more
  const auto found = sparse_dependencies(functions, symbols);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    std::vector<bool> whole(2, false);
    for (const std::size_t j : found[i]) whole[j] = true;
    CHECK(whole == dependencies(functions[i], symbols));
  }
}

TEST_CASE("Dependencies on many symbols, and in which of them functions are linear") {
  constexpr std::size_t count = 600;
  const GraphPointer graph = std::make_shared<Graph>();
  Vector symbols, functions;
  for (std::size_t i = 0; i < count; ++i) symbols.push_back(make_symbol(graph, "x"));
  Expr sum = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += i % 7 == 3 ? sin(symbols[i]) : symbols[i];
    functions.push_back(sum);
  }
  const auto found = sparse_dependencies(functions, symbols);
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(found[i].size() == i + 1);
    CHECK(found[i].back() == i);
    CHECK(std::ranges::is_sorted(found[i]));
  }
  const std::vector<bool> linear = linear_in_each(sum, symbols);
  for (std::size_t i = 0; i < count; ++i) CHECK(linear[i] == (i % 7 != 3));
}
