#include "dalembert/run/ensemble.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

#include "dalembert/error.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;

namespace {

struct Outcome {
  std::vector<double> values, times;
  EnsembleState state;
  EnsembleReport report;
};

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

bool same_bits(const Point& a, const Point& b) {
  return a.t == b.t && same_bits(a.q, b.q) && same_bits(a.v, b.v) &&
         same_bits(a.lambda, b.lambda) && same_bits(a.carried, b.carried) &&
         same_bits(a.error_estimate, b.error_estimate) && same_bits(a.dense, b.dense) &&
         same_bits(a.turns, b.turns);
}

/// Starts of a pendulum-driven transmission: member i has driver speed 0.3 + i/10.
EnsembleState starts(const std::shared_ptr<const StepProgram>& program, std::size_t members,
                     double h) {
  const auto problem = test_support::pendulum_cvt();
  const Stepper stepper(program, h);
  Evaluator evaluator(problem.system);
  EnsembleState state{.points = MemberPoints(program)};
  for (std::size_t i = 0; i < members; ++i) {
    const std::vector<double> q = problem.q;
    const std::vector<double> v{0.0, 0.0, 0.3 + 0.1 * static_cast<double>(i)};
    state.points.push_back(start_point(stepper, evaluator, q, v));
  }
  return state;
}

Outcome run(const std::shared_ptr<const StepProgram>& program, EnsembleState state, double h,
            const EnsembleOptions& options) {
  Outcome outcome;
  outcome.state = std::move(state);
  outcome.report =
      integrate_ensemble(program, {}, h, outcome.state, options, [&](const EnsembleWindow& window) {
        outcome.values.insert(outcome.values.end(), window.values.begin(), window.values.end());
        outcome.times.insert(outcome.times.end(), window.times.begin(), window.times.end());
      });
  return outcome;
}

std::shared_ptr<const StepProgram> compiled(const MethodSpec& method) {
  return StepProgram::compile(test_support::pendulum_cvt().system, make_method(method));
}

}  // namespace

TEST_CASE("threads and lanes change no bit of an ensemble") {
  const double h = 0.1;
  for (const char* method : {"dla", "leapfrog", "reduced-gradient"}) {
    CAPTURE(method);
    const auto program = compiled({method, {}});
    const EnsembleState state = starts(program, 37, h);
    const EnsembleOptions alone{.steps = 203, .record_every = 10, .lanes = 1, .threads = 1};
    const Outcome expected = run(program, state, h, alone);
    CHECK(expected.report.complete);
    CHECK(expected.report.member_steps == 37 * 203);
    CHECK(expected.state.step == 203);
    for (const int lanes : {0, 1, 4, 8}) {
      for (const std::size_t threads : {1U, 3U}) {
        CAPTURE(lanes);
        CAPTURE(threads);
        EnsembleOptions options = alone;
        options.lanes = lanes;
        options.threads = threads;
        const Outcome found = run(program, state, h, options);
        CHECK(same_bits(found.values, expected.values));
        for (std::size_t i = 0; i < 37; ++i)
          CHECK(same_bits(found.state.points[i], expected.state.points[i]));
      }
    }
  }
}

TEST_CASE(
    "records at times of their own have the same bits in lanes and threads and on one number") {
  const double h = 0.1;
  for (const char* method : {"dla", "leapfrog", "newmark", "fehlberg-78"}) {
    CAPTURE(method);
    const auto program = compiled({method, {}});
    const EnsembleState state = starts(program, 19, h);
    EnsembleOptions alone{.steps = 41, .record_every = 41, .lanes = 1, .threads = 1};
    const Outcome without = run(program, state, h, alone);
    alone.record_times = RecordTimes::every_time(0.037);
    const Outcome expected = run(program, state, h, alone);
    const std::size_t width = (2 + program->system().mechanics().integrals.size()) * 19;
    // 4.1 / 0.037 = 110.8: records 0, ..., 110, and the end beside them.
    CHECK(expected.values.size() == 112 * width);
    CHECK(expected.times.size() == 112);
    CHECK(expected.times[7] == 7 * 0.037);
    CHECK(expected.times.back() == 41 * h);
    CHECK(same_bits(
        {expected.values.end() - static_cast<std::ptrdiff_t>(width), expected.values.end()},
        {without.values.end() - static_cast<std::ptrdiff_t>(width), without.values.end()}));
    for (const int lanes : {1, 4, 8}) {
      EnsembleOptions options = alone;
      options.lanes = lanes;
      options.threads = 3;
      const Outcome found = run(program, state, h, options);
      CHECK(same_bits(found.values, expected.values));
      for (std::size_t i = 0; i < 19; ++i)
        CHECK(same_bits(found.state.points[i], without.state.points[i]));
    }
  }
}

