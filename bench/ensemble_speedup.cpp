#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

#include "bench.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/run/ensemble.hpp"
#include "support/small_systems.hpp"

namespace bench {
namespace {

using namespace dalembert;

constexpr std::size_t members = 1024;  // blocks of 64
constexpr double step_size = 0.05;

/// Steps of an ensemble of like members, with a record at the end.
std::function<void(std::uint64_t)> ensemble_of(const std::shared_ptr<const StepProgram>& program,
                                               const test_support::SmallSystem& problem, int lanes,
                                               std::size_t threads) {
  EnsembleState start;
  start.points = MemberPoints(program);
  for (std::size_t i = 0; i < members; ++i)
    start.points.push_back(make_point(*program, problem.q, problem.v));
  return [=](std::uint64_t steps) {
    EnsembleState state = start;
    static_cast<void>(integrate_ensemble(
        program, {}, step_size, state,
        {.steps = steps, .record_every = steps, .lanes = lanes, .threads = threads}, {}));
  };
}

}  // namespace

void print_ensemble_speedup() {
  const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::printf(
      "\n| method | one number, 1 thread: ns per step and member | lanes, 1 thread | lanes, %zu "
      "threads | ratio |\n|---|---:|---:|---:|---:|\n",
      threads);
  const auto problem = test_support::chaotic();
  for (const char* method : {"dla01", "dla", "spark"}) {
    const auto program = StepProgram::compile(problem.system, make_method({method, {}}));
    std::vector<Candidate> candidates{{"one", ensemble_of(program, problem, 1, 1), members},
                                      {"lanes", ensemble_of(program, problem, 0, 1), members},
                                      {"all", ensemble_of(program, problem, 0, threads), members}};
    time_by_turns(candidates, 500, 10);
    std::printf("| %s | %.0f | %.0f | %.0f | %.1f |\n", method, candidates[0].nanoseconds,
                candidates[1].nanoseconds, candidates[2].nanoseconds,
                candidates[0].nanoseconds / candidates[2].nanoseconds);
  }
}

}  // namespace bench
