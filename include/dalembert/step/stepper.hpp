#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dalembert/step/later_kernel.hpp"
#include "dalembert/step/point.hpp"

namespace dalembert {

/// Result of one step or several.
using StepReport = AdvanceReport;

/// Takes steps of one trajectory. Owns its workspace: one stepper per thread, any number per
/// program. After construction steps neither allocate nor throw. Where the solver fails, a step
/// returns a report with the reason and leaves the state as it was. `BasicStepper` does the same in
/// other number types.
class Stepper {
 public:
  /// Values from `lowest` to `highest`; none if lowest > highest.
  struct Range {
    double lowest, highest;  ///< inclusive
  };

  /// Parameters are those of the system's description unless given.
  explicit Stepper(std::shared_ptr<const StepProgram> program, double h,
                   std::span<const double> parameters = {});

  const StepProgram& program() const { return *program_; }  ///< compiled method

  /// New parameters, in the order of the system's description; RequestError if their number is
  /// wrong.
  void set_parameters(std::span<const double> parameters);
  double step_size() const;  ///< h
  void set_step(double h);   ///< step size of the steps from now on
  /// The largest estimated error of a substep, of a method that divides its steps: the method's,
  /// unless another is set. Steps are not divided where it is 0, as of other methods.
  double tolerance() const { return tolerance_; }
  /// Tolerance of the substeps from now on; 0: steps are not divided.
  void set_tolerance(double tolerance) { tolerance_ = tolerance; }

  /// Runs the steps from now on with another kernel of one member, with bitwise identical results.
  /// RequestError for a kernel of several members.
  void set_kernel(const Kernel& kernel);

  /// Changes over to another kernel between two steps, once that is ready and if its results on
  /// some steps are bitwise identical to those of the present one.
  void switch_when_ready(std::shared_ptr<const LaterKernel> later);
  bool has_switched() const { return has_switched_; }  ///< true once such a kernel was taken
  bool is_waiting() const { return is_waiting_; }      ///< true if one may still come

  /// From now on every state that a step begins with is watched, of a program with
  /// StepOptions::watched, or none is any more. Ranges are empty and all finite numbers within
  /// bounds.
  void watch(bool on = true);
  bool is_watching() const;  ///< true while states are watched
  /// `advance` ends at a state other than that with which it began where the quantity with this
  /// index among `StepProgram::watched()` is outside of these bounds or nan. Its report is then ok,
  /// with fewer steps.
  void set_bounds(std::size_t quantity, const Range& bounds);
  /// Range of the quantity within its bounds, over all states that steps began with since `watch`.
  Range range(std::size_t quantity) const;

  /// A point at the given position and velocity, with room for what the method carries (zero).
  Point make_point(std::span<const double> q, std::span<const double> v) const;

  /// One step from point.t on.
  [[nodiscard]] StepReport step(Point& point) { return advance(point, point.t, 0, 1); }

  /// `steps` steps, where step number k (counted from `first`) starts at start + k h; point.t
  /// becomes start + (first + taken) h.
  [[nodiscard]] StepReport advance(Point& point, double start, std::uint64_t first,
                                   std::uint64_t steps);

 private:
  StepReport advance_watching(Point& point, double start, std::uint64_t first, std::uint64_t steps);
  StepReport advance_now(Point& point, double start, std::uint64_t first, std::uint64_t steps);
  /// From the state in the slots; steps that the kernel leaves are the interpreter's.
  StepReport advance_slots(const Kernel& kernel, std::vector<double>& slots, std::uint64_t first,
                           std::uint64_t steps);
  void try_to_switch(const Point& point, double start, std::uint64_t first);
  StepReport try_kernel(const Kernel& kernel, std::vector<double>& slots, const Point& point,
                        double start, std::uint64_t first);

  std::shared_ptr<const StepProgram> program_;
  const Kernel* kernel_;
  std::vector<double> slots_, workspace_;
  double tolerance_;
  bool ready_ = false;
  std::shared_ptr<const LaterKernel> later_;
  std::vector<double> trial_[2];  ///< slots for comparing two kernels
  bool is_waiting_ = false, has_switched_ = false;
};

}  // namespace dalembert
