#include "dalembert/picture/curve.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/round_off.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

Curve wave(std::size_t count, double step) {
  Curve curve;
  for (std::size_t i = 0; i < count; ++i) {
    curve.t.push_back(step * static_cast<double>(i));
    curve.values.push_back(std::sin(curve.t.back()));
  }
  return curve;
}

}  // namespace

TEST_CASE("a running mean is the mean over a centred window") {
  const Curve mean = running_mean(wave(101, 0.1), 0.4);
  REQUIRE(mean.t.size() == 97);
  CHECK(mean.t.front() == doctest::Approx(0.2));
  CHECK(mean.t.back() == doctest::Approx(9.8));
  // Of the straight lines between the samples: those at the ends count half.
  double expected = 0.0;
  for (int k = -2; k <= 2; ++k)
    expected += std::sin(5.0 + 0.1 * k) / (std::abs(k) == 2 ? 8.0 : 4.0);
  constexpr double ten_operations = test_support::round_off_of(10.0);
  CHECK(mean.values[48] == doctest::Approx(expected).epsilon(ten_operations));
  CHECK(running_mean(wave(10, 0.1), 0.0).values == wave(10, 0.1).values);
  CHECK(running_mean(wave(10, 0.1), 50.0).values.size() == 2);
  Curve diverged = wave(101, 0.1);
  diverged.values[60] = INFINITY;
  CHECK(running_mean(diverged, 0.4).t.size() == 56);
}

TEST_CASE("thinning keeps ends and extremes and order") {
  Curve curve = wave(10000, 0.01);
  curve.values[7777] = 5.0;
  curve.values[3333] = -5.0;
  const Curve few = thinned(curve, 200);
  CHECK(few.t.size() <= 200);
  CHECK(few.t.front() == curve.t.front());
  CHECK(few.t.back() == curve.t.back());
  CHECK(std::is_sorted(few.t.begin(), few.t.end()));
  CHECK(*std::max_element(few.values.begin(), few.values.end()) == 5.0);
  CHECK(*std::min_element(few.values.begin(), few.values.end()) == -5.0);
  CHECK(thinned(wave(50, 1.0), 200).t.size() == 50);
}

TEST_CASE("an envelope has the largest value of each stretch") {
  const Curve top = upper_envelope(wave(10000, 0.01), 10);
  REQUIRE(top.t.size() == 10);
  for (const double value : top.values) CHECK(value > 0.99);
}

TEST_CASE("magnitudes are at least round-off") {
  const Curve size = magnitude({{0.0, 1.0, 2.0}, {-2.0, 0.0, 1e-20}});
  CHECK(size.values == std::vector<double>{2.0, std::ldexp(1.0, -53), std::ldexp(1.0, -53)});
  CHECK(size.t == std::vector<double>{0.0, 1.0, 2.0});
}
