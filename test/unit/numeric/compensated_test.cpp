#include "dalembert/numeric/compensated.hpp"

#include <doctest/doctest.h>

#include "unit/numeric/support.hpp"

namespace dn = dalembert::numeric;
using numeric_test::Random;

TEST_CASE("two_sum keeps what rounding loses") {
  double sum = 0.0, error = 0.0;
  dn::two_sum(1.0, 0x1p-80, sum, error);
  CHECK(sum == 1.0);
  CHECK(error == 0x1p-80);
  dn::two_sum(0x1p-80, -1.0, sum, error);
  CHECK(sum == -1.0);
  CHECK(error == 0x1p-80);
}

TEST_CASE("A million tenths make a hundred thousand") {
  double value = 0.0, carry = 0.0, plain = 0.0;
  for (int i = 0; i < 1000000; ++i) {
    dn::add(value, carry, 0.1);
    plain += 0.1;
  }
  // 0.1 is stored as 0.1 + 5.55e-18: the true sum rounds to 100000 exactly.
  CHECK(value == 100000.0);
  CHECK(carry == doctest::Approx(5.55e-12).epsilon(0.001).scale(0.0));
  CHECK(plain != 100000.0);
}

TEST_CASE("The value is the rounded sum after each addition, also when it cancels") {
  dn::CompensatedSum<double> sum;
  for (const double x : {1.0, 1e100, 1.0, -1e100}) sum.add(x);
  CHECK(sum.value == 2.0);
  CHECK(sum.carry == 0.0);
}

TEST_CASE("Steps forth and back return to the start") {
  Random random{31};
  double value = 0.7, carry = 0.0;
  double steps[1000];
  for (double& step : steps) dn::add(value, carry, step = random.uniform(-1e-3, 1e-3));
  for (int i = 999; i >= 0; --i) dn::add(value, carry, -steps[i]);
  CHECK(value == 0.7);
  CHECK(std::abs(carry) < 1e-28);  // 2000 additions of size 1e-3 at eps^2 = 5e-32
}

TEST_CASE("The carry continues a sum bit for bit") {
  Random random{32};
  double value = 0.0, carry = 0.0, resumed_value = 0.0, resumed_carry = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const double x = random.spread(-30, 3);
    dn::add(value, carry, x);
    CHECK(value + carry == value);
    if (i >= 500) dn::add(resumed_value, resumed_carry, x);
    if (i == 499) {
      resumed_value = value;
      resumed_carry = carry;
    }
  }
  CHECK(value == resumed_value);
  CHECK(carry == resumed_carry);
}
