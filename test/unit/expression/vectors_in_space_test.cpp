#include "dalembert/expression/vectors_in_space.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"

using namespace dalembert;

namespace {

double number(const char* text, const Scope& scope = {}) {
  const Expr value = parse(text, scope);
  REQUIRE(value.is_constant());
  return value.constant().high;
}

}  // namespace

TEST_CASE("Products and turns of vectors in texts") {
  Scope scope;
  scope.vectors["u"] = {1.0, 2.0, 3.0};
  scope.vectors["coin.velocity"] = {-2.0, 0.5, 1.0};
  scope.maps["coin.point"] = {{10.0, 0.0, 0.0}, Matrix::identity(3)};
  CHECK(number("dot(u, coin.velocity)", scope) == 2.0);
  CHECK(number("dot(cross(u, coin.velocity), [1, 0, 0])", scope) == 0.5);  // 2*1 - 3*0.5
  CHECK(number("dot(cross(u, coin.velocity), u)", scope) == 0.0);
  CHECK(number("norm([3, 0, -4])", scope) == 5.0);
  CHECK(number("coin.velocity[2]*2", scope) == 1.0);
  CHECK(number("dot(coin.point(1, 2, 3) - coin.point(u), u)", scope) == 0.0);
  CHECK(number("dot(2*u/4 + u*(-1) - sum(i, 1, 2, i*u), [0, 0, 1])", scope) == -10.5);
  // A third of a turn about the diagonal takes x to y.
  for (const char* other : {"[0, 1, 0] - rotate([2, 2, 2], 2*pi/3, [1, 0, 0])",
                            "[-2, 1, 3] - rotate([0, 0, 1], pi/2, u)"}) {
    const Vector rest = parse_vector(other, scope);
    for (const Expr& entry : rest) CHECK(std::fabs(entry.constant().high) < 1e-15);
  }
}

TEST_CASE("Vectors of wrong size are refused") {
  CHECK_THROWS_AS(cross({1.0, 2.0}, {1.0, 2.0, 3.0}), RequestError);
  CHECK_THROWS_AS(cross({1.0, 2.0, 3.0}, {1.0}), RequestError);
  CHECK_THROWS_AS(rotated({0.0, 1.0}, 1.0, {1.0, 2.0, 3.0}), RequestError);
}
