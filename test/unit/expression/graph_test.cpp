#include "dalembert/expression/graph.hpp"

#include <doctest/doctest.h>

#include "dalembert/error.hpp"
#include "dalembert/expression/expr.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"

using namespace dalembert;

TEST_CASE("Equal expressions are one node") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  const Expr first = sin(x * y + 2.0) / (1.0 + exp(y));
  const std::size_t size = graph->size();
  const Expr second = sin(2.0 + y * x) / (exp(y) + 1.0);
  CHECK(same(first, second));
  CHECK(graph->size() == size);
  CHECK(same(sinc(x, 2), sinc(x, 2)));
  CHECK_FALSE(same(sinc(x, 1), sinc(x, 2)));
  CHECK(same(sinc_root(x, -1), sinc_root(x, -1)));
  CHECK_FALSE(same(sinc_root(x, -1), sinc_root(x, 0)));
  CHECK_THROWS_AS(sinc_root(x, -2), RequestError);
  CHECK_FALSE(same(x - y, y - x));
  CHECK_FALSE(same(atan2(x, y), atan2(y, x)));
  CHECK_FALSE(same(pow(x, y), pow(y, x)));
}

TEST_CASE("Symbols of one name are different, constants of one value are the same") {
  const GraphPointer graph = std::make_shared<Graph>();
  CHECK_FALSE(same(make_symbol(graph, "x"), make_symbol(graph, "x")));
  CHECK(graph->constant({0.5, 0.0}) == graph->constant({0.5, 0.0}));
  CHECK(graph->constant({0.5, 0.0}) == graph->constant({0.5, -0.0}));
  CHECK(graph->constant({0.5, 0.0}) != graph->constant({0.5, 1e-20}));
}

TEST_CASE("Operands come before their users") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  Matrix a(2, 2);
  a.entries() = {x, y, sin(y), x * y};
  const Vector solution = solve_linear(a, {x + 1.0, exp(y)});
  static_cast<void>(solution[0] / solution[1]);
  std::vector<NodeId> operands;
  for (NodeId id = 0; id < graph->size(); ++id) {
    graph->operands(id, operands);
    for (const NodeId operand : operands) CHECK(operand < id);
  }
}

TEST_CASE("Equal linear systems are solved once") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y");
  Matrix a(2, 2);
  a.entries() = {x, y, sin(y), x * y};
  const Vector first = solve_linear(a, {x, y}), second = solve_linear(a, {x, y});
  CHECK(same(first[0], second[0]));
  CHECK(same(first[1], second[1]));
  CHECK_FALSE(same(first[0], first[1]));
}

TEST_CASE("Steady is what contains steady symbols and constants only") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr t = make_symbol(graph, "t");  // the first node of the graph
  const Expr k = make_symbol(graph, "k", {}, true), l = make_symbol(graph, "l", {}, true);
  for (const Expr& steady :
       {k + l, k - l, k * l, k / l, sin(k), sqrt(k), pow(k, l), atan2(k, l), sinc(k, 1), 2.0 * k}) {
    CHECK(steady.is_steady());
  }
  for (const Expr& moving : {k + t, k - t, k * t, k / t, pow(k, t), atan2(k, t), t - k, pow(t, k),
                             sin(t), sinc(t), sin(k * t), abs(k - t)}) {
    CHECK_FALSE(moving.is_steady());
  }
}

TEST_CASE("Reachable nodes are sorted and complete") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z");
  const Expr e = x * sin(y);
  static_cast<void>(x * z);
  const auto found = reachable(*graph, {e.id()});
  CHECK(found == std::vector<NodeId>{x.id(), y.id(), sin(y).id(), e.id()});
}
