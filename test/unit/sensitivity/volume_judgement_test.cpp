// What is said of volumes, on made-up histories with known slopes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "dalembert/sensitivity/volume.hpp"

using namespace dalembert;

namespace {

/// History of slope t with an oscillation, over 200 units of time.
VolumeHistory history(double slope, double oscillation) {
  VolumeHistory made;
  made.steps = 2000;
  for (int k = 0; k <= 2000; ++k) {
    const double t = 0.1 * k;
    made.t.push_back(t);
    // Even about the middle, so that the oscillation has no slope of its own; some periods in each
    // batch leave an interval of 7e-6 times the oscillation.
    made.log_volume.push_back(slope * t + oscillation * std::cos(3.0 * (t - 100.0)));
  }
  return made;
}

}  // namespace

TEST_CASE(
    "A volume is kept where zero is in the interval, and undecided before it is surely lost") {
  const VolumeHistory motion = history(0.0, 0.0);
  std::set<DriftVerdict> seen;
  for (double rate = 1e-10; rate < 1e-5; rate *= 1.2) {
    const VolumeJudgement judged = judge_volume(history(rate, 1e-4), motion);
    CHECK(judged.motion_keeps);
    seen.insert(judged.verdict);
    const Estimate slope = judged.difference.slope;
    if (judged.verdict == DriftVerdict::free) CHECK((slope.low <= 0.0 && slope.high >= 0.0));
  }
  CHECK(seen.contains(DriftVerdict::free));
  CHECK(seen.contains(DriftVerdict::undecided));
  CHECK(seen.contains(DriftVerdict::slow));
  CHECK(seen.contains(DriftVerdict::drifts));
}

TEST_CASE(
    "A method is as the motion where the difference is known to a tenth of the motion's rate") {
  std::set<DriftVerdict> seen;
  constexpr double rate = 1e-8;
  for (const double oscillation : {1e-6, 1e-5, 1e-4, 1e-3}) {
    const VolumeJudgement judged = judge_volume(history(rate, oscillation), history(rate, 0.0));
    CHECK_FALSE(judged.motion_keeps);
    seen.insert(judged.verdict);
    const Estimate slope = judged.difference.slope;
    if (judged.verdict == DriftVerdict::free)
      CHECK(std::max<double>(slope.high, -slope.low) <= 0.1 * rate * (1.0 + 1e-9));
  }
  CHECK(seen.contains(DriftVerdict::free));
  CHECK(seen.contains(DriftVerdict::undecided));
}
