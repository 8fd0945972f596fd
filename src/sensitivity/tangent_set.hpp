#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dalembert/sensitivity/start_tangent.hpp"
#include "dalembert/sensitivity/variation.hpp"
#include "dalembert/step/stepper.hpp"

namespace dalembert {

/// Tangents of a motion along its constraint set, one after the other. Their size is that of their
/// parts of q and v; the rest follows from these. With multipliers as coordinates of their own they
/// are tangents of the set times the multipliers, and these count for `span_set`, too.
class TangentSet {
 public:
  TangentSet(const System& system, const Method& method, std::span<const double> parameters,
             bool with_multipliers = false);

  std::size_t count() const { return values_.size() / layout_.size(); }
  std::span<double> operator[](std::size_t i) {
    return std::span(values_).subspan(i * layout_.size(), layout_.size());
  }

  /// Orthonormal ones that span the set at a state.
  void span_set(const Point& at);
  void drop_last() { values_.resize(values_.size() - layout_.size()); }

  /// Brings tangent i back to the constraint set at a state: a method that keeps constraints to its
  /// order alone leaves it, and carried multipliers have tangents of their own, which would hide
  /// those that decay. Multipliers that are coordinates stay what they are.
  void bring_back(std::size_t i, const Point& at);

  /// Makes tangent i orthogonal to those before, twice, and of length one; returns its length
  /// before.
  double normalise(std::size_t i);

 private:
  double product(std::size_t i, std::size_t j);
  /// Takes the last one out again if it follows from those before.
  void add_if_new();

  VariationLayout layout_;
  StartTangent<double> along_;
  bool with_multipliers_;
  std::size_t counted_;  ///< how many entries count for the size
  std::vector<double> direction_, values_;
};

}  // namespace dalembert
