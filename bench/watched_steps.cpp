#include <cstdio>
#include <memory>

#include "bench.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/mechanics/watched_quantities.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/native/native_code.hpp"
#include "dalembert/run/event/event_advance.hpp"
#include "dalembert/step/stepper.hpp"
#include "support/small_systems.hpp"

namespace bench {
namespace {

using namespace dalembert;

constexpr double watched_step_size = 0.1;

enum class Watch { none, on_the_tape, events, one_by_one };

/// A wall that the motion never reaches.
std::vector<Event> far_wall() {
  return {{.name = "wall", .function = [](const Symbols& s) { return s.q[0] + 5.0; }}};
}

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
  if (watch == Watch::on_the_tape || watch == Watch::events) stepper->watch();
  if (watch == Watch::events) {
    const auto advance = std::make_shared<EventAdvance>(
        *stepper, EventFunctions(problem.system, far_wall()), std::span<const double>());
    return [stepper, advance, start](std::uint64_t steps) {
      Point point = start;
      static_cast<void>((*advance)(point, 0.0, 0, steps));
    };
  }
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
      "\n| method | compiled: ns per step | watched | with an event | one by one | interpreted: ns "
      "per step | watched | with an event | one by one "
      "|\n|---|---:|---:|---:|---:|---:|---:|---:|---:|"
      "\n");
  const auto problem = test_support::pendulum_cvt();
  for (const char* method : {"dla01", "leapfrog", "runge-kutta-4", "lobatto", "reduced-gradient"}) {
    const auto program =
        StepProgram::compile(problem.system, make_method({method}), {.watched = true});
    const auto with_event = StepProgram::compile(
        problem.system, make_method({method}),
        {.watched = true, .also_watched = watched_events(problem.system, far_wall())});
    const auto code = std::make_shared<const NativeCode>(program),
               event_code = std::make_shared<const NativeCode>(with_event);
    code->wait();
    event_code->wait();
    std::vector<Candidate> candidates;
    for (const bool compiled : {true, false}) {
      for (const Watch watch :
           {Watch::none, Watch::on_the_tape, Watch::events, Watch::one_by_one}) {
        const bool is_event = watch == Watch::events;
        candidates.push_back({"", watched_steps(is_event ? with_event : program, problem,
                                                !compiled  ? nullptr
                                                : is_event ? event_code
                                                           : code,
                                                watch)});
      }
    }
    time_by_turns(candidates, 3000, 40);
    std::printf("| %s |", method);
    for (const Candidate& candidate : candidates) std::printf(" %.0f |", candidate.nanoseconds);
    std::printf("\n");
  }
}

}  // namespace bench
