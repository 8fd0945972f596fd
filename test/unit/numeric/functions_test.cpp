// Tangents, inverse and hyperbolic functions, powers, and angles of any size: errors in units in
// the last place against quadruple precision, and special values as the C standard (F.10) has them.

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "unit/numeric/support.hpp"

namespace dn = dalembert::numeric;
namespace mp = boost::multiprecision;
using dalembert::study::Extended;
using numeric_test::bits;
using numeric_test::infinity;
using numeric_test::nan_value;
using numeric_test::Random;
using numeric_test::same;
using numeric_test::sine_and_cosine;
using numeric_test::ulps;

namespace {

// Half a unit is the rounding of the result. Before it, terms of at most an eighth of the result
// have some three roundings, as in sin and cos; of a quotient both parts have them.
constexpr double quotient_bound = 0.5 + 2 * 0.35;
constexpr double series_bound = 0.85;

/// The largest error of a function over arguments that are drawn.
template <class F, class Exact, class Draw>
double largest_error(F f, Exact exact, int count, Draw draw) {
  double worst = 0.0;
  for (int i = 0; i < count; ++i) {
    const double x = draw();
    worst = dn::larger(worst, ulps(f(x), exact(Extended(x))));
  }
  return worst;
}

#define DALEMBERT_ERROR(name, count, draw)                                      \
  largest_error([](double x) { return dn::name(x); },                           \
                [](const Extended& x) { return Extended(mp::name(x)); }, count, \
                [&] { return draw; })

}  // namespace

TEST_CASE("Angles beyond 1e9 are reduced to the last digit") {
  Random random{31};
  double sine = 0.0, cosine = 0.0, tangent = 0.0;
  for (int i = 0; i < 1000; ++i) {
    double x = random.spread(30, 1023);
    // The doubles next to a multiple of pi/2: 2^-60.9, and of its relatives (continued fractions).
    if (i == 0) x = 0x1.6ac5b262ca1ffp+849;
    if (i == 1) x = -0x1.6ac5b262ca1ffp+850;
    if (i == 2) x = 1e22;
    if (i == 3) x = 0x1.fffffffffffffp+1023;
    const auto [s, c] = sine_and_cosine(x);
    sine = dn::larger(sine, ulps(dn::sin(x), s));
    cosine = dn::larger(cosine, ulps(dn::cos(x), c));
    tangent = dn::larger(tangent, ulps(dn::tan(x), s / c));
  }
  CHECK(sine < series_bound);
  CHECK(cosine < series_bound);
  CHECK(tangent < quotient_bound);
  CHECK(std::isnan(dn::tan(infinity)));
  CHECK(std::isnan(dn::tan(-infinity)));
}

TEST_CASE("tan is within 1.2 units in the last place") {
  Random random{32};
  CHECK(DALEMBERT_ERROR(tan, 10000, random.uniform(-1.6, 1.6)) < quotient_bound);
  CHECK(DALEMBERT_ERROR(tan, 10000, random.uniform(-600.0, 600.0)) < quotient_bound);
  CHECK(DALEMBERT_ERROR(tan, 5000, random.uniform(-1e9, 1e9)) < quotient_bound);
  CHECK(DALEMBERT_ERROR(tan, 3000, random.spread(-1074, 0)) < quotient_bound);
}

TEST_CASE("Inverse trigonometric functions are within 0.85 units in the last place") {
  Random random{33};
  CHECK(DALEMBERT_ERROR(atan, 10000, random.uniform(-2.0, 2.0)) < series_bound);
  CHECK(DALEMBERT_ERROR(atan, 5000, random.spread(-1074, 1023)) < series_bound);
  CHECK(DALEMBERT_ERROR(asin, 10000, random.uniform(-1.0, 1.0)) < series_bound);
  CHECK(DALEMBERT_ERROR(acos, 10000, random.uniform(-1.0, 1.0)) < series_bound);
  CHECK(DALEMBERT_ERROR(asin, 3000, random.spread(-1074, -1)) < series_bound);
  CHECK(DALEMBERT_ERROR(asin, 3000, 1.0 - std::abs(random.spread(-53, -1))) < series_bound);
  CHECK(DALEMBERT_ERROR(acos, 3000, 1.0 - std::abs(random.spread(-53, -1))) < series_bound);
  CHECK(DALEMBERT_ERROR(acos, 3000, std::abs(random.spread(-53, -1)) - 1.0) < series_bound);
  double worst = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const int range = i % 2 == 0 ? 3 : 1023;
    const double y = random.spread(i % 2 == 0 ? -3 : -1074, range);
    const double x = random.spread(i % 2 == 0 ? -3 : -1074, range);
    worst = dn::larger(worst, ulps(dn::atan2(y, x), mp::atan2(Extended(y), Extended(x))));
  }
  CHECK(worst < series_bound);
}

