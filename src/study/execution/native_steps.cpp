#include "native_steps.hpp"

#include "dalembert/error.hpp"

namespace dalembert::study {
namespace {

/// Seconds of steps that pay for a look at what was compiled before.
constexpr double worth_looking = 0.03;
/// About a half of a run is saved; it shall be much more than the compiler's work.
constexpr double times_of_compiling = 4.0;

}  // namespace

NativeSteps::NativeSteps(const std::vector<RunPlan>& plans, const ExecutionOptions& options)
    : set_is_chosen_(options.instruction_set.has_value()) {
  for (const RunPlan& plan : plans) {
    if (plan.native != NativeUse::require) continue;
    required_.push_back(code_of(plan, {}));
    required_.back()->wait();
    if (required_.back()->kernel() != nullptr) continue;
    throw RequestError("native = \"require\" asks for compiled steps of method \"" +
                       plan.method.label + "\", but " + required_.back()->refusal());
  }
}

std::shared_ptr<const NativeCode> NativeSteps::of(const RunPlan& plan, std::uint64_t steps_left) {
  if (plan.native == NativeUse::off) return nullptr;
  if (plan.native == NativeUse::require) return code_of(plan, {});
  // Who chooses an instruction set wants to see the interpreter on it.
  const double seconds = NativeCode::seconds_interpreted(*plan.program, steps_left);
  if (set_is_chosen_ || seconds < worth_looking) return nullptr;
  return code_of(plan, {.compiles = seconds > times_of_compiling *
                                                  NativeCode::seconds_to_compile(*plan.program)});
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
