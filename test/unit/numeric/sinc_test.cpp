#include "dalembert/numeric/sinc.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "unit/numeric/support.hpp"

namespace dn = dalembert::numeric;
using numeric_test::Random;

TEST_CASE("The limits at zero are exact") {
  CHECK(dn::sinc(0.0) == 1.0);
  CHECK(dn::sinc(-0.0) == 1.0);
  CHECK(dn::sinc(5e-324) == 1.0);
  CHECK(dn::sinhc(0.0) == 1.0);
  CHECK(dn::sinc_of_order(1, 0.0) == 1.0 / 3.0);
  CHECK(dn::sinc_of_order(2, 0.0) == 1.0 / 15.0);
  CHECK(dn::sinhc_of_order(2, 1e-200) == 1.0 / 15.0);
}

using dalembert::study::Extended;
using numeric_test::ulps;

namespace {

// The power series in quadruple precision: for |x| <= 8 it loses at most 4 of the 34 digits.
Extended exact_of_order(int order, double x, int sign) {
  Extended term = 1, sum;
  for (int m = 1; m <= order; ++m) term /= 2 * m + 1;
  sum = term;
  for (int m = 1; m < 60; ++m) {
    term *= sign * Extended(x) * x / (2 * m) / (2 * order + 2 * m + 1);
    sum += term;
  }
  return sum;
}

}  // namespace

TEST_CASE("sinc is accurate to the last digits from 1e-300 to 1e9") {
  Random random{51};
  double worst = 0.0;
  for (int i = 0; i < 20000; ++i)
    for (const double x : {random.spread(-1000, 29), random.uniform(-10.0, 10.0)})
      worst = std::max(worst, ulps(dn::sinc(x), boost::multiprecision::sin(Extended(x)) / x));
  CHECK(worst < 2.2);  // 0.85 of the sine, which may be 2 units of the quotient, and a rounding
}

TEST_CASE("Quotients of differences keep their digits as the difference shrinks") {
  Random random{52};
  for (int k = 0; k <= 50; ++k) {
    const double a = random.uniform(-3.0, 3.0), b = a + std::ldexp(1.0, -k);
    const Extended exact =
        (boost::multiprecision::cos(Extended(a)) - boost::multiprecision::cos(Extended(b))) /
        (Extended(a) - b);
    const double quotient = -dn::sin(0.5 * (a + b)) * dn::sinc(0.5 * (a - b));
    // The mean a + b is rounded once, which the slope of the sine passes on.
    CHECK(std::abs(static_cast<double>(quotient - exact)) < 1e-15);
  }
}

TEST_CASE("The orders are accurate on both sides of the switch") {
  Random random{53};
  // Units in the last place: the recurrence loses about a digit of base 2.5 per order at its start.
  const double bound[] = {2.2, 4.0, 8.0, 40.0, 250.0};
  for (int order = 0; order <= 4; ++order) {
    CAPTURE(order);
    double worst = 0.0, worst_hyperbolic = 0.0, worst_absolute = 0.0;
    for (int i = 0; i < 4000; ++i) {
      const double x = random.uniform(-4.0, 4.0);
      const Extended exact = exact_of_order(order, x, -1);
      worst = std::max(worst, ulps(dn::sinc_of_order(order, x), exact));
      worst_hyperbolic = std::max(worst_hyperbolic,
                                  ulps(dn::sinhc_of_order(order, x), exact_of_order(order, x, 1)));
      const double y = random.uniform(-8.0, 8.0);
      worst_absolute =
          std::max(worst_absolute, std::abs(static_cast<double>(dn::sinc_of_order(order, y) -
                                                                exact_of_order(order, y, -1))));
    }
    if (order > 0) CHECK(worst < bound[order]);
    CHECK(worst_hyperbolic < bound[order]);
    CHECK(worst_absolute < 1e-15);
  }
}

TEST_CASE("Wider numbers use their own precision") {
  const Extended x = 1.3;
  CHECK(abs(dn::sinc(x) - sin(x) / x) < Extended(1e-33));
  CHECK(abs(dn::sinc_of_order(1, x) - exact_of_order(1, 1.3, -1)) < Extended(1e-32));
  CHECK(std::abs(dn::sinc_of_order(2, static_cast<long double>(1.3)) -
                 static_cast<long double>(exact_of_order(2, 1.3, -1))) < 1e-19L);
}

TEST_CASE("The derivative of one order is the next") {
  for (int order = 0; order < 4; ++order)
    for (const double x : {0.3, 1.7, 2.45, 2.55, 5.0}) {
      const double h = 1e-4;
      const double slope =
          (dn::sinc_of_order(order, x + h) - dn::sinc_of_order(order, x - h)) / (2 * h);
      CHECK(std::abs(slope + x * dn::sinc_of_order(order + 1, x)) < 1e-9);  // h^2, and 1e-16 / h
    }
}
