// Compiled steps of batches: with vectors of every width the bits, reports and failures of the
// interpreter.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "dalembert/error.hpp"
#include "dalembert/native/native_code.hpp"
#include "support/batch_support.hpp"
#include "support/small_systems.hpp"
#include "support/temporary_folder.hpp"

using namespace batch_test;
using dalembert::NativeCode;
using dalembert::NativeOptions;
using dalembert::StepStatus;
using dalembert::System;
using test_support::SmallSystem;

namespace {

constexpr std::size_t batch_members = 21;  // a block that is not full

/// What cannot be seen in a checksum: reports and all numbers. A nan is one as another.
std::vector<double> account(BatchStepper& batch, std::span<const StepReport> reports) {
  std::vector<double> numbers;
  for (std::size_t member = 0; member < batch.size(); ++member) {
    const StepReport& report = reports[member];
    numbers.insert(numbers.end(),
                   {static_cast<double>(report.status), static_cast<double>(report.steps),
                    static_cast<double>(report.iterations), report.residual});
    Point point = batch.point(member);
    visit_state(batch.program(), point, [&](std::uint32_t, double x) { numbers.push_back(x); });
  }
  for (double& number : numbers)
    if (std::isnan(number)) number = -12345.0;
  return numbers;
}

/// Members that start apart from each other; some cannot go far.
void set_members(BatchStepper& batch, const SmallSystem& made) {
  for (std::size_t member = 0; member < batch.size(); ++member) {
    std::vector<double> q = made.q, v = made.v;
    q[0] += 0.01 * static_cast<double>(member);
    for (double& x : v) x *= 1.0 + 0.05 * static_cast<double>(member);
    batch.set_point(member, make_point(batch.program(), q, v));
  }
}

class Compiled {
 public:
  Compiled(const std::shared_ptr<const StepProgram>& program, InstructionSet set, int members)
      : code_(std::make_shared<NativeCode>(
            program,
            NativeOptions{.cache = folder_.path(), .members = members, .instruction_set = set})) {
    code_->wait();
    CHECK(code_->refusal() == "");
  }
  const std::shared_ptr<const NativeCode>& code() const { return code_; }

 private:
  test_support::TemporaryFolder folder_;
  std::shared_ptr<const NativeCode> code_;
};

/// The same steps by the interpreter and compiled, from starts and with sizes that fail too.
int check_compiled(const std::shared_ptr<const StepProgram>& program, const SmallSystem& made,
                   InstructionSet set, BlockSize block) {
  INFO(label(program->method().spec()), " on ", made.system.name(), ", ", to_string(set));
  int failures = 0;
  const BatchOptions options{.instruction_set = set, .block = block};
  BatchStepper interpreted(program, batch_members, 0.05, options),
      native(program, batch_members, 0.05, options);
  const Compiled compiled(program, set, static_cast<int>(native.block_size()));
  native.switch_when_ready(compiled.code());
  for (const double h : {0.05, 0.4, 5.0, 1e200}) {
    for (BatchStepper* batch : {&interpreted, &native}) {
      batch->set_step(h);
      set_members(*batch, made);
    }
    for (const std::uint64_t first : {0u, 137u}) {
      const auto here = interpreted.advance(0.25, first, 137),
                 there = native.advance(0.25, first, 137);
      CHECK(account(interpreted, here) == account(native, there));
      for (const StepReport& report : here) failures += report.status != StepStatus::ok;
    }
  }
  CHECK(native.has_switched());
  return failures;
}

}  // namespace

TEST_CASE("Compiled batches leave the bits, the passes and the failures of the interpreter") {
  const SmallSystem made = test_support::pendulum_cvt();
  const auto check = [&](const char* method, bool compensated, InstructionSet set) {
    const auto program = StepProgram::compile(made.system, dalembert::make_method({method}),
                                              {.compensated = compensated, .watched = true});
    const BlockSize block = compensated ? BlockSize::large : BlockSize::small;
    // With a step of 1e200 no member gets far; the count depends on how many there are.
    CHECK(check_compiled(program, made, set, block) >= static_cast<int>(batch_members));
  };
  for (const InstructionSet set : dalembert::available_instruction_sets()) {
    check("dla01", true, set);
    check("lobatto", false, set);
  }
  for (const char* method : {"dla01", "dla", "leapfrog", "discrete-derivative"})
    check(method, false, dalembert::available_instruction_sets().back());
}

