#include "rows_at_state.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

RowsAtState::RowsAtState(const System& system, std::span<const double> parameters)
    : dof_(system.dof()),
      count_(system.constraint_count()),
      on_positions_(system.holonomic_count()),
      v_(dof_),
      scaled_(count_, dof_) {
  const Symbols s = system.symbols();
  // Without acceleration and multiplier the last equations of motion are these changes.
  const Vector residual =
      system.motion_residual(s.q, s.v, s.t, zeros(dof_), zeros(system.constraint_count()));
  const Vector changes = slice(residual, dof_, count_);
  const Vector positions = system.holonomic(s.q, s.t);
  const Vector rates = system.constraint(s.q, s.v, s.t);
  const Vector rows = system.constraint_matrix(s.q, s.v, s.t).entries();
  const Vector mass = system.mass(s.q, s.v, s.t).entries();
  function_ = {system, s, concatenate({mass, rows, rates, positions, changes}), parameters};
  values_.resize(function_.output_count());
}

bool RowsAtState::set(double t, std::span<const double> q, std::span<const double> v) {
  function_.evaluate(t, q, v, {}, values_);
  std::ranges::copy(v, v_.begin());
  largest_q_ = 1.0;
  for (const double entry : q) largest_q_ = numeric::larger(largest_q_, std::fabs(entry));
  const bool is_finite =
      std::ranges::all_of(values_, [](double value) { return std::isfinite(value); });
  const std::span<const double> all(values_);
  return is_finite && scaled_.set(all.first(dof_ * dof_), all.subspan(dof_ * dof_, count_ * dof_));
}

double RowsAtState::value_size(std::size_t i) const {
  double size = 0.0;
  for (std::size_t j = 0; j < dof_; ++j) size += std::fabs(row(i)[j] * v_[j]);
  return size;
}

double RowsAtState::relative_value(std::size_t i) const {
  const double size = scaled_.length(i) * scaled_.length_of(v_);
  return size > 0.0 ? std::fabs(value(i)) / size : 0.0;
}

double RowsAtState::position_size(std::size_t k) const {
  double size = 0.0;
  for (const double entry : row(first_on_positions() + k)) size += std::fabs(entry);
  return size * largest_q_;
}

}  // namespace dalembert
