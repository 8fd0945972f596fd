#pragma once
// Compiled steps for the blocks of an ensemble.

#include <memory>
#include <string>

#include "dalembert/native/native_code.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"

namespace dalembert::study {

class CompiledBlocks {
 public:
  /// RequestError where compiled steps are required of members that are not in lanes.
  CompiledBlocks(const EnsemblePlan& plan, const EnsembleExecution& execution);

  /// What blocks of so many members may change over to, perhaps later, with so many steps to go;
  /// nullptr where their steps stay interpreted. RequestError where compiled steps are required and
  /// there can be none.
  std::shared_ptr<const LaterKernel> of(int members, InstructionSet set, std::uint64_t steps);
  /// Why blocks that were to change over have not; empty if they have, or if it came too late.
  std::string refusal(bool has_switched) const;

 private:
  [[noreturn]] void refuse(const std::string& reason) const;
  void require(const NativeOptions& options);

  const EnsemblePlan& plan_;
  const EnsembleExecution& execution_;
  std::shared_ptr<const NativeCode> code_;
};

}  // namespace dalembert::study
