#pragma once
// Functions of the state and their slopes. Only for the sources of this room.

#include <string>
#include <vector>

#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/sensitivity/sensitivity.hpp"

namespace dalembert {

/// Quantities at a state with their derivatives by all that a tangent holds. One per thread.
class OutputSlopes {
 public:
  /// `has_multiplier`: whether states have the method's own, else it is that of the motion.
  OutputSlopes(const System& system, const Method& method, const Variation& variation,
               const std::vector<SensitiveQuantity>& quantities, bool has_multiplier,
               std::span<const double> parameters);

  std::size_t size() const { return count_; }
  const std::vector<std::string>& names() const { return names_; }
  /// Computes both at a state whose angles have turns.
  void evaluate(const Point& point);
  double value(std::size_t i) const { return results_[i]; }
  /// By what a tangent holds, [VariationLayout::size()].
  std::span<const double> slopes(std::size_t i) const {
    return std::span(results_).subspan(count_ + i * width_, width_);
  }

 private:
  std::vector<std::string> names_;
  std::size_t count_, width_;
  StateFunction<double> function_;
  std::vector<double> q_, lambda_, results_;
};

/// Positions as they are stored and velocities, under the names of columns.
std::vector<SensitiveQuantity> state_quantities(const System& system);

}  // namespace dalembert