TEST_CASE("Hyperbolic functions are within 1.2 units in the last place") {
  Random random{34};
  for (const double range : {1.0, 3.0, 710.47}) {
    CHECK(DALEMBERT_ERROR(sinh, 10000, random.uniform(-range, range)) < series_bound);
    CHECK(DALEMBERT_ERROR(cosh, 10000, random.uniform(-range, range)) < series_bound);
    CHECK(DALEMBERT_ERROR(tanh, 10000, random.uniform(-range, range)) < quotient_bound);
  }
  CHECK(DALEMBERT_ERROR(sinh, 3000, random.spread(-1074, 0)) < series_bound);
  CHECK(DALEMBERT_ERROR(tanh, 3000, random.spread(-1074, 0)) < quotient_bound);
}

TEST_CASE("The logarithm of powers has 68 digits of base 2") {
  Random random{38};
  double worst = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const double x = i % 2 == 0 ? random.uniform(0.5, 2.0) : std::abs(random.spread(-1074, 1023));
    const auto found = dn::detail::twofold_log(x);
    const Extended exact = mp::log(Extended(x)), sum = Extended(found.high) + found.low;
    worst = dn::larger(worst, static_cast<double>(mp::abs(Extended(sum / exact - 1))));
  }
  CHECK(worst < 0x1p-68);
}

TEST_CASE("pow is within 0.6 units in the last place") {
  Random random{35};
  double worst = 0.0, subnormal = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const double far = std::abs(random.spread(-1074, 1023)), near = random.uniform(0.3, 3.0);
    const double next = 1.0 + random.spread(-45, -2), base = std::abs(random.spread(-9, 9));
    for (const auto& [x, y] :
         {std::array{far, random.uniform(-1.0, 1.0)},
          std::array{near, random.uniform(-100.0, 100.0)}, std::array{next, random.spread(0, 45)},
          std::array{base, random.uniform(-745.0, 709.0) / std::log(base)}}) {
      const Extended exact = mp::pow(Extended(x), Extended(y));
      if (exact > 1.797e308 || exact < 5e-324) continue;
      double& largest = exact < 0x1p-1022 ? subnormal : worst;
      largest = dn::larger(largest, ulps(dn::pow(x, y), exact));
    }
  }
  CHECK(worst < 0.6);
  CHECK(subnormal < 1.0);  // rounded once more when the digits run out
  for (int k = -300; k <= 300; ++k) CHECK(dn::pow(2.0, double(k)) == std::ldexp(1.0, k));
}

TEST_CASE("hypot is within 1.5 units in the last place, whatever the sizes") {
  Random random{37};
  double worst = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const int shift = static_cast<int>(random.next() % 1900) - 950;
    const double x = std::ldexp(random.spread(-30, 30), shift),
                 y = std::ldexp(random.spread(-30, 30), shift);
    worst = dn::larger(worst, ulps(dn::hypot(x, y), mp::sqrt(Extended(x) * x + Extended(y) * y)));
  }
  CHECK(worst < 1.5);
  CHECK(dn::hypot(3e-320, 4e-320) == 5e-320);
  CHECK(dn::hypot(3e307, -4e307) == 5e307);
  CHECK(dn::hypot(0.0, -0.0) == 0.0);
  CHECK(dn::hypot(1.0, -2.0, 2.0) == 3.0);
  CHECK(dn::hypot(-infinity, 1.0) == infinity);
  CHECK(std::isnan(dn::hypot(nan_value, 1.0)));
}

