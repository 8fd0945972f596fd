// On problems of the library.
#include "dalembert/sensitivity/volume.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "dalembert/audit/audit.hpp"
#include "dalembert/audit/volume/volume_chart.hpp"
#include "dalembert/error.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/study/method_text.hpp"

using namespace dalembert;
using namespace dalembert::study;

namespace {

VolumeHistory followed(const std::string& problem, const std::string& start,
                       const std::string& method, const VolumeOptions& options) {
  return volume_along(load_problem(problem), make_method(parse_method(method)),
                      start.empty() ? StartChoice() : StartChoice(start), options);
}

/// The transmission of whose driver no reversal is left.
const NamedValues skew{{"epsilon", 0.5}};

double largest(const VolumeHistory& history) {
  double size = 0.0;
  for (const double value : history.log_volume) size = numeric::larger(size, std::fabs(value));
  return size;
}

/// The mean rate over the last turns of the driver, whose period is that of the motion.
double rate(const VolumeHistory& history) { return history.log_volume.back() / history.t.back(); }

}  // namespace

TEST_CASE("steps that are made of shears and reflections keep the volume to round-off") {
  const VolumeOptions options{.step = 0.1, .until = 100.0, .parameters = skew};
  for (const char* name : {"leapfrog", "newmark(constraint=bisector)", "hamel"}) {
    const VolumeHistory history = followed("pendulum-cvt", "rotating", name, options);
    REQUIRE_MESSAGE(history.ok(), name);
    CHECK_MESSAGE(largest(history) < 1e-12, name);  // a thousand steps of round-off
    CHECK(history.with_multiplier == (std::string(name) == "leapfrog"));
    CHECK(history.dimension == (history.with_multiplier ? 6 : 5));
  }
}

TEST_CASE("DLA loses the passengers' volume at the rate of the theorem") {
  // epsilon pi (4 - 5/sqrt 2)/(8 T) h^2, T the period of the driver; what is left is O(h^4).
  constexpr double period = 2.62636672073396152;
  const double predicted =
      0.5 * std::numbers::pi * (4.0 - 5.0 / std::numbers::sqrt2) / (8.0 * period);
  std::vector<double> off;
  for (const double h : {0.1, 0.05}) {
    // Whole turns, up to what the steps leave.
    const VolumeHistory history =
        followed("pendulum-cvt", "rotating", "dla01",
                 {.step = h, .until = 300.0 * period, .parameters = skew});
    off.push_back(std::fabs(rate(history) / (h * h) / predicted - 1.0));
  }
  CHECK(off[0] < 0.03);
  CHECK(off[1] < 0.01);
}

TEST_CASE(
    "at the stable equilibrium of the sleigh the motion contracts, and a reflection does not") {
  const Problem sleigh = load_problem("chaplygin-sleigh-centre");
  const VolumeOptions options{.step = 0.25, .until = 10.0};
  const VolumeHistory motion = volume_along_motion(sleigh, "straight", options);
  CHECK(rate(motion) == doctest::Approx(-0.348374771558).epsilon(1e-10));
  // A step multiplies what turns by (1 - h sigma/2)/(1 + h sigma/2).
  const VolumeHistory hamel = followed("chaplygin-sleigh-centre", "straight", "hamel", options);
  const double sigma = 0.348374771558, half = 0.5 * sigma * options.step;
  CHECK(rate(hamel) ==
        doctest::Approx(std::log((1.0 - half) / (1.0 + half)) / options.step).epsilon(1e-9));
  const VolumeHistory leapfrog =
      followed("chaplygin-sleigh-centre", "straight", "leapfrog", options);
  CHECK(largest(leapfrog) < 1e-12);
}

TEST_CASE("on groups gni keeps the volume of Chaplygin's ball with its multipliers") {
  const VolumeOptions options{.step = 0.1, .until = 20.0};
  const VolumeHistory motion = volume_along_motion(load_problem("chaplygin-ball"), {}, options);
  CHECK(motion.dimension == 8);
  CHECK(largest(motion) < 1e-11);  // of four hundred steps with six stages
  const VolumeHistory gni = followed("chaplygin-ball", "", "gni", options);
  CHECK(gni.dimension == 10);
  CHECK(largest(gni) < 1e-12);
  CHECK(largest(followed("chaplygin-ball", "", "dla01", options)) > 1e-6);
}

TEST_CASE("the factor of a step is that of the chart of the constraint set") {
  for (const char* name : {"witness-two-constraints", "witness-coupled-mass", "particle-driven"}) {
    for (const char* method : {"dla01", "lobatto"}) {
      const Problem problem = load_problem(name);
      const VolumeHistory history =
          volume_along(problem, make_method(parse_method(method)), {}, {.step = 0.1, .until = 0.1});
      REQUIRE(history.t.size() == 2);
      StepMap<double> map(problem.system, make_method(parse_method(method)), {});
      const Start& start = problem.starts.front();
      const double change = volume_change_minus_one(map, map.start(start.q, start.v), 0.1);
      // Differences of order 8 in double.
      CHECK_MESSAGE(std::fabs(history.log_volume.back() - std::log1p(change)) < 1e-10,
                    name << " " << method);
    }
  }
}

TEST_CASE("a history is judged beside the motion's") {
  VolumeHistory method, motion;
  for (int k = 0; k <= 1000; ++k) {
    const double t = 0.7 * k;  // batches longer than the oscillation
    method.t.push_back(t);
    motion.t.push_back(t);
    motion.log_volume.push_back(0.2 * std::sin(1.7 * t));
    method.log_volume.push_back(0.3 * std::sin(2.3 * t));
  }
  method.steps = motion.steps = 1000;
  CHECK(judge_volume(method, motion).verdict == DriftVerdict::free);
  CHECK(judge_volume(method, motion).motion_keeps);
  CHECK(!judge_volume(method, motion).every_step);
  for (std::size_t k = 0; k < method.t.size(); ++k) method.log_volume[k] += 0.01 * method.t[k];
  const VolumeJudgement lost = judge_volume(method, motion);
  CHECK(lost.verdict == DriftVerdict::drifts);
  CHECK(lost.difference.slope.contains(0.01));
  for (std::size_t k = 0; k < method.t.size(); ++k) motion.log_volume[k] += 0.01 * method.t[k];
  CHECK(judge_volume(method, motion).verdict == DriftVerdict::free);
  CHECK(!judge_volume(method, motion).motion_keeps);
  method.log_volume.assign(method.t.size(), 1e-14);
  CHECK(judge_volume(method, motion).every_step);
  method.t.resize(5);
  CHECK_THROWS_AS(judge_volume(method, motion), RequestError);
}

TEST_CASE("steps that are no maps of the constraint set have no volume of it") {
  const VolumeOptions options{.step = 0.1, .until = 1.0};
  CHECK_THROWS_WITH_AS(followed("pendulum-cvt", "", "gauss", options),
                       doctest::Contains("leaves the constraints"), RequestError);
  CHECK_THROWS_WITH_AS(followed("pendulum-cvt", "", "speed-splitting", options),
                       doctest::Contains("carries \"energy\""), RequestError);
  CHECK_THROWS_WITH_AS(followed("bouncing-disk", "", "leapfrog", options),
                       doctest::Contains("event"), RequestError);
  CHECK(followed("pendulum-cvt", "", "newmark", options).ok());  // carries what it does not feel
  // Without constraints there is nothing to leave; the determinant of a step is 1 + O(h^5) at
  // least.
  const VolumeHistory free = followed("henon-heiles", "", "runge-kutta-4", options);
  CHECK(largest(free) > 1e-12);
  CHECK(largest(free) < 1e-3);
}
