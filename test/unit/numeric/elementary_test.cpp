#include "dalembert/numeric/elementary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "dalembert/numeric/extremes.hpp"
#include "support/round_off.hpp"
#include "unit/numeric/support.hpp"

namespace dn = dalembert::numeric;
using numeric_test::bits;
using numeric_test::infinity;
using numeric_test::nan_value;
using numeric_test::Random;
using numeric_test::same;

using dalembert::study::Extended;
using numeric_test::ulps;

namespace {

struct Worst {
  double sin = 0.0, cos = 0.0;

  void see(double x) {
    double s = 0.0, c = 0.0;
    dn::sincos(x, s, c);
    const auto [sine, cosine] = numeric_test::sine_and_cosine(x);
    sin = dalembert::numeric::larger(sin, ulps(s, sine));
    cos = dalembert::numeric::larger(cos, ulps(c, cosine));
  }
};

// Half a unit is the rounding of the result. Before it come, near pi/4 where the terms are largest
// against the result, about three roundings of a term an eighth of the result: 0.35 units at most.
constexpr double angle_bound = 0.85;

}  // namespace

TEST_CASE("sin and cos are within 0.85 units in the last place") {
  Random random{2};
  for (const double range : {1e-3, 0.8, 3.2, 100.0, 600.0, 1e5, 1e9}) {
    CAPTURE(range);
    Worst worst;
    for (int i = 0; i < 20000; ++i) worst.see(random.uniform(-range, range));
    CHECK(worst.sin < angle_bound);
    CHECK(worst.cos < angle_bound);
  }
  Worst worst;
  for (int i = 0; i < 5000; ++i) worst.see(random.spread(-1074, 29));
  CHECK(worst.sin < angle_bound);
  CHECK(worst.cos < angle_bound);
}

TEST_CASE("sin and cos keep all digits next to multiples of pi/2") {
  Random random{3};
  const Extended half_pi = boost::multiprecision::acos(Extended(0));
  Worst worst;
  for (int i = 0; i < 10000; ++i) {
    const double n = std::floor(std::exp2(random.uniform(0.0, 29.24)));
    const double x = static_cast<double>(n * half_pi);
    for (const double y : {x, std::nextafter(x, 0.0), -std::nextafter(x, 2e9)}) worst.see(y);
  }
  // Here one of the two is almost its argument, the other almost 1: both are rounded only once, but
  // for what the reduced argument and the result lose beyond the 53rd bit.
  CHECK(worst.sin < 0.51);
  CHECK(worst.cos < 0.51);
  // Of all doubles below 1e9 the nearest to multiples of pi/2 (from continued fractions): 2^-60.5.
  for (const double x : {0x1.6c6cbc45dc8dep+5, 0x1.6c6cbc45dc8dep+6, 0x1.6c6cbc45dc8dep+7,
                         0x1.b951f1572eba5p+23, 0x1.b951f1572eba5p+24}) {
    Worst one;
    one.see(x);
    CHECK(one.sin < angle_bound);
    CHECK(one.cos < angle_bound);
  }
}

TEST_CASE("exp is within 0.6 units in the last place") {
  Random random{4};
  double worst = 0.0, worst_subnormal = 0.0;
  for (int i = 0; i < 50000; ++i) {
    const double range = i % 2 == 0 ? 1.0 : 707.0, x = random.uniform(-range, range);
    worst = dalembert::numeric::larger(worst,
                                       ulps(dn::exp(x), boost::multiprecision::exp(Extended(x))));
    const double y = random.uniform(-745.2, -708.3);
    worst_subnormal = dalembert::numeric::larger(
        worst_subnormal, ulps(dn::exp(y), boost::multiprecision::exp(Extended(y))));
  }
  CHECK(worst < 0.6);
  CHECK(worst_subnormal < 1.0);  // rounded once more when the digits run out
}