TEST_CASE("records between nodes go on with the same bits, and far apart lose no steps") {
  const double h = 0.1;
  for (const char* method : {"dla", "newmark"}) {
    CAPTURE(method);
    const auto program = compiled({method, {}});
    const EnsembleState state = starts(program, 9, h);
    EnsembleOptions options{.steps = 60, .record_times = RecordTimes::at({0.05, 0.51, 3.33, 5.95})};
    const Outcome whole = run(program, state, h, options);
    CHECK(whole.times == std::vector{0.0, 0.05, 0.51, 3.33, 5.95, 60 * h});
    EnsembleOptions part = options;
    part.steps = 33;
    part.records_end = false;
    const Outcome first = run(program, state, h, part);
    CHECK(first.state.step == 33);
    const Outcome second = run(program, first.state, h, options);
    std::vector<double> both = first.values;
    both.insert(both.end(), second.values.begin(), second.values.end());
    CHECK(same_bits(both, whole.values));
  }
}

TEST_CASE("a member does not depend on the others") {
  const double h = 0.1;
  const auto program = compiled({"dla01", {}});
  const EnsembleState all = starts(program, 21, h);
  EnsembleState some{.points = MemberPoints(program)};
  for (const std::size_t i : {4, 17}) some.points.push_back(all.points[i]);
  const EnsembleOptions options{.steps = 100, .record_every = 100};
  const Outcome many = run(program, all, h, options), few = run(program, some, h, options);
  CHECK(same_bits(many.state.points[4], few.state.points[0]));
  CHECK(same_bits(many.state.points[17], few.state.points[1]));
}

TEST_CASE("an ensemble measures what integrate shows of each member") {
  const double h = 0.1;
  const auto program = compiled({"dla01", {}});
  const EnsembleState state = starts(program, 3, h);
  const Outcome outcome = run(program, state, h, {.steps = 25, .record_every = 10});
  Evaluator evaluator(program->system());
  std::vector<double> energies;
  Point point = state.points[2];
  Stepper stepper(program, h);
  static_cast<void>(
      integrate(stepper, evaluator, point, {0.0, 0, 25, 10}, [&](const Sample& sample) {
        energies.push_back(evaluator.energy(sample.t, sample.point->q, sample.point->v));
        return true;
      }));
  const std::size_t quantities = 2 + program->system().mechanics().integrals.size();
  REQUIRE(outcome.values.size() == 4 * quantities * 3);
  REQUIRE(energies.size() == 4);
  for (std::size_t record = 0; record < 4; ++record)
    CHECK(outcome.values[record * quantities * 3 + 2] == energies[record]);
}

TEST_CASE("an ensemble that was stopped goes on with the same bits") {
  const double h = 0.1;
  const auto program = compiled({"dla", {}});
  const EnsembleState state = starts(program, 18, h);
  const Outcome whole = run(program, state, h, {.steps = 60, .record_every = 7});
  const Outcome first = run(program, state, h, {.steps = 21, .record_every = 7});
  const Outcome second = run(program, first.state, h, {.steps = 60, .record_every = 7});
  CHECK(second.state.step == 60);
  for (std::size_t i = 0; i < 18; ++i)
    CHECK(same_bits(second.state.points[i], whole.state.points[i]));
  std::vector<double> both = first.values;
  both.insert(both.end(), second.values.begin(), second.values.end());
  CHECK(same_bits(both, whole.values));
}

