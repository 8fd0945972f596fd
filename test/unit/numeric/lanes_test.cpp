#include "dalembert/numeric/lanes.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "unit/numeric/support.hpp"

using dalembert::numeric::Lanes;
using dalembert::numeric::Mask;
using dalembert::numeric::mask_of;
using numeric_test::bits;
using numeric_test::Random;
using numeric_test::same;

namespace {

template <int N>
Lanes<N> random_lanes(Random& random) {
  double values[N];
  for (double& value : values) value = random.spread(-40, 40);
  return Lanes<N>::load(values);
}

// Written once, for a number and for lanes.
template <class T>
T limited(const T& x, const T& limit) {
  using dalembert::numeric::any;
  using dalembert::numeric::select;
  const mask_of<T> above = x > limit;
  return any(above) ? select(above, limit, x) : x;
}

}  // namespace

TEST_CASE_TEMPLATE("Lanes compute as one number does in each lane", L, Lanes<2>, Lanes<4>, Lanes<8>,
                   Lanes<16>) {
  constexpr int n = L::size;
  Random random{1};
  for (int round = 0; round < 50; ++round) {
    const L a = random_lanes<n>(random), b = random_lanes<n>(random);
    L sum = a, product = a;
    sum += b;
    product *= b;
    for (int i = 0; i < n; ++i) {
      const double x = a.get(i), y = b.get(i);
      CHECK(same((a + b).get(i), x + y));
      CHECK(same((a - b).get(i), x - y));
      CHECK(same((a * b).get(i), x * y));
      CHECK(same((a / b).get(i), x / y));
      CHECK(same((-a).get(i), -x));
      CHECK(same((2.0 * a + 1.0).get(i), 2.0 * x + 1.0));
      CHECK(same(sum.get(i), x + y));
      CHECK(same(product.get(i), x * y));
      CHECK((a < b).get(i) == (x < y));
      CHECK((a >= b).get(i) == (x >= y));
      CHECK((a == a).get(i));
      CHECK(!(a != a).get(i));
      CHECK(same(select(a < b, a, b).get(i), x < y ? x : y));
      CHECK(same(limited(a, b).get(i), limited(x, y)));
    }
  }
}

TEST_CASE("Broadcasting keeps the sign of zero and division by zero gives infinity") {
  const Lanes<4> zero = -0.0;
  for (int i = 0; i < 4; ++i) {
    CHECK(bits(zero.get(i)) == bits(-0.0));
    CHECK((1.0 / zero).get(i) == -std::numeric_limits<double>::infinity());
    CHECK(bits((-Lanes<4>(0.0)).get(i)) == bits(-0.0));
  }
}

TEST_CASE_TEMPLATE("Masks combine lane by lane", L, Lanes<2>, Lanes<4>, Lanes<8>, Lanes<16>) {
  constexpr int n = L::size;
  const Mask<n> yes = true, no = false;
  CHECK(all(yes));
  CHECK(any(yes));
  CHECK(none(no));
  CHECK(!any(no));
  for (int i = 0; i < n; ++i) {
    Mask<n> one = false;
    one.set(i, true);
    CHECK(any(one));
    CHECK(!all(one));
    CHECK(all(one | !one));
    CHECK(none(one & !one));
    CHECK(one.get(i));
    L x = 0.0;
    x.set(i, std::nan(""));
    CHECK(none((x != x) & !one));
    CHECK((x != x).get(i));
  }
}

TEST_CASE("Loads and stores need no alignment") {
  double from[17], to[17] = {};
  for (int i = 0; i < 17; ++i) from[i] = i;
  Lanes<16>::load(from + 1).store(to + 1);
  for (int i = 1; i < 17; ++i) CHECK(to[i] == i);
  CHECK(to[0] == 0.0);
}
