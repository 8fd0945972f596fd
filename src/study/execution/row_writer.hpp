#pragma once
// Records of a run from its states. Only for the sources of this room.

#include <optional>
#include <span>
#include <vector>

#include "dalembert/mechanics/rank/full_multipliers.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// Fills rows of a plan's columns, all but those of contacts, which are watched. `fill` does not
/// allocate.
class RowWriter {
 public:
  explicit RowWriter(const RunPlan& plan);

  /// `recorded`: whether costly quantities are looked at, or keep their last value.
  void fill(const Sample& sample, std::span<double> row, bool recorded);
  /// The column of the first quantity of the study.
  std::size_t quantities_begin() const { return quantities_begin_; }
  /// Constraints on velocities and on positions of the system whose steps are taken.
  std::size_t constraint_count() const { return constraint_count_; }

 private:
  /// Energy, largest |Phi_i| or |phi_i| of all constraints, integrals.
  void monitor(const Point& point, std::span<double> values);

  const RecordColumns& columns_;
  std::size_t constraint_count_, stated_count_, quantities_begin_;
  StateFunction<double> function_;       ///< of energy, constraints and integrals in one evaluation
  std::optional<FullMultipliers> full_;  ///< where constraints follow from others
  std::vector<Quantity> quantities_;
};

}  // namespace dalembert::study
