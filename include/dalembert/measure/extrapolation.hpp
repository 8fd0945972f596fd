#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

/// Solves y' = f(y) to round-off of `Number`, for measurements: the explicit midpoint rule with 2,
/// 4, ..., 2 K substeps, extrapolated to order 2 K, with steps chosen so that the last column but
/// one of the extrapolation already is at round-off. K is 7 for double and grows with the digits.
/// Source: [HairerNorsettWanner1993], Sect. II.9, the GBS method. Explicit, so not for stiff
/// equations. Accuracy: a few units of round-off of 1 + |y| per step, of steps somewhat shorter
/// than the fastest time scale of the equations.
///
/// `RightHandSide` is called as f(span<const Number> y, span<Number> slope).
template <class Number, class RightHandSide>
class Extrapolation {
 public:
  Extrapolation(RightHandSide f, std::size_t size)
      : f_(std::move(f)),
        size_(size),
        columns_(columns_for_digits()),
        table_(columns_ * size),
        before_(size),
        now_(size),
        state_(size),
        slope_(size),
        first_slope_(size),
        result_(size) {}

  std::size_t size() const { return size_; }  ///< entries of y
  /// Forgets which step was short enough, so that the next step does not depend on those before.
  void restart() { guess_ = Number(0.0); }
  /// The function f, as the solver calls it.
  RightHandSide& right_hand_side() { return f_; }

  /// `change` = y(h) - y(0) by one extrapolation of step h, of either sign; returns the largest
  /// difference between the last two columns relative to 1 + |y|, an estimate of the error of the
  /// last but one. nan where f is not finite.
  Number change_over(std::span<const Number> y, const Number& h, std::span<Number> change) {
    f_(y, std::span<Number>(first_slope_));
    Number error(0.0);
    for (std::size_t j = 0; j < columns_; ++j) {
      midpoint_rule(y, h, 2 * (j + 1));
      for (std::size_t i = 0; i < size_; ++i) {
        Number value = now_[i];  // column 0 of row j; Neville's scheme in h^2 gives the others
        for (std::size_t k = 0; k < j; ++k) {
          const Number older = std::exchange(table_[k * size_ + i], value);
          const Number correction = (value - older) / (ratio(j, k + 1) - Number(1.0));
          value = value + correction;
          if (j + 1 == columns_ && k + 1 == j) {
            const Number size = size_of(correction) / (Number(1.0) + size_of(y[i]));
            error = numeric::larger(error, size);
            if (size != size) return size;
          }
        }
        table_[j * size_ + i] = value;
      }
    }
    for (std::size_t i = 0; i < size_; ++i) change[i] = table_[(columns_ - 1) * size_ + i];
    return error;
  }

  /// One step of at most `longest` (of either sign) that reaches round-off; y becomes its end.
  /// Returns the step, or zero if no step was short enough.
  Number step(std::span<Number> y, const Number& longest) {
    const Number sign(longest < Number(0.0) ? -1.0 : 1.0);
    Number h = sign * longest;
    if (guess_ > Number(0.0)) h = numeric::smaller(h, guess_);
    const Number tolerance = Number(2.0) * std::numeric_limits<Number>::epsilon();
    for (int attempt = 0; attempt < 60; ++attempt) {
      const Number error = change_over(y, sign * h, result_);
      if (error <= tolerance) {
        for (std::size_t i = 0; i < size_; ++i) y[i] = y[i] + result_[i];
        // The error grows like h^(2 K - 1): one far below the tolerance permits a longer step.
        guess_ = error * Number(64.0) <= tolerance ? h * Number(1.25) : h;
        return sign * h;
      }
      h = h * Number(error <= Number(1e3) * tolerance ? 0.75 : 0.5);
      guess_ = h;
    }
    return Number(0.0);
  }

  /// y becomes the solution after `duration`, of either sign; false if no step was short enough.
  [[nodiscard]] bool advance(std::span<Number> y, Number duration) {
    while (duration != Number(0.0)) {
      const Number h = step(y, duration);
      if (h == Number(0.0)) return false;
      duration = duration - h;
    }
    return true;
  }

 private:
  static std::size_t columns_for_digits() {
    const double digits = static_cast<double>(std::numeric_limits<Number>::digits);
    return std::max<std::size_t>(7, static_cast<std::size_t>(digits / 10.0) + 1);
  }
  static Number ratio(std::size_t j, std::size_t k) {
    const Number r = Number(static_cast<double>(j + 1)) / Number(static_cast<double>(j + 1 - k));
    return r * r;
  }
  static Number size_of(const Number& x) { return x < Number(0.0) ? Number(-x) : x; }

  /// now_ = y(h) - y(0) by the midpoint rule with n substeps; n is even, so that the error is a
  /// series in h^2.
  void midpoint_rule(std::span<const Number> y, const Number& h, std::size_t n) {
    const Number substep = h / Number(static_cast<double>(n));
    for (std::size_t i = 0; i < size_; ++i) {
      before_[i] = Number(0.0);
      now_[i] = substep * first_slope_[i];
    }
    for (std::size_t k = 1; k < n; ++k) {
      for (std::size_t i = 0; i < size_; ++i) state_[i] = y[i] + now_[i];
      f_(std::span<const Number>(state_), std::span<Number>(slope_));
      for (std::size_t i = 0; i < size_; ++i) {
        const Number next = before_[i] + (substep + substep) * slope_[i];
        before_[i] = now_[i];
        now_[i] = next;
      }
    }
  }

  RightHandSide f_;
  std::size_t size_, columns_;
  std::vector<Number> table_;  ///< columns of the last row of the extrapolation
  std::vector<Number> before_, now_, state_, slope_, first_slope_, result_;
  Number guess_ = Number(0.0);
};

}  // namespace dalembert