TEST_CASE("Compiled batches solve linear systems, sweep stages and fall back as the interpreter" *
          doctest::test_suite("slow")) {
  const InstructionSet set = dalembert::available_instruction_sets().back();
  const auto check = [&](const SmallSystem& made, const MethodSpec& spec) {
    const auto program = StepProgram::compile(made.system, dalembert::make_method(spec));
    check_compiled(program, made, set, BlockSize::small);
    return program;
  };
  const MethodSpec four_stages{"gauss", {{"stages", 4.0}}},
      many_stages{"gauss", {{"stages", 16.0}}};
  const auto solves = check(test_support::two_constraints(), {"dla"});
  CHECK(solves->tape().count(dalembert::TapeOperation::solve) > 0);
  check(test_support::chaotic(), {"lobatto"});
  const MethodSpec five_stages{"lobatto", {{"stages", 5.0}}};
  for (const MethodSpec& spec : {MethodSpec{"reduced-gradient"}, five_stages}) {
    const auto keeps = check(test_support::chaotic(), spec);
    CHECK(keeps->tape().loops.at(0).keeps_matrix());
  }
  const auto falls_back = check(test_support::chaotic(), four_stages);
  CHECK(!falls_back->tape().stages.at(0).fallback.empty());
  const auto sweeps = check(test_support::chaotic(), many_stages);
  CHECK(sweeps->tape().stages.at(0).fallback.empty());
  const auto with_means = check(test_support::chaotic(), {"energy-collocation"});
  CHECK(!with_means->tape().stages.at(0).path.empty());
}

TEST_CASE("A batch that watches notices the same with compiled steps") {
  const SmallSystem made = test_support::pendulum_cvt();
  const auto program =
      StepProgram::compile(made.system, dalembert::make_method({"leapfrog"}), {.watched = true});
  for (const InstructionSet set : dalembert::available_instruction_sets()) {
    const BatchOptions options{.instruction_set = set};
    BatchStepper interpreted(program, batch_members, 0.1, options),
        native(program, batch_members, 0.1, options);
    const Compiled compiled(program, set, static_cast<int>(native.block_size()));
    native.switch_when_ready(compiled.code());
    std::size_t noticed = 0;
    for (BatchStepper* batch : {&interpreted, &native}) {
      set_members(*batch, made);
      batch->watch(true);
      for (std::size_t member = 0; member < batch_members; ++member)
        batch->set_bounds(member, 0, {-1e9, member % 3 == 0 ? -1e8 : 1e9});
      static_cast<void>(batch->advance(0.0, 0, 100));
    }
    for (std::size_t member = 0; member < batch_members; ++member) {
      const bool is_out = interpreted.was_out_of_bounds(member, 0);
      CHECK(native.was_out_of_bounds(member, 0) == is_out);
      noticed += is_out;
    }
    CHECK(noticed == (batch_members + 2) / 3);
  }
}

TEST_CASE("A batch does without a kernel that has other bits, and refuses one of other blocks") {
  class Other : public dalembert::LaterKernel {
   public:
    explicit Other(const dalembert::Kernel& right) {
      wrong_ = right;
      wrong_.advance = [](const dalembert::StepView& view, void* slots, void* workspace,
                          std::uint64_t first, std::uint64_t steps, StepReport* reports) {
        dalembert::lane_kernel(InstructionSet::portable, 4)
            .advance(view, slots, workspace, first, steps, reports);
        // In the last lane of the first number.
        static_cast<double*>(slots)[16 * std::size_t{view.entries[0].input} + 15] += 0x1p-40;
      };
    }
    const dalembert::Kernel* kernel() const override { return &wrong_; }
    bool is_settled() const override { return true; }

   private:
    dalembert::Kernel wrong_;
  };
  const SmallSystem made = test_support::pendulum_cvt();
  const auto program = StepProgram::compile(made.system, dalembert::make_method({"dla01"}));
  const dalembert::Kernel& right = dalembert::lane_kernel(InstructionSet::portable, 4);
  const BatchOptions small{
      .instruction_set = InstructionSet::portable, .width = 4, .block = BlockSize::small};
  BatchStepper interpreted(program, batch_members, 0.1, small),
      doubting(program, batch_members, 0.1, small);
  doubting.switch_when_ready(std::make_shared<Other>(right));
  for (BatchStepper* batch : {&interpreted, &doubting}) set_members(*batch, made);
  const auto here = interpreted.advance(0.0, 0, 100), there = doubting.advance(0.0, 0, 100);
  CHECK(account(interpreted, here) == account(doubting, there));
  CHECK(!doubting.has_switched());
  CHECK(!doubting.is_waiting());
  BatchStepper large(program, batch_members, 0.1,
                     {.instruction_set = InstructionSet::portable, .block = BlockSize::large});
  large.switch_when_ready(std::make_shared<Other>(right));
  CHECK_THROWS_WITH_AS(static_cast<void>(large.advance(0.0, 0, 1)),
                       "a batch with blocks of 64 members cannot change over to a kernel of 16",
                       dalembert::RequestError);
}

TEST_CASE("Blocks of a batch are of whole vectors, on an instruction set that is there") {
  const auto program =
      StepProgram::compile(test_support::pendulum_cvt().system, dalembert::make_method({"dla01"}));
  CHECK_THROWS_WITH_AS(NativeCode(program, NativeOptions{.members = 3}),
                       "compiled steps are for 1 member or for blocks of whole vectors of 2, not "
                       "for 3 members",
                       dalembert::RequestError);
  CHECK_THROWS_AS(NativeCode(program, NativeOptions{.members = 0}), dalembert::RequestError);
  if (dalembert::available_instruction_sets().back() == InstructionSet::x86_64_v4) return;
  CHECK_THROWS_AS(NativeCode(program, NativeOptions{.members = 16,
                                                    .instruction_set = InstructionSet::x86_64_v4}),
                  dalembert::RequestError);
}
