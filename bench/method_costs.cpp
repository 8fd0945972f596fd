#include <cstdio>
#include <memory>

#include "bench.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/step/stepper.hpp"
#include "support/group_systems.hpp"
#include "support/small_systems.hpp"

namespace bench {
namespace {

using namespace dalembert;

constexpr double step_size = 0.05;

/// Steps of a method on a system; empty where the method does not fit or fails there.
std::function<void(std::uint64_t)> steps_of(const test_support::SmallSystem& problem,
                                            const Method& method) {
  if (method.misfit(problem.system)) return {};
  try {
    const auto program = StepProgram::compile(problem.system, method);
    const auto stepper = std::make_shared<Stepper>(program, step_size);
    const Point start = make_point(*program, problem.q, problem.v);
    Point point = start;
    if (stepper->advance(point, 0.0, 0, 100).status != StepStatus::ok) return {};
    return [stepper, start](std::uint64_t steps) {
      Point moving = start;
      static_cast<void>(stepper->advance(moving, 0.0, 0, steps));
    };
  } catch (const std::exception&) {
    return {};
  }
}

std::vector<Candidate> time_methods(const test_support::SmallSystem& problem) {
  std::vector<Candidate> candidates;
  for (const MethodEntry& entry : methods())
    candidates.push_back({entry.name, steps_of(problem, entry.make({entry.name, {}}))});
  std::vector<Candidate> able;
  for (const Candidate& candidate : candidates) {
    if (candidate.run) able.push_back(candidate);
  }
  time_by_turns(able, 2000, 15);
  for (Candidate& candidate : candidates) {
    for (const Candidate& timed : able) {
      if (timed.name == candidate.name) candidate.nanoseconds = timed.nanoseconds;
    }
  }
  return candidates;
}

/// A ball on a turning table, on SO(3) x R^2.
test_support::SmallSystem ball() {
  const test_support::GroupSystem problem = test_support::rolling_ball();
  Evaluator evaluator(problem.system);
  return {problem.system, problem.q, evaluator.projected_velocity(0.0, problem.q, problem.v)};
}

void print_cost(const std::vector<Candidate>& candidates, std::size_t i) {
  double unit = 1.0;
  for (const Candidate& candidate : candidates) {
    if (candidate.name == "dla01") unit = candidate.nanoseconds;
  }
  candidates[i].run ? std::printf(" %.1f |", candidates[i].nanoseconds / unit)
                    : std::printf(" - |");
}

}  // namespace

void print_method_costs() {
  std::printf(
      "\n| method | pendulum-cvt | chaotic, n = 3 | ball on SO(3) x R^2 |\n|---|---:|---:|---:|\n");
  const auto pendulum = time_methods(test_support::pendulum_cvt());
  const auto chaotic = time_methods(test_support::chaotic());
  const auto rolling = time_methods(ball());
  for (std::size_t i = 0; i < pendulum.size(); ++i) {
    std::printf("| %s |", pendulum[i].name.c_str());
    print_cost(pendulum, i);
    print_cost(chaotic, i);
    print_cost(rolling, i);
    std::printf("\n");
  }
}

void print_group_costs() {
  std::vector<Candidate> candidates;
  for (const double stages : {2.0, 3.0, 4.0}) {
    for (const char* name : {"lobatto", "lie-lobatto"}) {
      const MethodSpec spec{name, {{"stages", stages}}};
      candidates.push_back({label(spec), steps_of(ball(), make_method(spec))});
    }
  }
  time_by_turns(candidates, 500, 15);
  std::printf("\n| method | ball on SO(3) x R^2: us per step |\n|---|---:|\n");
  for (const Candidate& candidate : candidates)
    std::printf("| %s | %.1f |\n", candidate.name.c_str(), candidate.nanoseconds / 1000.0);
}

}  // namespace bench
