#include "dalembert/numeric/extremes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "unit/numeric/support.hpp"

using dalembert::numeric::Lanes;
using dalembert::numeric::larger;
using dalembert::numeric::largest_size;
using dalembert::numeric::smaller;
using numeric_test::Extended;
using numeric_test::same;

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double endless = std::numeric_limits<double>::infinity();

/// Numbers of all kinds, beside which a nan is put at every place.
const std::vector<std::vector<double>> sequences{
    {}, {0.0}, {1.0, 2.0, -3.0}, {endless, 1.0}, {-endless, endless, 0.0}, {1e308, 5e-324, -0.0}};

std::vector<double> with_nan_at(std::vector<double> values, std::size_t place) {
  values.insert(values.begin() + static_cast<std::ptrdiff_t>(place), no_number);
  return values;
}

template <class T>
T largest_of(const std::vector<double>& values) {
  T result(-endless);
  for (const double value : values) result = larger(result, T(value));
  return result;
}
template <class T>
T smallest_of(const std::vector<double>& values) {
  T result(endless);
  for (const double value : values) result = smaller(result, T(value));
  return result;
}

}  // namespace

TEST_CASE_TEMPLATE("The largest and the smallest of several numbers keep a nan for good", T, double,
                   long double, Extended) {
  for (const std::vector<double>& values : sequences) {
    for (std::size_t place = 0; place <= values.size(); ++place) {
      const std::vector<double> spoilt = with_nan_at(values, place);
      CHECK(std::isnan(static_cast<double>(largest_of<T>(spoilt))));
      CHECK(std::isnan(static_cast<double>(smallest_of<T>(spoilt))));
    }
    if (values.empty()) continue;
    CHECK(static_cast<double>(largest_of<T>(values)) == std::ranges::max(values));
    CHECK(static_cast<double>(smallest_of<T>(values)) == std::ranges::min(values));
  }
  CHECK(std::isnan(static_cast<double>(largest_of<T>({no_number, no_number, no_number}))));
  CHECK(std::isnan(static_cast<double>(smallest_of<T>({no_number, no_number, no_number}))));
}

TEST_CASE_TEMPLATE("In lanes as on one number", L, Lanes<2>, Lanes<4>, Lanes<8>) {
  const std::array<double, 7> all{no_number, -endless, -1.5, -0.0, 0.0, 2.0, endless};
  for (const double a : all) {
    for (const double b : all) {
      // Other numbers stand in the other lanes.
      for (int lane = 0; lane < L::size; ++lane) {
        L x(3.0), y(4.0);
        x.set(lane, a);
        y.set(lane, b);
        for (int i = 0; i < L::size; ++i) {
          CHECK(same(larger(x, y).get(i), larger(x.get(i), y.get(i))));
          CHECK(same(smaller(x, y).get(i), smaller(x.get(i), y.get(i))));
        }
      }
      CHECK(std::isnan(larger(a, b)) == (std::isnan(a) || std::isnan(b)));
    }
  }
}

TEST_CASE("Of equal numbers the first is taken, so that bits do not depend on the compiler") {
  CHECK(std::signbit(larger(-0.0, 0.0)));
  CHECK_FALSE(std::signbit(larger(0.0, -0.0)));
  CHECK(std::signbit(smaller(-0.0, 0.0)));
}

TEST_CASE("The largest size of a vector is nan wherever a nan stands") {
  const std::vector<double> values{1.0, -5.0, 2.0};
  CHECK(largest_size<double>(values) == 5.0);
  CHECK(largest_size<double>(std::vector<double>{}) == 0.0);
  CHECK(largest_size<double>(std::vector<double>{1.0, -endless}) == endless);
  for (std::size_t place = 0; place <= values.size(); ++place)
    CHECK(std::isnan(largest_size<double>(with_nan_at(values, place))));
}
