// Prints what the engine costs, as ratios within this run, in Markdown; with the word native only
// what compiled steps gain, with starts where Newton's iterations begin, with sensitivity what
// derivatives cost.

#include <cstdio>
#include <memory>
#include <string_view>

#include "bench.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/step/batch_stepper.hpp"
#include "support/small_systems.hpp"

namespace {

using namespace dalembert;
using bench::Candidate;
using bench::HandWritten;

constexpr double step_size = 0.1;

std::function<void(std::uint64_t)> interpreted(const std::shared_ptr<const StepProgram>& program,
                                               const test_support::SmallSystem& problem) {
  const auto stepper = std::make_shared<Stepper>(program, step_size);
  const Point start = make_point(*program, problem.q, problem.v);
  return [stepper, start](std::uint64_t steps) {
    Point point = start;
    static_cast<void>(stepper->advance(point, 0.0, 0, steps));
  };
}

std::function<void(std::uint64_t)> interpreted_lanes(
    const std::shared_ptr<const StepProgram>& program, const test_support::SmallSystem& problem,
    std::size_t members) {
  const auto batch = std::make_shared<BatchStepper>(program, members, step_size);
  const Point start = make_point(*program, problem.q, problem.v);
  return [batch, start](std::uint64_t steps) {
    for (std::size_t member = 0; member < batch->size(); ++member) batch->set_point(member, start);
    static_cast<void>(batch->advance(0.0, 0, steps));
  };
}

void print_ratios(const std::string& method) {
  const auto problem = test_support::pendulum_cvt();
  const auto program = StepProgram::compile(problem.system, make_method({method, {}}));
  constexpr std::size_t members = bench::hand_written_lanes, many = 64 * members;
  std::vector<Candidate> candidates{
      {"hand", bench::hand_written(method, HandWritten::own_functions)},
      {"hand, std::sin", bench::hand_written(method, HandWritten::library_functions)},
      {"engine", interpreted(program, problem)},
      {"hand lanes", bench::hand_written(method, HandWritten::lanes), members},
      {"engine lanes", interpreted_lanes(program, problem, many), many},
  };
  bench::time_by_turns(candidates, 5000, 60);
  const auto ns = [&](std::size_t i) { return candidates[i].nanoseconds; };
  std::printf("| %s | %.0f | %.2f | %.2f | %.1f | %.2f |\n", method.c_str(), ns(2), ns(2) / ns(0),
              ns(2) / ns(1), ns(4), ns(4) / ns(3));
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && std::string_view(arguments[1]) == "native") {
    bench::print_native_speedup();
    return 0;
  }
  if (count == 2 && std::string_view(arguments[1]) == "starts") {
    bench::print_newton_starts();
    return 0;
  }
  if (count == 2 && std::string_view(arguments[1]) == "sensitivity") {
    bench::print_sensitivity_costs();
    return 0;
  }
  std::printf(
      "| method | one trajectory: ns per step | to hand-written | to hand-written with std::sin | "
      "lanes: ns per step and trajectory | to hand-written lanes |\n"
      "|---|---:|---:|---:|---:|---:|\n");
  for (const char* method : {"dla01", "leapfrog"}) print_ratios(method);
  bench::print_method_costs();
  bench::print_group_costs();
  bench::print_stage_costs();
  bench::print_ensemble_speedup();
  bench::print_native_speedup();
  bench::print_newton_starts();
  bench::print_watched_steps();
  bench::print_sensitivity_costs();
}
