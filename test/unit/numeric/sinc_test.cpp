#include "dalembert/numeric/sinc.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "dalembert/numeric/extremes.hpp"
#include "support/round_off.hpp"
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
  CHECK(dn::sinc_root_of_order(-1, 0.0) == 1.0);
  CHECK(dn::sinc_root_of_order(0, 0.0) == 1.0);
  CHECK(dn::sinc_root_of_order(1, -0.0) == 1.0 / 3.0);
  CHECK(dn::sinc_root_of_order(2, 1e-300) == 1.0 / 15.0);
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
      worst = dalembert::numeric::larger(
          worst, ulps(dn::sinc(x), boost::multiprecision::sin(Extended(x)) / x));
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
      worst = dalembert::numeric::larger(worst, ulps(dn::sinc_of_order(order, x), exact));
      worst_hyperbolic = dalembert::numeric::larger(
          worst_hyperbolic, ulps(dn::sinhc_of_order(order, x), exact_of_order(order, x, 1)));
      const double y = random.uniform(-8.0, 8.0);
      worst_absolute = dalembert::numeric::larger(
          worst_absolute, std::abs(static_cast<double>(dn::sinc_of_order(order, y) -
                                                       exact_of_order(order, y, -1))));
    }
    if (order > 0) CHECK(worst < bound[order]);
    CHECK(worst_hyperbolic < bound[order]);
    CHECK(worst_absolute < 1e-15);  // as documented
  }
}

TEST_CASE("Wider numbers use their own precision") {
  const Extended x = 1.3;
  // Two functions and two quotients; series of some twenty terms below 1/3, and below 1/15.
  using test_support::round_off_of;
  CHECK(abs(dn::sinc(x) - sin(x) / x) < round_off_of<Extended>(4.0));
  CHECK(abs(dn::sinc_of_order(1, x) - exact_of_order(1, 1.3, -1)) <
        round_off_of<Extended>(20.0, 1.0 / 3.0));
  CHECK(std::abs(dn::sinc_of_order(2, static_cast<long double>(1.3)) -
                 static_cast<long double>(exact_of_order(2, 1.3, -1))) <
        round_off_of<long double>(20.0, 1.0 / 15.0));
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

namespace {

/// F_k(t) by its power series in quadruple precision, which for |t| <= 60 loses at most 4 of the 34
/// digits.
Extended exact_of_root(int order, const Extended& t) {
  Extended term = 1;
  for (int m = 1; m <= order; ++m) term /= 2 * m + 1;
  Extended sum = term;
  for (int m = 1; m < 60; ++m) {
    term *= -t / (2 * m) / (2 * order + 2 * m + 1);
    sum += term;
  }
  return sum;
}

}  // namespace

TEST_CASE("Functions of the square are accurate on both sides of the switch") {
  Random random{54};
  for (int order = -1; order <= 4; ++order) {
    CAPTURE(order);
    double worst = 0.0, worst_wider = 0.0;
    for (int i = 0; i < 4000; ++i) {
      for (const double t : {random.uniform(0.0, 60.0), random.uniform(6.2, 6.3),
                             random.uniform(-6.2, 0.0), random.spread(-900, 0)}) {
        const Extended exact = exact_of_root(order, t);
        const double size = t < 0.0 ? 10.0 : 1.0;  // cosh(2.5) is 6
        worst = dalembert::numeric::larger(
            worst, std::abs(static_cast<double>(dn::sinc_root_of_order(order, t) - exact)) / size);
        worst_wider = dalembert::numeric::larger(
            worst_wider,
            static_cast<double>(abs(dn::sinc_root_of_order(order, Extended(t)) - exact)));
      }
    }
    CHECK(worst < 1e-15);        // as documented
    CHECK(worst_wider < 1e-30);  // 34 digits less what the series above loses
  }
}

TEST_CASE("Functions of the square are those of the root, and long numbers keep their digits") {
  for (int order = 0; order <= 3; ++order) {
    for (const double x : {0.3, 1.7, 2.45, 2.55, 5.0, 20.0}) {
      const double of_root = dn::sinc_of_order(order, x),
                   of_square = dn::sinc_root_of_order(order, x * x);
      CHECK(std::abs(of_root - of_square) < 2e-15);  // the errors of both, and the rounding of x^2
    }
    const long double t = 1.7L;
    CHECK(std::abs(dn::sinc_root_of_order(order, t) -
                   static_cast<long double>(exact_of_root(order, Extended(t)))) < 1e-18L);
  }
  CHECK(dn::sinc_root_of_order(-1, 49.0) == dn::cos(7.0));
}

TEST_CASE("Functions of the square beyond the arguments that they are meant for") {
  // Units in the last place: two in each of the two series or functions.
  CHECK(std::abs(dn::sinc_root_of_order(-1, -4.0) - std::cosh(2.0)) <
        test_support::round_off_of(8.0, std::cosh(2.0)));
  CHECK(std::abs(dn::sinc_root_of_order(1, -4.0) - dn::sinhc_of_order(1, 2.0)) <
        test_support::round_off_of(8.0));
  CHECK(std::isnan(dn::sinc_root_of_order(0, -7.0)));
  CHECK(std::isnan(dn::sinc_root_of_order(0, std::numeric_limits<double>::infinity())));
  CHECK(std::isnan(dn::sinc_root_of_order(1, std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("The derivative of a function of the square is minus half the next") {
  const Extended h = 1e-8;
  for (int order = -1; order < 4; ++order) {
    for (const double t : {0.0, 1e-9, 0.3, 6.2, 6.3, 25.0}) {
      const Extended slope =
          (dn::sinc_root_of_order(order, t + h) - dn::sinc_root_of_order(order, t - h)) / (2 * h);
      // h^2 times a third derivative below 1, and 1e-32 / h
      CHECK(abs(slope + dn::sinc_root_of_order(order + 1, Extended(t)) / 2) < Extended(1e-15));
    }
  }
}
