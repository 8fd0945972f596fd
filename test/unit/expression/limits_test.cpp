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
