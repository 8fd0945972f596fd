#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/run/adaptive.hpp"
#include "dalembert/sensitivity/variation.hpp"
#include "dalembert/step/batch_stepper.hpp"

namespace dalembert {

/// A trajectory with several tangents, which are advanced side by side: each lane of a batch has
/// the state and one of them. The state has the bits of a run of the method. After construction
/// nothing allocates or throws during `advance`. One per thread.
class TangentBundle {
 public:
  /// Room for `tangents` tangents, one at least; parameters in the order of the description, the
  /// defaults if empty. RequestError where the method does not fit the system, and for a varied
  /// step of a method that divides its steps.
  TangentBundle(const System& system, const Method& method, const Variation& variation,
                std::size_t tangents, double h, std::span<const double> parameters = {},
                const StepOptions& options = {});

  /// The compiled step, with a tangent.
  const StepProgram& program() const { return *program_; }
  const VariationLayout& layout() const { return layout_; }  ///< of a tangent
  std::size_t size() const { return size_; }                 ///< number of tangents
  /// Another size of the steps.
  void set_step(double h);
  /// New parameters, in the order of the description; RequestError if their number is wrong.
  void set_parameters(std::span<const double> parameters);

  /// The state: a point of a run of the method, such as `start_point` returns. Tangents become
  /// zero.
  void set_point(const Point& point);
  /// The state as a point of a run of the method.
  Point point() const;
  /// Sets tangent i, [VariationLayout::size()].
  void set_tangent(std::size_t i, std::span<const double> tangent);
  /// Copies tangent i to `tangent`, [VariationLayout::size()].
  void get_tangent(std::size_t i, std::span<double> tangent) const;

  /// Steps as Stepper::advance. A step that is refused, for the state or for a tangent that is no
  /// finite number any more, leaves everything as it was before that step.
  [[nodiscard]] StepReport advance(double start, std::uint64_t first, std::uint64_t steps);

 private:
  /// A tangent by itself.
  struct Single {
    Single(const std::shared_ptr<const StepProgram>& program, double h,
           std::span<const double> parameters)
        : stepper(program, h, parameters), divide(stepper) {}
    Stepper stepper;         ///< of one tangent
    AdaptiveAdvance divide;  ///< for a method that divides its steps
  };
  void get(std::size_t i, Point& point) const;
  void set(std::size_t i, const Point& point);
  /// The report of the member that comes least far.
  StepReport advance_members(double start, std::uint64_t first, std::uint64_t steps);

  std::shared_ptr<const StepProgram> program_;
  VariationLayout layout_;
  std::size_t size_;
  std::optional<BatchStepper> batch_;
  std::vector<std::unique_ptr<Single>> singles_;
  std::vector<Point> points_;  ///< of these
  std::vector<Point> before_;  ///< all members
  mutable Point shown_;
};

}  // namespace dalembert
