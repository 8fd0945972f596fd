#include "compiled_blocks.hpp"

#include "dalembert/error.hpp"
#include "dalembert/study/ensemble/member_states.hpp"
#include "study/execution/native_steps.hpp"

namespace dalembert::study {
namespace {

constexpr const char* other_bits = "what the compiler has made of them has other bits";

}  // namespace

std::shared_ptr<const LaterKernel> CompiledBlocks::of(int members, InstructionSet set,
                                                      std::uint64_t steps) {
  const RunPlan& run = plan_.run;
  if (run.native == NativeUse::off || steps == 0) return nullptr;
  NativeOptions options{.members = members, .instruction_set = set};
  if (code_ == nullptr && run.native == NativeUse::require) require(options);
  if (code_ != nullptr) return code_;
  // Who chooses an instruction set wants to see the interpreter on it.
  if (execution_.instruction_set) return nullptr;
  const double seconds = NativeCode::seconds_interpreted(*run.program, steps, options) *
                         static_cast<double>(plan_.starts->size()) /
                         static_cast<double>(execution_.threads);
  if (seconds < worth_looking_for_code) return nullptr;
  options.compiles =
      seconds > times_of_compiling * NativeCode::seconds_to_compile(*run.program, options);
  code_ = std::make_shared<const NativeCode>(run.program, options);
  return code_;
}

CompiledBlocks::CompiledBlocks(const EnsemblePlan& plan, const EnsembleExecution& execution)
    : plan_(plan), execution_(execution) {
  const bool is_required = plan.run.native == NativeUse::require;
  if (is_required && plan.run.program->method().tolerance() > 0.0)
    refuse("its members divide their steps by themselves; give tolerance = 0, or auto");
  if (is_required && execution.lanes == 1)
    refuse("its members are taken one at a time; leave out lanes = 1, or give auto");
}

void CompiledBlocks::refuse(const std::string& reason) const {
  throw RequestError("native = \"require\" asks for compiled steps of method \"" +
                     plan_.run.method.label + "\", but " + reason);
}

/// Compiles, and tries the steps on a member of the ensemble.
void CompiledBlocks::require(const NativeOptions& options) {
  const RunPlan& run = plan_.run;
  code_ = std::make_shared<const NativeCode>(run.program, options);
  code_->wait(execution_.cancelled);
  if (execution_.cancelled != nullptr && *execution_.cancelled) return;
  std::string refusal = code_->refusal();
  const MemberPoints starts = start_points(plan_);
  if (code_->kernel() != nullptr && !starts.empty()) {
    const bool is_small = options.members == lane_kernel(options.instruction_set).members;
    BatchStepper trial(run.program, 1, run.step,
                       {.instruction_set = options.instruction_set,
                        .block = is_small ? BlockSize::small : BlockSize::large});
    trial.set_parameters(run.parameters);
    Point point = empty_point(*run.program);
    starts.get(0, point);
    trial.set_point(0, point);
    trial.switch_when_ready(code_);
    static_cast<void>(trial.advance(0.0, 0, 1));
    if (!trial.has_switched()) refusal = other_bits;
  }
  if (!refusal.empty()) refuse(refusal);
}

std::string CompiledBlocks::refusal(bool has_switched) const {
  if (code_ == nullptr || has_switched) return {};
  if (code_->kernel() == nullptr) return code_->refusal();
  return other_bits;
}

}  // namespace dalembert::study
