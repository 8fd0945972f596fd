// Frozen graphs and their overlays: who may combine with whom, and what stays the same.

#include <doctest/doctest.h>

#include <memory>
#include <optional>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"

using namespace dalembert;

namespace {

/// A frozen graph of x, y and sin(x), and the same symbols in new overlays.
struct Base {
  GraphPointer graph = std::make_shared<Graph>();
  Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), sine = sin(x);

  Base() { graph->freeze(); }
  Vector overlay() const { return in_graph(Vector{x, y}, std::make_shared<Graph>(graph)); }
};

}  // namespace

TEST_CASE("A frozen graph takes no more nodes, and only frozen graphs are overlaid") {
  const Base base;
  CHECK_THROWS_AS(make_symbol(base.graph, "z"), std::logic_error);
  CHECK_THROWS_AS(base.graph->constant({3.0, 0.0}), std::logic_error);
  CHECK_THROWS_AS(Graph(std::make_shared<Graph>()), std::logic_error);
  CHECK(base.graph->size() == 3);
}

TEST_CASE("An overlay reads its base and keeps new nodes for itself") {
  const Base base;
  const Vector s = base.overlay();
  const Expr sine = sin(s[0]), sum = sine + 2.5 * s[1];
  CHECK(sine.id() == base.sine.id());
  CHECK(same(sine, base.sine));
  CHECK(sum.graph() == s[0].graph());
  CHECK(base.graph->size() == 3);
  CHECK(to_string(sum) == "sin(x) + 2.5*y");
}

TEST_CASE("Node numbers in an overlay do not depend on other overlays") {
  const Base base;
  const auto build = [&] {
    const Vector s = base.overlay();
    const Expr function = opaque_function("f", s[0] * s[1]) + exp(s[0]) / (1.0 + square(s[1]));
    return gradient(function, s)[1].id();
  };
  const NodeId first = build();
  const Vector s = base.overlay();
  static_cast<void>(tan(s[0]) * log(s[1]) - opaque_function("g", s[1]));
  CHECK(build() == first);
}

TEST_CASE("Expressions of a frozen graph combine with those of any overlay, and with each other") {
  const Base base;
  const Vector s = base.overlay();
  CHECK((base.sine * s[1]).graph() == s[0].graph());
  CHECK((s[1] * base.sine).graph() == s[0].graph());
  const Expr product = base.x * base.y * base.sine;
  CHECK(product.graph() != base.graph);
  CHECK(to_string(product) == to_string(s[0] * s[1] * sin(s[0])));
  CHECK(to_string(dot({base.x, base.sine}, {base.y, base.y})) == "x*y + y*sin(x)");
  CHECK(to_string(jacobian({base.sine}, {base.x, base.y})(0, 0)) == "cos(x)");
  Matrix matrix(2, 2);
  matrix(0, 0) = base.x;
  matrix(0, 1) = base.y;
  matrix(1, 0) = base.sine;
  matrix(1, 1) = 1.0;
  CHECK(solve_linear(matrix, Vector{base.x, base.y}).size() == 2);
  CHECK(depends_on(base.sine, {s[0]}));
  CHECK_FALSE(depends_on(base.sine, {s[1]}));
}

TEST_CASE("Expressions of two overlays and of unrelated graphs are refused with a sentence") {
  const Base base, other;
  const Vector s = base.overlay(), again = base.overlay();
  const auto refused = [](const auto& make) {
    try {
      static_cast<void>(make());
      FAIL_CHECK("accepted");
    } catch (const RequestError& error) {
      CHECK(std::string(error.what()).find("take symbols() once") != std::string::npos);
    }
  };
  refused([&] { return s[0] + again[1]; });
  refused([&] { return s[0] * other.x; });
  refused([&] { return base.x / other.y; });
  refused([&] { return gradient(sin(s[0]), again).front(); });
  refused([&] { return substitute(sin(s[0]), {s[0]}, {again[1]}); });
  refused([&] { return dot(s, again); });
  CHECK_FALSE(same(base.x, other.x));
  CHECK_FALSE(depends_on(s[0], {other.x}));
}

TEST_CASE("An expression keeps its graph alive") {
  std::optional<Expr> kept;
  {
    const Base base;
    const Vector s = base.overlay();
    kept = s[0] * sin(s[1]) + base.sine;
  }
  CHECK(to_string(*kept) == "sin(x) + x*sin(y)");
  CHECK(to_string(2.0 * *kept) == "2*(sin(x) + x*sin(y))");
}
