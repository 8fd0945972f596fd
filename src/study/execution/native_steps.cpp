#include "native_steps.hpp"

#include <algorithm>

#include "dalembert/error.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert::study {
namespace {

/// What the interpreter takes to look at the state after a step.
constexpr double seconds_of_watching = 40e-9;

/// Why a run cannot have the compiled steps of its program; empty if it can.
std::string refusal_at_start(const RunPlan& plan, const std::shared_ptr<const NativeCode>& code) {
  if (code->kernel() == nullptr) return code->refusal();
  Stepper stepper(plan.program, plan.step, plan.parameters);
  Evaluator evaluator(plan.system, plan.parameters);
  stepper.switch_when_ready(code);
  Point point = start_point(stepper, evaluator, plan.q, plan.v);
  static_cast<void>(stepper.step(point));
  return why_interpreted(*code, stepper);
}

}  // namespace

std::string why_interpreted(const NativeCode& code, const Stepper& stepper) {
  if (stepper.has_switched()) return {};
  if (code.kernel() == nullptr) return code.refusal();
  return stepper.is_waiting() ? "" : "what the compiler has made of them has other bits";
}

NativeSteps::NativeSteps(const std::vector<RunPlan>& plans, const ExecutionOptions& options)
    : set_is_chosen_(options.instruction_set.has_value()),
      options_{.instruction_set =
                   options.instruction_set.value_or(available_instruction_sets().back())} {
  for (const RunPlan& plan : plans) {
    if (plan.native != NativeUse::require) continue;
    const std::shared_ptr<const NativeCode> code = code_of(plan, options_);
    if (std::ranges::find(required_, code) != required_.end()) continue;
    required_.push_back(code);
    code->wait(options.cancelled);
    // The first run finds out that there is to be none.
    if (options.cancelled != nullptr && *options.cancelled) return;
    const std::string refusal = refusal_at_start(plan, code);
    if (refusal.empty()) continue;
    throw RequestError("native = \"require\" asks for compiled steps of method \"" +
                       plan.method.label + "\", but " + refusal);
  }
}

std::shared_ptr<const NativeCode> NativeSteps::of(const RunPlan& plan, std::uint64_t steps_left) {
  if (plan.native == NativeUse::off) return nullptr;
  if (plan.native == NativeUse::require) return code_of(plan, options_);
  if (!NativeCode::is_faster(*plan.program, options_)) return nullptr;
  // Who chooses an instruction set wants to see the interpreter on it.
  const double seconds = NativeCode::seconds_interpreted(*plan.program, steps_left) +
                         seconds_of_watching * static_cast<double>(steps_left);
  if (set_is_chosen_ || seconds < worth_looking_for_code) return nullptr;
  NativeOptions options = options_;
  options.compiles =
      seconds > times_of_compiling * NativeCode::seconds_to_compile(*plan.program, options_);
  return code_of(plan, options);
}

std::shared_ptr<const NativeCode> NativeSteps::code_of(const RunPlan& plan,
                                                       const NativeOptions& options) {
  const std::scoped_lock lock(mutex_);
  std::weak_ptr<const NativeCode>& known = codes_[plan.program.get()];
  if (std::shared_ptr<const NativeCode> code = known.lock()) return code;
  auto code = std::make_shared<const NativeCode>(plan.program, options);
  known = code;
  return code;
}

}  // namespace dalembert::study
