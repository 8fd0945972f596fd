// Compiled steps of one trajectory whose stages lie in vectors: the bits, passes and failures of
// the interpreter, also where a step is left to it.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "dalembert/document/toml.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/native/native_code.hpp"
#include "dalembert/step/stepper.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"
#include "study/execution/native_steps.hpp"
#include "support/cache_of_test.hpp"
#include "support/small_systems.hpp"
#include "support/temporary_folder.hpp"

using namespace dalembert;
using test_support::SmallSystem;

namespace {

std::vector<InstructionSet> sets_with_vectors_of_four() {
  std::vector<InstructionSet> sets = available_instruction_sets();
  std::erase_if(sets, [](InstructionSet set) { return doubles_in_vector(set) < 4; });
  return sets;
}

MethodSpec with_stages(const std::string& method, double stages) {
  return {method, {{"stages", stages}}};
}

/// What some steps of size h lead to: the report and the state. A nan is one as another.
std::vector<double> account_of(Stepper& stepper, const SmallSystem& made, double h,
                               std::uint64_t first) {
  stepper.set_step(h);
  Point point = stepper.make_point(made.q, made.v);
  const StepReport report = stepper.advance(point, 0.25, first, 100);
  std::vector<double> numbers{static_cast<double>(report.status), static_cast<double>(report.steps),
                              static_cast<double>(report.iterations), report.residual, point.t};
  visit_state(stepper.program(), point, [&](std::uint32_t, double& x) { numbers.push_back(x); });
  for (double& number : numbers)
    if (std::isnan(number)) number = -12345.0;
  return numbers;
}

/// How many of 100 steps a kernel leaves to others.
int steps_left(const Kernel& kernel, const std::shared_ptr<const StepProgram>& program,
               const SmallSystem& made, double h) {
  Stepper stepper(program, h);
  Point point = stepper.make_point(made.q, made.v);
  int left = 0;
  for (std::uint64_t k = 0; k < 100; ++k) {
    std::vector<double> slots(program->slot_count()), workspace(program->workspace_size());
    for (const auto& [slot, value] : program->tape().constants) slots[slot] = value.as<double>();
    slots[program->step_size_slot()] = h;
    visit_state(*program, point, [&](std::uint32_t slot, double& x) { slots[slot] = x; });
    kernel.set_up(program->view(), slots.data(), workspace.data());
    AdvanceReport report;
    kernel.advance(program->view(), slots.data(), workspace.data(), k, 1, &report);
    left += report.leaves_step;
    if (stepper.advance(point, 0.0, k, 1).steps == 0) break;
  }
  return left;
}

struct Failures {
  int refused = 0;
  bool leaves = false;
};

/// The same steps by the interpreter and compiled, also with sizes for which sweeps do not
/// converge.
Failures check_stages(const SmallSystem& made, const MethodSpec& spec) {
  Failures failures;
  for (const InstructionSet set : sets_with_vectors_of_four()) {
    INFO(label(spec), " on ", made.system.name(), ", ", to_string(set));
    const test_support::TemporaryFolder folder;
    const auto program = StepProgram::compile(made.system, make_method(spec));
    const NativeOptions options{.cache = folder.path(), .instruction_set = set};
    CHECK(NativeCode::is_faster(*program, options));
    const auto code = std::make_shared<NativeCode>(program, options);
    code->wait();
    REQUIRE(code->refusal() == "");
    Stepper interpreted(program, 0.1), compiled(program, 0.1);
    compiled.set_kernel(*code->kernel());
    for (const double h : {0.02, 0.4, 0.9, 1.5, 4.0, 1e200}) {
      const std::vector<double> expected = account_of(interpreted, made, h, 137);
      CHECK(account_of(compiled, made, h, 137) == expected);
      failures.refused += expected.front() != 0.0;
      failures.leaves = failures.leaves || steps_left(*code->kernel(), program, made, h) > 0;
    }
    Stepper switching(program, 0.1);
    switching.switch_when_ready(code);
    CHECK(account_of(switching, made, 1.5, 0) == account_of(interpreted, made, 1.5, 0));
    CHECK(switching.has_switched());
  }
  return failures;
}

}  // namespace

TEST_CASE("Compiled stages in vectors leave the bits of the interpreter") {
  if (sets_with_vectors_of_four().empty()) return;
  const SmallSystem pendulum = test_support::pendulum_cvt(), chaotic = test_support::chaotic();
  // Stages that fill a vector, that do not, and that need several.
  for (const MethodSpec& spec :
       {with_stages("gauss", 8.0), with_stages("gauss", 11.0), with_stages("gauss", 16.0)}) {
    const Failures failures = check_stages(pendulum, spec);
    CHECK(failures.refused > 0);
    CHECK(failures.leaves);
  }
  CHECK(check_stages(chaotic, with_stages("gauss", 4.0)).leaves);
  CHECK(check_stages(chaotic, with_stages("radau-iia", 5.0)).leaves);
  // Means along the step, on nodes beside the stages.
  CHECK(check_stages(chaotic, with_stages("energy-collocation", 2.0)).leaves);
  check_stages(pendulum, with_stages("energy-collocation", 5.0));
  // The rates solve linear systems.
  check_stages(test_support::two_constraints(), with_stages("gauss", 8.0));
}

