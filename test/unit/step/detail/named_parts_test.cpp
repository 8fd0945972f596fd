// Parts of equations with names of their own, on equations whose parts are known.

#include "dalembert/step/detail/named_parts.hpp"

#include <doctest/doctest.h>

#include "dalembert/expression/graph.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/tape/compiled_function.hpp"
#include "support/round_off.hpp"

using namespace dalembert;

namespace {

double value(const Vector& symbols, const std::vector<double>& at, const Expr& e) {
  return CompiledFunction(symbols, {e})(at).front();
}

/// With the parts at their values, the new equations are the old ones and the definitions hold.
void check_equivalent(const Vector& functions, const Vector& unknowns, const NamedParts& named) {
  const std::vector<double> at{0.3, -0.7, 1.1};
  std::vector<double> extended = at;
  for (const NamedParts::Part& part : named.parts) {
    // The unknown of a linear part is its change from where the unknowns vanish.
    const double here = value(unknowns, at, part.expression);
    const double offset = part.is_linear ? value(unknowns, {0.0, 0.0, 0.0}, part.expression) : 0.0;
    extended.push_back(here - offset);
  }
  REQUIRE(named.functions.size() == functions.size() + named.parts.size());
  REQUIRE(named.symbols.size() == unknowns.size() + named.parts.size());
  // The same operations, but for the order of a few sums.
  constexpr double few = test_support::round_off_of(8.0);
  for (std::size_t i = 0; i < functions.size(); ++i) {
    CHECK(value(named.symbols, extended, named.functions[i]) ==
          doctest::Approx(value(unknowns, at, functions[i])).epsilon(few));
  }
  for (std::size_t i = functions.size(); i < named.functions.size(); ++i)
    CHECK(value(named.symbols, extended, named.functions[i]) == doctest::Approx(0.0).epsilon(few));
}

}  // namespace

TEST_CASE("A combination of unknowns inside something nonlinear becomes an unknown") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z");
  const Expr position = 1.0 + 2.0 * x + 3.0 * y;
  const Vector functions{x - sin(position), y + cos(position), z - x};
  const NamedParts named = name_parts_of(functions, {x, y, z});
  REQUIRE(named.parts.size() == 1);
  const NamedParts::Part& part = named.parts.front();
  CHECK(part.is_linear);
  REQUIRE(part.coefficients.size() == 3);
  CHECK(part.coefficients[0].is_constant(2.0));
  CHECK(part.coefficients[1].is_constant(3.0));
  CHECK(part.coefficients[2].is_constant(0.0));
  // The equations know x and y only outside of the sine now.
  CHECK(dependencies(named.functions[0], named.symbols) ==
        std::vector<bool>{true, false, false, true});
  CHECK(dependencies(named.functions[1], named.symbols) ==
        std::vector<bool>{false, true, false, true});
  check_equivalent(functions, {x, y, z}, named);
}

TEST_CASE("A nonlinear term that is shared, always times something steady, becomes an unknown") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z");
  const Expr force = sin(x);
  const Vector functions{y - 2.0 * force, z - 3.0 * force, x + y + z};
  const NamedParts named = name_parts_of(functions, {x, y, z});
  REQUIRE(named.parts.size() == 1);
  CHECK(!named.parts.front().is_linear);
  CHECK(same(named.parts.front().expression, force));
  CHECK(dependencies(named.functions[0], named.symbols) ==
        std::vector<bool>{false, true, false, true});
  check_equivalent(functions, {x, y, z}, named);
}

TEST_CASE("Linear equations without shared parts stay as they are") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z");
  const Vector functions{x - 1.0, y - x, z * 2.0 - y};
  const NamedParts named = name_parts_of(functions, {x, y, z});
  CHECK(named.parts.empty());
  REQUIRE(named.functions.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(same(named.functions[i], functions[i]));
}

TEST_CASE("A quotient by which many equations are multiplied becomes an unknown") {
  const GraphPointer graph = std::make_shared<Graph>();
  Vector x;
  for (int i = 0; i < 5; ++i) x.push_back(make_symbol(graph, "x"));
  const Expr factor = (x[0] + x[1] * x[2] + x[3] * x[4]) / (1.0 + dot(x, x));
  Vector functions;
  for (std::size_t i = 0; i < 5; ++i) functions.push_back(sin(x[i]) + factor * x[i] - 1.0);
  const NamedFactors named = name_factors_of(functions, x);
  REQUIRE(named.definitions.size() == 1);
  REQUIRE(named.functions.size() == 6);
  CHECK(same(named.definitions[0], factor));
  CHECK(dependencies(named.functions[1], named.symbols) ==
        std::vector<bool>{false, true, false, false, false, true});
  CHECK(dependencies(named.functions[5], named.symbols) == std::vector<bool>(6, true));
  const std::vector<double> at{0.3, -0.7, 1.1, 0.2, -0.4};
  std::vector<double> extended = at;
  extended.push_back(value(x, at, factor));
  for (std::size_t i = 0; i < 5; ++i)
    CHECK(value(named.symbols, extended, named.functions[i]) == value(x, at, functions[i]));
  CHECK(value(named.symbols, extended, named.functions[5]) == 0.0);
}

TEST_CASE("Quotients of few equations, or that are more than factors, stay") {
  const GraphPointer graph = std::make_shared<Graph>();
  const Expr x = make_symbol(graph, "x"), y = make_symbol(graph, "y"), z = make_symbol(graph, "z");
  const Expr quotient = x * y / (1.0 + z * z);
  CHECK(name_factors_of({quotient * x, quotient * y, z}, {x, y, z}).definitions.empty());
  CHECK(name_factors_of({quotient * x, quotient * y, quotient * z, sin(quotient), quotient * x * y},
                        {x, y, z})
            .definitions.empty());
}
