#pragma once
// The estimated error of runs. Only for the sources of this room.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {

/// Estimates the error of a run for which a tolerance is asked: keeps its states at some nodes, and
/// lays a second run beside them, with steps of another size. Without a check in the plan it keeps
/// and says nothing.
class ErrorWatch {
 public:
  explicit ErrorWatch(const RunPlan& plan);

  /// The number of the next step whose state is wanted; beyond all steps where none is.
  std::uint64_t next(std::uint64_t step) const;
  void see(const Sample& sample);

  /// The error up to the last state of the run, infinite where no second run gets there: one that
  /// is coarser; where that fails, one that is finer. Its stepper is prepared by `prepare`. Nothing
  /// where it is cancelled.
  std::optional<ErrorEstimate> estimate(const StateValues& last,
                                        const std::function<void(Stepper&)>& prepare,
                                        const std::atomic<bool>* cancelled) const;

 private:
  struct Row {
    std::uint64_t group;  ///< of nodes up to it
    double t;
    std::vector<double> state;
  };
  struct Second {
    enum class Status { complete, failed, cancelled } status = Status::complete;
    ErrorEstimate found = {};
  };
  /// A second run, whose nodes are so many where this one has four.
  Second beside(std::uint64_t nodes, double scale, const StateValues& last,
                const std::function<void(Stepper&)>& prepare,
                const std::atomic<bool>* cancelled) const;

  const RunPlan& plan_;
  std::uint64_t every_ = 0;  ///< groups of nodes between two states that are kept
  std::vector<Row> rows_;
};

}  // namespace dalembert::study