TEST_CASE("Special values are those of the C standard") {
  constexpr double pi = std::numbers::pi, least = 5e-324, largest = 1.7e308;
  const auto check = [](double value, double wanted) {
    CHECK_MESSAGE(same(value, wanted), value, ", not ", wanted);
  };
  for (const double zero : {0.0, -0.0}) {
    for (const double value : {dn::tan(zero), dn::asin(zero), dn::atan(zero), dn::sinh(zero),
                               dn::tanh(zero), dn::atan2(zero, 0.0), dn::atan2(zero, 3.0)})
      check(value, zero);
    check(dn::atan2(zero, -0.0), std::copysign(pi, zero));
    check(dn::atan2(zero, -least), std::copysign(pi, zero));
    check(dn::atan2(1.0, zero), pi / 2);
    check(dn::atan2(-least, zero), -pi / 2);
    check(dn::cosh(zero), 1.0);
    check(dn::acos(zero), pi / 2);
  }
  for (const double sign : {1.0, -1.0}) {
    const double end = sign * infinity;
    check(dn::atan(end), sign * pi / 2);
    check(dn::sinh(end), end);
    check(dn::sinh(sign * 710.5), end);
    CHECK(std::abs(dn::sinh(sign * 710.47)) < infinity);
    check(dn::cosh(end), infinity);
    check(dn::tanh(end), sign);
    check(dn::tanh(sign * 25.0), sign);
    check(dn::asin(sign), sign * pi / 2);
    check(dn::acos(sign), sign < 0 ? pi : 0.0);
    check(dn::asin(sign * 1.0000000000000002), nan_value);
    check(dn::acos(end), nan_value);
    check(dn::atan2(sign, infinity), sign * 0.0);
    check(dn::atan2(sign, -infinity), sign * pi);
    check(dn::atan2(end, 7.0), sign * pi / 2);
    check(dn::atan2(end, infinity), sign * pi / 4);
    check(dn::atan2(end, -infinity), sign * 3 * pi / 4);
    check(dn::atan2(sign * least, largest), sign * 0.0);
    check(dn::tan(sign * least), sign * least);
    check(dn::pow(sign * 0.0, -3.0), end);
    check(dn::pow(sign * 0.0, -2.0), infinity);
    check(dn::pow(sign * 0.0, -2.5), infinity);
    check(dn::pow(sign * 0.0, 3.0), sign * 0.0);
    check(dn::pow(sign * 0.0, 2.5), 0.0);
    check(dn::pow(end, 3.0), end);
    check(dn::pow(end, -3.0), sign * 0.0);
    check(dn::pow(end, 0.5), infinity);
    check(dn::pow(sign, infinity), 1.0);
    check(dn::pow(2.0, end), sign > 0 ? infinity : 0.0);
    check(dn::pow(-0.5, end), sign > 0 ? 0.0 : infinity);
    check(dn::pow(sign * 3.0, 3.0), sign * 27.0);
    check(dn::pow(sign * largest, 3.0), end);
    check(dn::pow(sign * largest, -5.0), sign * 0.0);
  }
  check(dn::pow(-8.0, 1.0 / 3.0), nan_value);
  check(dn::pow(-3.0, 0x1p53 + 2.0), infinity);
  check(dn::pow(nan_value, 0.0), 1.0);
  check(dn::pow(1.0, nan_value), 1.0);
  check(dn::pow(nan_value, 1.0), nan_value);
  check(dn::pow(2.0, nan_value), nan_value);
  for (const double value :
       {dn::tan(nan_value), dn::asin(nan_value), dn::acos(nan_value), dn::atan(nan_value),
        dn::sinh(nan_value), dn::cosh(nan_value), dn::tanh(nan_value), dn::atan2(nan_value, 1.0),
        dn::atan2(infinity, nan_value)})
    CHECK(std::isnan(value));
}

TEST_CASE("Odd functions are odd, and even ones even, bit for bit") {
  Random random{36};
  for (int i = 0; i < 5000; ++i) {
    const double x = random.spread(-30, 29), y = random.uniform(0.0, 1.0), z = random.spread(-5, 5);
    CHECK(bits(dn::tan(-x)) == bits(-dn::tan(x)));
    CHECK(bits(dn::atan(-x)) == bits(-dn::atan(x)));
    CHECK(bits(dn::atan2(-x, z)) == bits(-dn::atan2(x, z)));
    CHECK(bits(dn::asin(-y)) == bits(-dn::asin(y)));
    CHECK(bits(dn::sinh(-z)) == bits(-dn::sinh(z)));
    CHECK(bits(dn::cosh(-z)) == bits(dn::cosh(z)));
    CHECK(bits(dn::tanh(-z)) == bits(-dn::tanh(z)));
  }
}
