#include "dalembert/numeric/angles.hpp"

#include <doctest/doctest.h>

#include "dalembert/numeric/extremes.hpp"
#include "support/round_off.hpp"
#include "unit/numeric/support.hpp"

namespace dn = dalembert::numeric;
using numeric_test::bits;
using numeric_test::Random;

namespace {
constexpr double pi = 0x1.921fb54442d18p+1;
}

TEST_CASE("An angle within [-pi, pi] is left alone, bit for bit") {
  for (const double x : {0.0, -0.0, 1.0, -3.0, pi, -pi, 5e-324, std::nextafter(pi, 0.0)}) {
    double angle = x, winding = -0.0;
    dn::wrap(angle, winding);
    CHECK(bits(angle) == bits(x));
    CHECK(bits(winding) == bits(-0.0));
  }
}

TEST_CASE("Angles beyond the range are left alone") {
  for (const double x : {1.1e9, -1e300, std::numeric_limits<double>::infinity()}) {
    double angle = x, winding = 5.0;
    dn::wrap(angle, winding);
    CHECK(angle == x);
    CHECK(winding == 5.0);
  }
}

TEST_CASE("Turns are counted and given back") {
  for (const double turns : {1.0, -1.0, 7.0, -1e6, 1e8}) {
    double angle = 0.5 + turns * 2.0 * pi, winding = 10.0;
    const double before = angle;
    dn::wrap(angle, winding);
    CHECK(winding == 10.0 + turns);
    CHECK(std::abs(dn::unwrapped(angle, turns) - before) <=
          std::abs(before) * std::numeric_limits<double>::epsilon());
  }
  CHECK(dn::unwrapped(1.25, 0.0) == 1.25);
}

TEST_CASE("The first double beyond pi is wrapped to the other end") {
  for (const double sign : {1.0, -1.0}) {
    for (const double odd : {1.0, 3.0, 1001.0}) {
      const double first = sign * odd * pi;
      for (const double x : {first, std::nextafter(first, 2e9), std::nextafter(first, -2e9)}) {
        double angle = x, winding = 0.0;
        dn::wrap(angle, winding);
        CHECK(std::abs(angle) <= pi);
      }
    }
  }
  double angle = std::nextafter(pi, 4.0), winding = 0.0;
  dn::wrap(angle, winding);
  CHECK(angle == -pi);
  CHECK(winding == 1.0);
}

TEST_CASE("A wrapped angle is rounded once") {
  using dalembert::study::Extended;
  const Extended turn = 4 * boost::multiprecision::acos(Extended(0));
  // 2 pi in two parts, the first of 76 bits so that its multiples are exact in quadruple precision.
  const Extended scale = std::ldexp(1.0, 73);
  const Extended high = boost::multiprecision::floor(turn * scale) / scale,
                 low = 0x1.98a2e03707345p-75;
  CHECK(abs(turn - high - low) < Extended(1e-32));
  Random random{41};
  double worst = 0.0, worst_back = 0.0;
  const auto see = [&](double x) {
    double angle = x, winding = 0.0;
    dn::wrap(angle, winding);
    CHECK(std::abs(angle) <= pi);
    worst = dalembert::numeric::larger(
        worst, numeric_test::ulps(angle, (Extended(x) - winding * high) - winding * low));
    worst_back = dalembert::numeric::larger(
        worst_back,
        numeric_test::ulps(dn::unwrapped(angle, winding), Extended(angle) + winding * turn));
  };
  for (int i = 0; i < 5000; ++i) {
    for (const double range : {7.0, 1e3, 1e9}) see(random.uniform(-range, range));
    const double multiple =
        static_cast<double>(std::floor(std::exp2(random.uniform(0.0, 27.0))) * turn);
    see(multiple);
    see(-std::nextafter(multiple, 2e9));
  }
  CHECK(worst < 0.501);     // one rounding, and 2^-58 from the reduction
  CHECK(worst_back < 1.0);  // one rounding of the result, two of terms not above it
}

TEST_CASE("Other number types wrap too") {
  using dalembert::study::Extended;
  Extended angle = 20, winding = 0;
  dn::wrap(angle, winding);
  CHECK(winding == 3);
  // Two roundings there, two back.
  CHECK(abs(dn::unwrapped(angle, winding) - 20) < test_support::round_off_of<Extended>(4.0, 20.0));
}

TEST_CASE("long double angles wrap too") {
  long double angle = -7.0L, winding = 0.0L;
  dn::wrap(angle, winding);
  CHECK(winding == -1.0L);
  // 2 pi - 7 has the error of the long double 2 pi, and so many digits.
  CHECK(std::abs(angle + 0.71681469282041352307471323344099423L) <
        test_support::round_off_of<long double>(8.0));
}

TEST_CASE(
    "A compensated angle keeps its sum over a turn, and carries stay as often positive as "
    "negative") {
  Random random{7};
  constexpr int count = 100000;
  double mean = 0.0;
  for (int i = 0; i < count; ++i) {
    const double before = 3.2 + 0.2 * random.uniform(0.0, 1.0);
    const double carry = random.uniform(-0.5, 0.5) * 0x1p-51;
    double angle = before, winding = static_cast<double>(i), rest = carry;
    dn::wrap_sum(angle, winding, rest);
    CHECK(winding == i + 1.0);
    // Half a unit in the last place of an angle between 2 and 4.
    CHECK(std::abs(rest) <= 0x1p-52);
    const long double two_pi = 6.283185307179586476925L;
    const long double sum = static_cast<long double>(angle) + static_cast<long double>(rest);
    // The long double of 2 pi and the two sums err by 2^-62 each, the rest by 2^-58.
    CHECK(std::abs(static_cast<double>(sum - (static_cast<long double>(before) +
                                              static_cast<long double>(carry) - two_pi))) <=
          0x1p-57);
    mean += rest / count;
  }
  // Uniform on an interval of 2^-51: five standard deviations of the mean of this many.
  CHECK(std::abs(mean) <= 5.0 * 0x1p-51 / std::sqrt(12.0 * count));
}
