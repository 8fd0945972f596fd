#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/mechanics/rank/redundancy.hpp"
#include "dalembert/mechanics/state_function.hpp"

namespace dalembert {

/// Multipliers of all constraints from those of the ones that are kept, and a look at whether the
/// others still follow from them. One per thread; copies are independent. Calls do not allocate.
class FullMultipliers {
 public:
  /// Parameters in the order of the description; the defaults if empty.
  FullMultipliers(std::shared_ptr<const Redundancy> redundancy, std::span<const double> parameters);
  FullMultipliers(const FullMultipliers& other);
  FullMultipliers& operator=(const FullMultipliers& other);
  FullMultipliers(FullMultipliers&&) noexcept;
  FullMultipliers& operator=(FullMultipliers&&) noexcept;
  ~FullMultipliers();

  /// Of all multipliers with the same reaction A^T lambda those with the least sum of
  /// lambda_i^2 a_i M^-1 a_i^T, a_i the rows of A at (q, v, t): the least norm after each row has
  /// length 1. They do not depend on factors of constraints or linear changes of coordinates.
  /// `kept` has an entry for each constraint that is kept, `all` one for each.
  void operator()(double t, std::span<const double> q, std::span<const double> v,
                  std::span<const double> kept, std::span<double> all);
  /// Multipliers of the constraints that are kept with the reaction of given ones of all.
  void reduce(double t, std::span<const double> q, std::span<const double> v,
              std::span<const double> all, std::span<double> kept);

  /// Evaluator::constraint_error of all constraints.
  double constraint_error(double t, std::span<const double> q, std::span<const double> v);

  /// Reason why the run cannot go on with the constraints that are kept: others no longer follow
  /// from them, or they have become dependent themselves; "" where there is none.
  std::string misfit(double t, std::span<const double> q, std::span<const double> v);
  /// Time near which all constraints have lost rank and have it again, as those of a parallelogram
  /// that passes through lying flat: seen by the last states that `misfit` was given, between which
  /// the part of a row that is new has gone through zero.
  std::optional<double> passed_dependence() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace dalembert
