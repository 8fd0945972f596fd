#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "bench.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/native/native_code.hpp"
#include "dalembert/step/batch_stepper.hpp"
#include "dalembert/step/stepper.hpp"
#include "hand_written/checked.hpp"
#include "support/small_systems.hpp"

namespace bench {
namespace {

using namespace dalembert;

constexpr double step_size = 0.1;
constexpr std::size_t members = 1024;
constexpr int rounds = 61;

/// Steps with a kernel; the interpreter's if there is none.
std::function<void(std::uint64_t)> steps_with(const std::shared_ptr<const StepProgram>& program,
                                              const test_support::SmallSystem& problem,
                                              const std::shared_ptr<const NativeCode>& code,
                                              double step = step_size) {
  const auto stepper = std::make_shared<Stepper>(stepper_of(program, step));
  if (code != nullptr) stepper->set_kernel(*code->kernel());
  const Point start = start_of(*stepper, problem);
  return [stepper, start, code](std::uint64_t steps) {
    Point point = start;
    if (stepper->advance(point, 0.0, 0, steps).status != StepStatus::ok)
      throw std::runtime_error("the engine's steps failed");
  };
}

/// Of one trajectory; its stages in vectors of the machine.
std::shared_ptr<const NativeCode> compiled_steps(
    const std::shared_ptr<const StepProgram>& program) {
  auto code = std::make_shared<const NativeCode>(
      program, NativeOptions{.instruction_set = available_instruction_sets().back()});
  code->wait();
  return code;
}

/// Steps of many trajectories at once, compiled ones if they are to be.
std::function<void(std::uint64_t)> steps_in_lanes(const std::shared_ptr<const StepProgram>& program,
                                                  const test_support::SmallSystem& problem,
                                                  bool is_compiled) {
  const Stepper stepper = stepper_of(program, step_size);
  const auto batch = std::make_shared<BatchStepper>(program, members, step_size);
  if (is_compiled) {
    const auto code = std::make_shared<const NativeCode>(
        program, NativeOptions{.members = static_cast<int>(batch->block_size()),
                               .instruction_set = batch->instruction_set()});
    code->wait();
    if (code->kernel() == nullptr) throw std::runtime_error(code->refusal());
    batch->switch_when_ready(code);
  }
  if (program->parameter_slots().size() == 1)
    batch->set_parameters(std::vector<double>{transmission_epsilon});
  const Point start = start_of(stepper, problem);
  return [batch, start, is_compiled](std::uint64_t steps) {
    for (std::size_t member = 0; member < members; ++member) batch->set_point(member, start);
    static_cast<void>(batch->advance(0.0, 0, steps));
    if (is_compiled && !batch->has_switched()) throw std::runtime_error("lanes have other bits");
  };
}

/// Newton's passes of a step.
double passes_of(const std::shared_ptr<const StepProgram>& program,
                 const test_support::SmallSystem& problem, double step = step_size) {
  Stepper stepper = stepper_of(program, step);
  Point point = start_of(stepper, problem);
  const StepReport report = stepper.advance(point, 0.0, 0, 2000);
  return static_cast<double>(report.iterations) / static_cast<double>(report.steps);
}

/// Unknowns of the largest linear system that is solved in every pass.
std::size_t system_of(const StepProgram& program) {
  std::size_t largest = 0;
  for (const StepProgram::Block& block : program.blocks()) {
    if (block.kind == StepProgram::Block::Kind::newton)
      largest = std::max<std::size_t>(largest, block.system_size);
  }
  return largest;
}

/// Kernels by hand on one system, by the labels of methods.
struct ByHand {
  HandKernels (*fused)(const std::string&);
  HandKernels (*plain)(const std::string&);
};

void print_cell(const char* format, double number, bool is_there) {
  is_there ? std::printf(format, number) : std::printf(" - |");
}

/// The row of one method on one system.
void print_speedup(const MethodSpec& spec, const test_support::SmallSystem& problem,
                   const ByHand& by_hand) {
  const auto program = StepProgram::compile(problem.system, make_method(spec));
  const auto code = compiled_steps(program);
  std::printf("| %s |", label(spec).c_str());
  if (code->kernel() == nullptr) {
    std::printf(" no compiled steps: %s |\n", code->refusal().c_str());
    return;
  }
  const auto checked = [&](HandKernel kernel) {
    return checked_kernel(kernel, program, problem, step_size);
  };
  const HandKernels fused = by_hand.fused(label(spec)), plain = by_hand.plain(label(spec));
  std::vector<Candidate> candidates{{"interpreted", steps_with(program, problem, nullptr)},
                                    {"compiled", steps_with(program, problem, code)}};
  const bool is_there = fused.one != nullptr, has_lanes = fused.lanes != nullptr;
  if (is_there) {
    candidates.push_back({"fused", checked(fused.one)});
    candidates.push_back({"plain", checked(plain.one)});
  }
  time_by_turns(candidates, 3000, rounds);
  std::vector<Candidate> lanes{{"lanes", steps_in_lanes(program, problem, false), members},
                               {"compiled", steps_in_lanes(program, problem, true), members}};
  if (has_lanes) lanes.push_back({"fused", checked(fused.lanes), 8});
  time_by_turns(lanes, 300, 15);
  const double interpreted = candidates[0].median, compiled = candidates[1].median;
  const double by_fused = candidates[is_there ? 2 : 0].median,
               by_plain = candidates[is_there ? 3 : 0].median;
  print_cell(" %.0f |", by_fused, is_there);
  print_cell(" %.0f |", by_plain, is_there);
  std::printf(" %.0f | %.0f | %.2f |", interpreted, compiled, interpreted / compiled);
  print_cell(" %.2f |", compiled / by_fused, is_there);
  print_cell(" %.2f |", compiled / by_plain, is_there);
  const double in_lanes = lanes[0].median, compiled_lanes = lanes[1].median;
  std::printf(" %.1f | %zu | %zu | %.1f | %.2f | %.1f |", passes_of(program, problem),
              program->tape().code.size() - program->tape().setup_end, system_of(*program),
              in_lanes, compiled_lanes, in_lanes / compiled_lanes);
  print_cell(" %.1f |\n", compiled_lanes / lanes.back().median, has_lanes);
  if (!has_lanes) std::printf("\n");
  std::fflush(stdout);
}

void print_speedups(const char* title, const test_support::SmallSystem& problem,
                    const ByHand& by_hand) {
  std::printf(
      "\n| %s | by hand: ns per step | by hand, plain | interpreted | compiled | gain | to hand | "
      "to plain | passes | lines | system | interpreted lanes | compiled "
      "lanes | gain | to hand |\n|---|---:|---:|---:|---:|"
      "---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
      title);
  const std::vector<MethodSpec> specs{
      {"dla01"},
      {"leapfrog"},
      {"runge-kutta-4"},
      {"dla"},
      {"lobatto", {{"multiplier", "carried"}}},
      {"lobatto", {{"multiplier", "carried"}, {"stages", 4.0}}},
      {"gauss"},
      {"discrete-derivative"},
      {"reduced-gradient"},
      {"reduced-gradient", {{"frame", "given"}}},
      {"reduced-gradient", {{"frame", "given"}, {"gradient", "mean-value"}}},
      {"energy-collocation"}};
  for (const MethodSpec& spec : specs) print_speedup(spec, problem, by_hand);
}

/// Eight stages of one trajectory side by side.
void print_stages(const char* title, const test_support::SmallSystem& problem,
                  const ByHand& by_hand) {
  constexpr double step = 0.4;
  const MethodSpec spec{"gauss", {{"stages", 8.0}}};
  const auto program = StepProgram::compile(problem.system, make_method(spec));
  const auto checked = [&](HandKernel kernel) {
    return checked_kernel(kernel, program, problem, step);
  };
  std::vector<Candidate> candidates{
      {"interpreted", steps_with(program, problem, nullptr, step)},
      {"compiled", steps_with(program, problem, compiled_steps(program), step)},
      {"fused", checked(by_hand.fused(label(spec)).one)},
      {"plain", checked(by_hand.plain(label(spec)).one)}};
  time_by_turns(candidates, 1000, rounds);
  const double interpreted = candidates[0].median, compiled = candidates[1].median,
               fused = candidates[2].median, plain = candidates[3].median;
  std::printf("| %s | %.0f | %.0f | %.0f | %.0f | %.2f | %.2f | %.2f | %.1f |\n", title, fused,
              plain, interpreted, compiled, interpreted / compiled, compiled / fused,
              compiled / plain, passes_of(program, problem, step));
  std::fflush(stdout);
}

}  // namespace

void print_native_speedup() {
  print_speedups("pendulum-cvt", test_support::pendulum_cvt(),
                 {fused::transmission_kernels, plain::transmission_kernels});
  print_speedups("chaotic, n = 3", test_support::chaotic(),
                 {fused::chaotic_kernels, plain::chaotic_kernels});
  std::printf(
      "\n| gauss(stages=8), h = 0.4 | by hand: ns per step | by hand, plain | interpreted | "
      "compiled | gain | to hand | to plain | sweeps |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  print_stages("pendulum-cvt", test_support::pendulum_cvt(),
               {fused::transmission_kernels, plain::transmission_kernels});
  print_stages("chaotic, n = 3", test_support::chaotic(),
               {fused::chaotic_kernels, plain::chaotic_kernels});
}

}  // namespace bench