TEST_CASE("Stages are compiled for vectors only") {
  const test_support::TemporaryFolder folder;
  const SmallSystem made = test_support::pendulum_cvt();
  const auto program = StepProgram::compile(made.system, make_method(with_stages("gauss", 8.0)));
  const auto compensated = StepProgram::compile(made.system, make_method(with_stages("gauss", 8.0)),
                                                {.compensated = true});
  CHECK(!NativeCode::is_faster(*program));
  for (const InstructionSet set : sets_with_vectors_of_four()) {
    CHECK(NativeCode::is_faster(*program, {.instruction_set = set}));
    // Their set-up belongs to every step.
    CHECK(!NativeCode::is_faster(*compensated, {.instruction_set = set}));
    // What Newton's iteration would need is not compiled.
    CHECK(NativeCode::seconds_to_compile(*program, {.instruction_set = set}) <
          0.3 * NativeCode::seconds_to_compile(*program));
    const NativeCode code(compensated, {.cache = folder.path(), .instruction_set = set});
    code.wait();
    REQUIRE(code.kernel() != nullptr);
    Stepper interpreted(compensated, 0.1), compiled(compensated, 0.1);
    compiled.set_kernel(*code.kernel());
    CHECK(account_of(compiled, made, 0.1, 0) == account_of(interpreted, made, 0.1, 0));
  }
}

TEST_CASE("Compiled stages watch what the interpreter watches, and end where it does") {
  if (sets_with_vectors_of_four().empty()) return;
  const test_support::TemporaryFolder folder;
  const SmallSystem made = test_support::chaotic();
  const auto program =
      StepProgram::compile(made.system, make_method(with_stages("gauss", 4.0)), {.watched = true});
  const NativeCode code(
      program, {.cache = folder.path(), .instruction_set = available_instruction_sets().back()});
  code.wait();
  REQUIRE(code.kernel() != nullptr);
  // Some steps of this size are left to the interpreter.
  constexpr double h = 2.5;
  CHECK(steps_left(*code.kernel(), program, made, h) > 0);
  Stepper interpreted(program, h), compiled(program, h);
  compiled.set_kernel(*code.kernel());
  Point a = interpreted.make_point(made.q, made.v), b = a;
  for (Stepper* stepper : {&interpreted, &compiled}) stepper->watch();
  CHECK(interpreted.advance(a, 0.0, 0, 100).steps == compiled.advance(b, 0.0, 0, 100).steps);
  CHECK(a.v == b.v);
  const auto [lowest, highest] = interpreted.range(0);
  CHECK(lowest < highest);
  CHECK(compiled.range(0).lowest == lowest);
  CHECK(compiled.range(0).highest == highest);
  for (Stepper* stepper : {&interpreted, &compiled})
    stepper->set_bounds(0, {lowest, lowest / 2.0 + highest / 2.0});
  const StepReport seen = interpreted.advance(a, 0.0, 100, 10000),
                   met = compiled.advance(b, 0.0, 100, 10000);
  CHECK(seen.status == StepStatus::ok);
  CHECK(seen.steps < 10000);
  CHECK(met.steps == seen.steps);
  CHECK(a.v == b.v);
}

TEST_CASE("Long runs by stages in vectors are compiled") {
  const test_support::CacheOfTest cache;
  const auto plan_of = [](const std::string& more) {
    const std::string text =
        "problem = \"pendulum-cvt\"\ninitial = { name = \"oscillating\" }\n"
        "run = { step = 0.4, steps = 1, native = \"auto\"" +
        more + " }\nmethod = [{ name = \"gauss\", stages = 8 }]\n";
    return study::plan_runs(study::read_study(study::parse_document(text, "text"))).front();
  };
  const auto is_looked_for = [](const study::RunPlan& plan, std::uint64_t count) {
    study::NativeSteps steps({}, {});
    return steps.of(plan, count) != nullptr;
  };
  const study::RunPlan plan = plan_of("");
  CHECK(!is_looked_for(plan, 1000));
  CHECK(is_looked_for(plan, 100000) == !sets_with_vectors_of_four().empty());
  // One stage after the other they would take longer than the interpreter.
  CHECK(!is_looked_for(plan_of(", compensated = true"), 100000));
}
