#pragma once

#include "dalembert/step/stepper.hpp"

namespace dalembert {

/// Divides the steps of a method that estimates its error, so that every substep's estimate stays
/// below the method's tolerance relative to 1 + size. Classical control of the substep by the power
/// 1/order of the estimate. Source: [HairerNorsettWanner1993], Sect. II.4.
class AdaptiveAdvance {
 public:
  explicit AdaptiveAdvance(Stepper& stepper);

  /// `steps` steps from step number `first` of the grid start + k h, as Stepper::advance, whose
  /// step size is h before and after. A substep that would have to be smaller than round-off of the
  /// time, and a step of more than a million substeps, end with status not_converged, the estimate
  /// as residual and the state before it. The iterations of the report are the substeps that were
  /// tried beyond one for each step.
  [[nodiscard]] StepReport operator()(Point& point, double start, std::uint64_t first,
                                      std::uint64_t steps);

  /// Substeps so far whose estimate was too large, and that were tried again in smaller ones.
  std::uint64_t rejected() const { return rejected_; }

 private:
  StepReport advance(Point& point, double start, double h, std::uint64_t first,
                     std::uint64_t steps);
  bool cross(Point& point, double from, double to, StepReport& report);
  double scaled_error(const Point& before, const Point& after) const;
  double growth(double error) const;

  Stepper& stepper_;
  Point trial_, before_;  // kept, so that no step allocates
  double tolerance_, exponent_, substep_ = 0.0;
  std::uint64_t rejected_ = 0;
};

}  // namespace dalembert
