#include "dalembert/expression/limits.hpp"

#include <doctest/doctest.h>

#include "dalembert/expression/parser.hpp"

using namespace dalembert;

namespace {

/// Another limit while a test lasts.
struct FewNodes {
  explicit FewNodes(std::size_t most) { limits().nodes = most; }
  ~FewNodes() { limits().nodes = Limits().nodes; }
};

Scope scope_of_x() {
  Scope scope;
  scope.names = {{"x", make_symbol(std::make_shared<Graph>(), "x")}};
  return scope;
}

}  // namespace

TEST_CASE("A text that stands for more terms than the limit is refused") {
  const FewNodes few(1000);
  const Scope scope = scope_of_x();
  CHECK_NOTHROW(parse("sum(i, 1, 100, sin(i*x))", scope));
  CHECK_THROWS_AS(parse("sum(i, 1, 1000, sin(i*x))", scope), NodeLimitError);
  // Words count, also where they make no nodes.
  CHECK_THROWS_AS(parse("sum(i, 1, 2000, 1)", scope), NodeLimitError);
}

TEST_CASE("Texts within one budget count together, others by themselves") {
  const FewNodes few(1000);
  const Scope scope = scope_of_x();
  const auto read_twenty = [&] {
    for (int i = 0; i < 20; ++i) parse("sum(i, 1, 30, i*x)", scope);
  };
  CHECK_NOTHROW(read_twenty());
  {
    const NodeBudget budget;
    CHECK_THROWS_AS(read_twenty(), NodeLimitError);
  }
  CHECK_NOTHROW(read_twenty());
}

TEST_CASE("Limits of a thread's own hold while they live, the innermost ones") {
  const Scope scope = scope_of_x();
  const auto read = [&] { parse("sum(i, 1, 100, sin(i*x))", scope); };
  {
    const LocalLimits few(Limits{.nodes = 100});
    CHECK_THROWS_AS(read(), NodeLimitError);
    {
      const LocalLimits more(Limits{.nodes = 1000});
      CHECK_NOTHROW(read());
    }
    CHECK(limits().nodes == 100);
  }
  CHECK(limits().nodes == Limits().nodes);
}

TEST_CASE("Where every graph counts, one that no text made is limited, and stays whole") {
  const Expr x = make_symbol(std::make_shared<Graph>(), "x");
  const auto add_up = [&x](int terms) {
    Expr sum = x;
    for (int i = 1; i <= terms; ++i) sum += sin(i * x);
    return sum;
  };
  CHECK_NOTHROW(add_up(1000));
  const std::size_t size = x.graph()->size();
  const LocalLimits few(Limits{.nodes = size, .every_graph = true});
  CHECK_NOTHROW(add_up(1000));  // nothing new
  CHECK_THROWS_AS(add_up(1001), NodeLimitError);
  CHECK_THROWS_AS(add_up(1001), NodeLimitError);  // what failed is not taken for known
  CHECK(x.graph()->size() == size);
}
