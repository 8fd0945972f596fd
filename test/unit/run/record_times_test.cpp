#include "dalembert/run/record_times.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "dalembert/error.hpp"

using namespace dalembert;

namespace {

constexpr double no_end = 1e300;

/// All regular records of a run, in the order in which it meets them.
std::vector<double> recorded(RecordTimes times, double h, std::uint64_t steps) {
  std::vector<double> result;
  std::size_t passed = 0;
  for (std::uint64_t k = 0; k <= steps; ++k) {
    if (times.has_node(k, h)) result.push_back(static_cast<double>(k) * h);
    REQUIRE(times.count(k, h) == result.size());
    for (; passed < result.size(); ++passed) REQUIRE(times.passed_after(passed, h) == k);
    if (k == steps) break;
    for (const double t : times.after_node(k, h, no_end)) result.push_back(t);
  }
  return result;
}

}  // namespace

TEST_CASE("records every so many steps") {
  CHECK(recorded(RecordTimes::every_steps(3), 0.5, 7) == std::vector{0.0, 1.5, 3.0});
  CHECK_FALSE(RecordTimes::every_steps(3).are_given());
  CHECK(RecordTimes::every_steps(3).time(2, 0.5) == 3.0);
  CHECK_THROWS_AS(RecordTimes::every_steps(0), RequestError);
}

TEST_CASE("records at times of their own, between nodes and on them") {
  const std::vector<double> found = recorded(RecordTimes::at({0.25, 0.3, 1.0, 1.75}), 0.5, 4);
  CHECK(found == std::vector{0.0, 0.25, 0.3, 1.0, 1.75});
  CHECK_THROWS_WITH_AS(RecordTimes::at({1.0, 1.0}), doctest::Contains("increasing"), RequestError);
  CHECK_THROWS_AS(RecordTimes::at({-1.0}), RequestError);
}

TEST_CASE("the most records within a step are known before any is taken") {
  CHECK(RecordTimes::every_steps(3).most_in_step(0.5) == 1.0);
  CHECK(RecordTimes::every_time(0.125).most_in_step(0.5) == 4.0);
  CHECK(RecordTimes::every_time(2.0).most_in_step(0.5) == 1.0);
  CHECK(RecordTimes::every_time(1e-300).most_in_step(0.5) > 1e299);
  // Of 0, 1, 1.1, 1.2, 1.3 and 3 four lie within a half.
  CHECK(RecordTimes::at({1.0, 1.1, 1.2, 1.3, 3.0}).most_in_step(0.5) == 4.0);
}

TEST_CASE("every record of a spacing is met once, however its round-off falls") {
  for (const double h : {0.1, 0.03, 0.7, 1.0 / 3.0}) {
    for (const double every : {0.1, 0.01, 0.3, 1.0 / 7.0, 2.0}) {
      CAPTURE(h);
      CAPTURE(every);
      const RecordTimes times = RecordTimes::every_time(every);
      const std::vector<double> found = recorded(times, h, 3000);
      for (std::size_t i = 0; i < found.size(); ++i) {
        // A time on a node is that of the node: a billionth of a step is far above its round-off.
        REQUIRE(std::fabs(found[i] - times.time(i, h)) <= 1.1e-9 * h);
      }
      CHECK(found.size() >= static_cast<std::size_t>(3000 * h / every));
    }
  }
}

TEST_CASE("times beyond the end are left out") {
  RecordTimes times = RecordTimes::every_time(0.2);
  CHECK(times.after_node(0, 1.0, 0.5).size() == 2);
  CHECK(times.after_node(0, 1.0, no_end).size() == 4);
}
