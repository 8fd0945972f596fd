#include <cstdio>
#include <memory>

#include "bench.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/native/native_code.hpp"
#include "dalembert/step/stepper.hpp"
#include "support/small_systems.hpp"

namespace bench {
namespace {

using namespace dalembert;

constexpr double step_size = 0.1;

/// Steps with a kernel; the interpreter's if there is none.
std::function<void(std::uint64_t)> steps_with(const std::shared_ptr<const StepProgram>& program,
                                              const test_support::SmallSystem& problem,
                                              const std::shared_ptr<const NativeCode>& code) {
  const auto stepper = std::make_shared<Stepper>(program, step_size);
  if (code != nullptr) stepper->set_kernel(*code->kernel());
  const Point start = make_point(*program, problem.q, problem.v);
  return [stepper, start, code](std::uint64_t steps) {
    Point point = start;
    static_cast<void>(stepper->advance(point, 0.0, 0, steps));
  };
}

/// The cells of one system: nanoseconds interpreted and compiled, their ratio.
void print_speedup(const MethodSpec& spec, const test_support::SmallSystem& problem, bool by_hand) {
  const auto program = StepProgram::compile(problem.system, make_method(spec));
  const auto code = std::make_shared<const NativeCode>(program);
  code->wait();
  if (code->kernel() == nullptr) {
    std::printf(" no compiled steps: %s |", code->refusal().c_str());
    return;
  }
  std::vector<Candidate> candidates{{"interpreted", steps_with(program, problem, nullptr)},
                                    {"compiled", steps_with(program, problem, code)}};
  if (by_hand) candidates.push_back({"hand", hand_written(spec.name, HandWritten::own_functions)});
  time_by_turns(candidates, 3000, 40);
  const auto ns = [&](std::size_t i) { return candidates[i].nanoseconds; };
  std::printf(" %.0f | %.0f | %.2f |", ns(0), ns(1), ns(0) / ns(1));
  if (by_hand) std::printf(" %.2f |", ns(1) / ns(2));
}

}  // namespace

void print_native_speedup() {
  std::printf(
      "\n| method | pendulum-cvt: ns per step | compiled | gain | to hand-written | chaotic, n = "
      "3: ns "
      "per step | compiled | gain |\n|---|---:|---:|---:|---:|---:|---:|---:|\n");
  const std::vector<MethodSpec> specs{{"dla01"},
                                      {"leapfrog"},
                                      {"dla"},
                                      {"runge-kutta-4"},
                                      {"lobatto"},
                                      {"lobatto", {{"stages", 4.0}}},
                                      {"gauss"},
                                      {"discrete-derivative"},
                                      {"reduced-gradient"},
                                      {"energy-collocation"}};
  const test_support::SmallSystem pendulum = test_support::pendulum_cvt(),
                                  chaotic = test_support::chaotic();
  for (const MethodSpec& spec : specs) {
    const bool by_hand = spec.name == "dla01" || spec.name == "leapfrog";
    std::printf("| %s |", label(spec).c_str());
    print_speedup(spec, pendulum, by_hand);
    if (!by_hand) std::printf(" - |");
    print_speedup(spec, chaotic, false);
    std::printf("\n");
  }
}

}  // namespace bench
