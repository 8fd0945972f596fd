#pragma once
// Compiled steps for the runs of a study.

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dalembert/native/native_code.hpp"
#include "dalembert/step/stepper.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// Seconds of steps that pay for a look at what was compiled before.
inline constexpr double worth_looking_for_code = 0.02;
/// Of what is left when the compiler is ready a third to a half is saved; it works beside the run.
inline constexpr double times_of_compiling = 2.0;

/// Why a stepper that was to switch to compiled steps has not, in a few words; empty if it has, or
/// if they came too late.
std::string why_interpreted(const NativeCode& code, const Stepper& stepper);

/// Gives each run the compiled steps of its program, and runs of one program the same.
class NativeSteps {
 public:
  /// Compiles what runs require, unless it is cancelled. RequestError where that cannot be done.
  NativeSteps(const std::vector<RunPlan>& plans, const ExecutionOptions& options);

  /// What the run may switch to, perhaps later; nullptr where its steps stay interpreted. From any
  /// thread.
  std::shared_ptr<const NativeCode> of(const RunPlan& plan, std::uint64_t steps_left);

 private:
  std::shared_ptr<const NativeCode> code_of(const RunPlan& plan, const NativeOptions& options);

  bool set_is_chosen_;
  NativeOptions options_;
  std::mutex mutex_;
  std::map<const StepProgram*, std::weak_ptr<const NativeCode>> codes_;
  std::vector<std::shared_ptr<const NativeCode>> required_;
};

}  // namespace dalembert::study
