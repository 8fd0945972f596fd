#pragma once
// Records between the nodes of a run. Only for the sources of this room.

#include <optional>

#include "dalembert/run/event/event_advance.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/run/node_interpolation.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// Finds the states at the times of a plan that lie between two nodes: by a step of another size
/// from the node before, from which the run goes on as if nothing had been; of a method that
/// carries data of steps of one size, by interpolation. Bits do not depend on where a run was
/// interrupted.
class RecordsBetween {
 public:
  /// `start` is the state from which the run goes on.
  RecordsBetween(const RunPlan& plan, std::optional<InstructionSet> instruction_set,
                 const Point& start);

  /// Shows what lies between the node before, which it has kept, and this sample: the next node, or
  /// the end of the run before that. A step that the numbers refuse is left out: the run's own step
  /// over the same place says why.
  void visit(const Sample& sample, bool is_end, const Observer& show);

 private:
  void step_to(double t, std::uint64_t step, const Observer& show);

  const RunPlan& plan_;
  RecordTimes times_;
  Stepper stepper_;
  std::optional<EventAdvance> events_;  ///< those that change the state
  Evaluator evaluator_;
  Point before_, between_;
  NodeInterpolation interpolation_;
};

}  // namespace dalembert::study