TEST_CASE("log is within 0.9 units in the last place") {
  Random random{5};
  double worst = 0.0;
  for (int i = 0; i < 50000; ++i) {
    for (const double x : {std::abs(random.spread(-1022, 1023)), random.uniform(0.5, 2.0),
                           random.uniform(0.999, 1.001)})
      worst = dalembert::numeric::larger(worst,
                                         ulps(dn::log(x), boost::multiprecision::log(Extended(x))));
  }
  CHECK(worst < 0.9);
}

TEST_CASE("Special values of sin and cos") {
  for (const double x : {infinity, -infinity, nan_value}) {
    CHECK(std::isnan(dn::sin(x)));
    CHECK(std::isnan(dn::cos(x)));
  }
  CHECK(bits(dn::sin(-0.0)) == bits(-0.0));
  CHECK(bits(dn::sin(0.0)) == bits(0.0));
  CHECK(dn::cos(-0.0) == 1.0);
  CHECK(dn::sin(5e-324) == 5e-324);
  double s = 0.0, c = 0.0;
  dn::sincos(-0.0, s, c);
  CHECK(bits(s) == bits(-0.0));
}

TEST_CASE("sin is odd and cos is even, bit for bit") {
  Random random{6};
  for (int i = 0; i < 10000; ++i) {
    const double x = random.spread(-30, 29);
    CHECK(bits(dn::sin(-x)) == bits(-dn::sin(x)));
    CHECK(bits(dn::cos(-x)) == bits(dn::cos(x)));
  }
}

TEST_CASE("exp and log at the ends of the range") {
  CHECK(dn::exp(0.0) == 1.0);
  CHECK(dn::exp(-0.0) == 1.0);
  CHECK(dn::exp(infinity) == infinity);
  CHECK(dn::exp(-infinity) == 0.0);
  CHECK(dn::exp(709.79) == infinity);
  CHECK(dn::exp(709.78) < infinity);
  CHECK(dn::exp(-745.1) == 5e-324);
  CHECK(dn::exp(-745.2) == 0.0);
  CHECK(std::isnan(dn::exp(nan_value)));
  CHECK(bits(dn::log(1.0)) == bits(0.0));
  CHECK(dn::log(0.0) == -infinity);
  CHECK(dn::log(infinity) == infinity);
  CHECK(std::isnan(dn::log(-1.0)));
  CHECK(std::isnan(dn::log(nan_value)));
  Random random{15};
  double worst = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const double x = std::abs(random.spread(-1074, -1023));
    worst = dalembert::numeric::larger(worst,
                                       ulps(dn::log(x), boost::multiprecision::log(Extended(x))));
  }
  CHECK(worst < 0.9);
}

TEST_CASE("Rounding functions agree with the C library's") {
  Random random{7};
  const auto check = [](double x) {
    CHECK(same(dn::floor(x), std::floor(x)));
    CHECK(same(dn::round_to_nearest(x), std::nearbyint(x)));
    CHECK(same(dn::abs(x), std::abs(x)));
    CHECK(same(dn::sqrt(x), std::sqrt(x)));
    CHECK(same(dn::copysign(3.0, x), std::copysign(3.0, x)));
  };
  for (const double x : {0.0, 0.5, 1.5, 2.5, 0.49999999999999994, 4503599627370495.5, 0x1p52,
                         0x1.fffffffffffffp52, 1e300, infinity, nan_value}) {
    check(x);
    check(-x);
  }
  for (int i = 0; i < 5000; ++i) check(random.spread(-60, 60));
  CHECK(dn::min(1.0, 2.0) == 1.0);
  CHECK(dn::max(1.0, 2.0) == 2.0);
}

TEST_CASE("long double goes to the C library") {
  const long double x = 0.7L;
  CHECK(dn::sin(x) == std::sin(x));
  CHECK(dn::atan2(x, 2.0L) == std::atan2(x, 2.0L));
  CHECK(dn::pow(x, 3.0L) == std::pow(x, 3.0L));
}

TEST_CASE("Other number types keep their own functions") {
  using dn::exp;
  using dn::sin;
  const Extended x = 0.7;
  CHECK(sin(x) == boost::multiprecision::sin(x));
  CHECK(exp(x) == boost::multiprecision::exp(x));
}
