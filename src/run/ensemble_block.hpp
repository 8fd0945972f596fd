#pragma once
// Members of an ensemble that share the lanes of a stepper. Only for the sources of this room.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/run/adaptive.hpp"
#include "dalembert/run/ensemble.hpp"
#include "dalembert/run/node_interpolation.hpp"
#include "dalembert/step/batch_stepper.hpp"

namespace dalembert {

/// Where the records of an ensemble stand.
class RecordGrid {
 public:
  RecordGrid(const EnsembleOptions& options, double h);

  /// Records that the members have passed after so many steps.
  std::uint64_t passed(std::uint64_t steps) const;
  struct Place {
    std::uint64_t node;  ///< after so many steps, or between the node before and this one
    bool is_node;
    double t;
  };
  Place place(std::uint64_t record) const;
  /// Steps after which a window may end: where a record stands, if they are some steps apart.
  std::uint64_t unit() const { return times_.steps(); }
  double node_time(std::uint64_t step) const { return start_ + static_cast<double>(step) * h_; }

 private:
  RecordTimes times_;
  std::uint64_t steps_;
  double start_, h_;
  bool records_end_;
};

/// Records first, ..., first + count - 1, all between two numbers of steps, and where their values
/// go.
struct RecordWindow {
  std::uint64_t first = 0, from_step = 0, to_step = 0;
  std::size_t count = 0, quantities = 0, members = 0;
  std::vector<double> values, times;

  double& at(std::size_t record, std::size_t quantity, std::size_t member) {
    return values[(record * quantities + quantity) * members + member];
  }
};

/// Steps of some members with one step size: in lanes, or one member after the other.
class MemberStepper {
 public:
  MemberStepper(const std::shared_ptr<const StepProgram>& program,
                std::span<const double> parameters, double h, const BatchOptions& lanes,
                std::size_t members);
  // AdaptiveAdvance refers to the stepper.
  MemberStepper(const MemberStepper&) = delete;
  MemberStepper& operator=(const MemberStepper&) = delete;

  const StepProgram& program() const { return *program_; }
  void set_step(double h);
  /// The states to go on from, where they were changed by others; leaves out what is skipped.
  void put(const std::vector<Point>& points, const std::vector<bool>& skipped);
  /// Steps of all members that are not skipped: their states and reports.
  void advance(std::vector<Point>& points, const std::vector<bool>& skipped, double start,
               std::uint64_t first, std::uint64_t count, std::vector<StepReport>& reports);

 private:
  std::shared_ptr<const StepProgram> program_;
  std::optional<BatchStepper> batch_;
  std::optional<Stepper> stepper_;
  std::optional<AdaptiveAdvance> divide_;
};

/// Some members of an ensemble on their way.
class EnsembleBlock {
 public:
  EnsembleBlock(const std::shared_ptr<const StepProgram>& program,
                std::span<const double> parameters, double h, const BatchOptions& lanes,
                std::vector<std::size_t> members, const EnsembleState& state);

  /// Advances through a window, or not at all: false if it was told to stop.
  bool advance(const EnsembleOptions& options, const RecordGrid& grid, Evaluator& evaluator,
               RecordWindow& window);
  /// Measures a record at the state where the members are.
  void observe(Evaluator& evaluator, RecordWindow& window, std::size_t record);
  /// Back to where the window began.
  void restore();
  void save(EnsembleState& state, EnsembleReport& report) const;
  void tell_failures(std::vector<MemberFailure>& failures) const;

 private:
  bool advance_to(const EnsembleOptions& options, std::uint64_t step);
  void advance_steps(double start, std::uint64_t count);
  void note(std::size_t i, const StepReport& report);
  void step_aside(double from, double to);
  void interpolate(double t);
  void measure(Evaluator& evaluator, RecordWindow& window, std::size_t record,
               const std::vector<Point>& points, const std::vector<bool>& skipped);

  std::shared_ptr<const StepProgram> program_;
  std::vector<double> parameters_;
  BatchOptions lanes_;
  std::vector<std::size_t> members_;
  MemberStepper stepper_;
  std::unique_ptr<MemberStepper> aside_;  ///< for steps of other sizes, once there are some
  std::vector<Point> points_, saved_, before_, between_;  ///< before: at the node before
  std::vector<bool> has_failed_, lacks_;                  ///< lacks: no state in between
  std::vector<std::optional<MemberFailure>> failed_, saved_failed_;
  std::vector<StepReport> reports_;
  NodeInterpolation interpolation_;
  std::vector<double> q_before_, q_after_, integrals_;
  std::uint64_t done_ = 0, taken_ = 0, iterations_ = 0, steps_before_ = 0;
  double seconds_ = 0.0;
};

}  // namespace dalembert
