#pragma once
// Members of an ensemble that share the lanes of a stepper. Only for the sources of this room.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "block_measures.hpp"
#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/run/ensemble.hpp"
#include "dalembert/run/event/member_events.hpp"
#include "dalembert/run/node_interpolation.hpp"
#include "member_stepper.hpp"
#include "record_grid.hpp"

namespace dalembert {

/// What the blocks of a thread add up to in a window.
struct WindowWork {
  std::uint64_t taken = 0, iterations = 0;
  double seconds = 0.0;                 ///< in the stepper alone
  std::vector<MemberFailure> failures;  ///< of this window
};

/// What a thread needs to advance blocks of members, one after the other.
class BlockRunner {
 public:
  /// Blocks of at most `size` members.
  BlockRunner(const std::shared_ptr<const StepProgram>& program, const Evaluator& evaluator,
              double h, const BatchOptions& lanes, std::size_t size, const EventFunctions& events);

  /// A block of members, some of which may have failed.
  void begin(const EnsembleState& state, std::span<const std::size_t> members);
  /// Through a window, into the points after it; false if that was stopped.
  bool advance(const EnsembleOptions& options, const RecordGrid& grid, RecordWindow& window,
               MemberPoints& after);
  /// Measures a record at the states where the members are.
  void observe(RecordWindow& window, std::size_t record);

  WindowWork& work() { return work_; }
  /// See `BatchStepper`; for members in lanes.
  void switch_when_ready(std::shared_ptr<const LaterKernel> later) {
    stepper_.batch()->switch_when_ready(std::move(later));
  }
  bool has_switched() const {
    return stepper_.batch() != nullptr && stepper_.batch()->has_switched();
  }

 private:
  bool advance_to(const EnsembleOptions& options, std::uint64_t step);
  void advance_steps(double start, std::uint64_t count);
  void advance_with_events(double start, std::uint64_t count);
  void prepare_events();
  void note(std::size_t i, const StepReport& report, std::uint64_t first);
  void note_failure(std::size_t i, const StepReport& report, std::uint64_t first);
  void note_end(std::size_t i, const Point& point, std::uint64_t reached);
  void step_aside(double from, double to);
  void pass_events_aside(double to);
  void keep_before();
  void interpolate(double t, RecordWindow& window, std::size_t record);

  std::shared_ptr<const StepProgram> program_;
  BatchOptions lanes_;
  std::size_t size_;
  MemberStepper stepper_;
  BlockMeasures measures_;
  std::unique_ptr<MemberStepper> aside_;  ///< for steps of other sizes, once there are some
  std::span<const std::size_t> members_;
  std::vector<bool> has_failed_, lacks_;  ///< lacks: no state in between
  std::optional<MemberEvents> events_;    ///< if there are any
  Point moved_;                           ///< of a member that is advanced alone
  std::vector<Point> before_;  ///< at the node before, where states are interpolated or events are
  NodeInterpolation interpolation_;
  std::vector<double> q_before_, q_after_;
  WindowWork work_;
  std::uint64_t done_ = 0, steps_before_ = 0;
};

}  // namespace dalembert
