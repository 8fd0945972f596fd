#include <cstdio>
#include <memory>

#include "bench.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/mechanics/watched_quantities.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/native/native_code.hpp"
#include "dalembert/step/stepper.hpp"
#include "support/small_systems.hpp"

namespace bench {
namespace {

using namespace dalembert;

constexpr double watched_step_size = 0.1;

enum class Watch { none, on_the_tape, one_by_one };

/// Steps, compiled if there is code, whose energy and constraints are looked at after each.
std::function<void(std::uint64_t)> watched_steps(const std::shared_ptr<const StepProgram>& program,
                                                 const test_support::SmallSystem& problem,
                                                 const std::shared_ptr<const NativeCode>& code,
                                                 Watch watch) {
  const auto stepper = std::make_shared<Stepper>(program, watched_step_size);
  if (code != nullptr && code->kernel() != nullptr) stepper->set_kernel(*code->kernel());
  const Symbols symbols = problem.system.symbols();
  const auto quantities = std::make_shared<StateFunction<double>>(
      problem.system, symbols, watched_quantities(problem.system, symbols));
  const Point start = make_point(*program, problem.q, problem.v);
  if (watch == Watch::on_the_tape) stepper->watch();
  return [=](std::uint64_t steps) {
    Point point = start;
    const std::uint64_t at_once = watch == Watch::one_by_one ? 1 : steps;
    for (std::uint64_t k = 0; k < steps; k += at_once) {
      static_cast<void>(stepper->advance(point, 0.0, k, at_once));
      if (watch == Watch::one_by_one) static_cast<void>((*quantities)(point.t, point.q, point.v));
    }
  };
}

}  // namespace

void print_watched_steps() {
  std::printf(
      "\n| method | compiled: ns per step | watched | one by one | interpreted: ns per step | "
      "watched | one by one |\n|---|---:|---:|---:|---:|---:|---:|\n");
  const auto problem = test_support::pendulum_cvt();
  for (const char* method : {"dla01", "leapfrog", "runge-kutta-4", "lobatto", "reduced-gradient"}) {
    const auto program =
        StepProgram::compile(problem.system, make_method({method}), {.watched = true});
    const auto code = std::make_shared<const NativeCode>(program);
    code->wait();
    std::vector<Candidate> candidates;
    for (const auto& kernel : {code, std::shared_ptr<const NativeCode>()}) {
      for (const Watch watch : {Watch::none, Watch::on_the_tape, Watch::one_by_one})
        candidates.push_back({"", watched_steps(program, problem, kernel, watch)});
    }
    time_by_turns(candidates, 3000, 40);
    std::printf("| %s |", method);
    for (const Candidate& candidate : candidates) std::printf(" %.0f |", candidate.nanoseconds);
    std::printf("\n");
  }
}

}  // namespace bench
