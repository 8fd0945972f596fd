#pragma once
// The constraints of a system at a state, in numbers. Only for the sources of this room.

#include <span>
#include <vector>

#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/mechanics/system.hpp"
#include "mechanics/rank/scaled_rows.hpp"

namespace dalembert {

/// Rows, values and changes of all constraints at states. Calls do not allocate.
class RowsAtState {
 public:
  RowsAtState(const System& system, std::span<const double> parameters);

  /// False where a number is not finite, or no metric positive definite.
  bool set(double t, std::span<const double> q, std::span<const double> v);

  const ScaledRows& scaled() const { return scaled_; }
  std::size_t count() const { return count_; }
  std::size_t first_on_positions() const { return count_ - on_positions_; }
  /// Phi_i, or dphi_i/dt; phi_i of the k-th constraint on positions.
  double value(std::size_t i) const { return values_[dof_ * dof_ + count_ * dof_ + i]; }
  double position(std::size_t k) const { return value(count_ + k); }
  /// (dA_i v) v + ...: the rate of Phi_i without acceleration.
  double change(std::size_t i) const { return value(count_ + on_positions_ + i); }
  /// Round-off of Phi_i is this times epsilon; that of phi_k likewise, with 1 as the least size of
  /// an entry of q.
  double value_size(std::size_t i) const;
  /// |Phi_i| over the lengths of its row and of the velocity; 0 at rest.
  double relative_value(std::size_t i) const;
  double position_size(std::size_t k) const;

 private:
  std::span<const double> row(std::size_t i) const {
    return std::span(values_).subspan(dof_ * dof_ + i * dof_, dof_);
  }

  std::size_t dof_, count_, on_positions_;
  StateFunction<double> function_;
  std::vector<double> values_, v_;
  double largest_q_ = 0.0;
  ScaledRows scaled_;
};

}  // namespace dalembert