TEST_CASE("a stopped ensemble is at the last record that all members have reached") {
  const double h = 0.1;
  const auto program = compiled({"dla", {}});
  EnsembleState state = starts(program, 40, h);
  std::atomic<bool> cancelled = false;
  EnsembleOptions options{.steps = 1'000'000'000, .record_every = 10, .threads = 2};
  options.cancelled = &cancelled;
  std::uint64_t shown = 0;
  const EnsembleReport report =
      integrate_ensemble(program, {}, h, state, options, [&](const EnsembleWindow& window) {
        shown = window.first_record + window.records - 1;
        if (shown > 50) cancelled = true;
      });
  CHECK_FALSE(report.complete);
  CHECK(state.step == 10 * shown);
  for (std::size_t i = 0; i < state.points.size(); ++i)
    CHECK(state.points.time(i) == h * static_cast<double>(state.step));
}

TEST_CASE("members that are refused are told and do not stop the others") {
  const double h = 0.1;
  for (const int lanes : {1, 4, 8}) {
    CAPTURE(lanes);
    const auto program = compiled({"dla", {}});
    EnsembleState state = starts(program, 9, h);
    Point third = state.points[3], last = state.points[8];
    third.v[2] = std::numeric_limits<double>::infinity();
    last.v[1] = std::nan("");
    state.points.set(3, third);
    state.points.set(8, last);
    const Outcome outcome =
        run(program, state, h, {.steps = 30, .record_every = 10, .lanes = lanes});
    CHECK(outcome.report.complete);
    REQUIRE(outcome.state.failures.size() == 2);
    CHECK(outcome.state.failures[0].member == 3);
    CHECK(outcome.state.failures[1].member == 8);
    CHECK(outcome.state.failures[1].step == 1);
    CHECK(outcome.state.failures[1].t == 0.0);
    CHECK(outcome.state.failures[1].message.find("step 1 at t = 0") != std::string::npos);
    const std::size_t quantities = outcome.values.size() / 4 / 9;
    CHECK(std::isnan(outcome.values[3 * quantities * 9 + 8]));
    CHECK(std::isfinite(outcome.values[3 * quantities * 9 + 7]));
    EnsembleState sound = starts(program, 9, h);
    const Outcome expected = run(program, sound, h, {.steps = 30, .record_every = 10});
    CHECK(same_bits(outcome.state.points[5], expected.state.points[5]));
  }
}

TEST_CASE("an ensemble goes on without those that were refused before") {
  const double h = 0.1;
  const auto program = compiled({"dla", {}});
  EnsembleState state = starts(program, 150, h);
  for (const std::size_t refused : {0, 1, 63, 64, 149}) {
    Point point = state.points[refused];
    point.v[0] = std::nan("");
    state.points.set(refused, point);
  }
  const Outcome whole = run(program, state, h, {.steps = 40, .record_every = 5});
  const Outcome first = run(program, state, h, {.steps = 20, .record_every = 5});
  REQUIRE(first.state.failures.size() == 5);
  for (const std::size_t threads : {1U, 2U}) {
    const Outcome second =
        run(program, first.state, h, {.steps = 40, .record_every = 5, .threads = threads});
    CHECK(second.state.failures.size() == 5);
    CHECK(second.report.member_steps == 145 * 20);
    std::vector<double> both = first.values;
    both.insert(both.end(), second.values.begin(), second.values.end());
    CHECK(same_bits(both, whole.values));
    for (std::size_t i = 0; i < 150; ++i)
      CHECK(same_bits(second.state.points[i], whole.state.points[i]));
  }
}

TEST_CASE("methods that divide their steps run too") {
  const double h = 0.1;
  const auto program = compiled({"fehlberg-78", {}});
  const EnsembleState state = starts(program, 5, h);
  const Outcome outcome = run(program, state, h, {.steps = 20, .record_every = 5, .threads = 2});
  Point point = state.points[4];
  Stepper stepper(program, h);
  Evaluator evaluator(program->system());
  static_cast<void>(integrate(stepper, evaluator, point, {0.0, 0, 20, 20}, {}));
  CHECK(same_bits(outcome.state.points[4], point));
}

TEST_CASE("requests that make no sense are refused") {
  const auto program = compiled({"dla", {}});
  EnsembleState none, some = starts(program, 2, 0.1);
  CHECK_THROWS_AS(integrate_ensemble(program, {}, 0.1, none, {.steps = 1}, {}), RequestError);
  CHECK_THROWS_AS(integrate_ensemble(program, {}, 0.1, some, {.steps = 1, .record_every = 0}, {}),
                  RequestError);
  CHECK_THROWS_AS(integrate_ensemble(program, {}, 0.1, some, {.steps = 1, .lanes = 3}, {}),
                  RequestError);
}

TEST_CASE("parallel_for does each task once and hands an exception on") {
  std::vector<int> count(1000, 0);
  parallel_for(4, count.size(), [&](std::size_t i, std::size_t) { ++count[i]; });
  CHECK(count == std::vector<int>(1000, 1));
  CHECK_THROWS_WITH(parallel_for(3, 10,
                                 [](std::size_t i, std::size_t) {
                                   if (i == 5) throw std::runtime_error("task 5");
                                 }),
                    "task 5");
}
