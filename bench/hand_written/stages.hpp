#pragma once
/// \file
/// Gauss' method with eight stages, which lie side by side in the lanes of one vector: integrals of
/// polynomials through the stages, and when their sweeps have settled.

#include "dalembert/mechanics/difference/quadrature.hpp"
#include "kernels.hpp"
#include "numbers.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS {

inline constexpr int stage_count = 8;

/// A polynomial in the time of a step is its values at the stages.
class Stages {
 public:
  explicit Stages(double step) : step_(step), square_(step * step) {
    using dalembert::Constant;
    const dalembert::QuadratureRule rule = dalembert::gauss_rule(stage_count);
    const auto a = dalembert::collocation_coefficients(rule.nodes);
    const auto number = [](const Constant& c) { return c.as<double>(); };
    for (int i = 0; i < stage_count; ++i) {
      const double node = number(rule.nodes[i]);
      time_.set(i, step * node);
      weights_[i] = step * number(rule.weights[i]);
      second_weights_[i] = square_ * number(rule.weights[i]) * (1.0 - node);
      for (int j = 0; j < stage_count; ++j) {
        long double twice = 0.0L;
        for (int k = 0; k < stage_count; ++k)
          twice += a[i][k].as<long double>() * a[k][j].as<long double>();
        once_[j].set(i, step * number(a[i][j]));
        twice_[j].set(i, square_ * static_cast<double>(twice));
        beyond_[j].set(i, number(dalembert::lagrange_value(rule.nodes, static_cast<std::size_t>(j),
                                                           Constant{1.0 + node})));
      }
    }
  }

  /// Those of a step of that size, made when they are first asked for.
  static const Stages& of(double step) {
    static Stages stages(step);
    if (stages.step_ != step) stages = Stages(step);
    return stages;
  }

  /// Times of the stages, from the start of the step.
  const Eight& time() const { return time_; }
  /// The integral from the start of the step to each stage, and its integral.
  Eight integral(const Eight& rate) const { return product(once_, rate); }
  Eight second_integral(const Eight& rate) const { return product(twice_, rate); }
  /// Both to the end of the step.
  double whole_integral(const Eight& rate) const { return product(weights_, rate); }
  double whole_second_integral(const Eight& rate) const { return product(second_weights_, rate); }
  /// The same polynomial at the stages of the next step.
  Eight next(const Eight& rate) const { return product(beyond_, rate); }

 private:
  static Eight product(const Eight* columns, const Eight& rate) {
    double at[stage_count];
    rate.store(at);
    Eight even = columns[0] * Eight(at[0]), odd = columns[1] * Eight(at[1]);
    for (int j = 2; j < stage_count; j += 2) {
      even = even + columns[j] * Eight(at[j]);
      odd = odd + columns[j + 1] * Eight(at[j + 1]);
    }
    return even + odd;
  }
  static double product(const double* weights, const Eight& rate) {
    double at[stage_count], sum = 0.0;
    rate.store(at);
    for (int j = 0; j < stage_count; ++j) sum += weights[j] * at[j];
    return sum;
  }

  double step_, square_;
  Eight time_, once_[stage_count], twice_[stage_count], beyond_[stage_count];
  double weights_[stage_count], second_weights_[stage_count];
};

/// The largest of all stages.
inline double largest_of(const Eight& a) {
  double at[stage_count];
  a.store(at);
  double largest = at[0];
  for (int i = 1; i < stage_count; ++i) largest = larger_of(largest, at[i]);
  return largest;
}

/// More sweeps than stages need that settle at all.
inline constexpr int most_sweeps = 40;

/// Changes of sweeps shrink linearly: the next one would be below round-off, or this one is
/// round-off and shrinks no more.
class Settling {
 public:
  bool is_over(double change, double size) {
    constexpr double unit = 0x1p-53;
    const bool shrinks = change <= 0.25 * last_;
    const bool over = change == 0.0 ||
                      (shrinks && change * change <= 0x1p-6 * unit * size * last_) ||
                      (!shrinks && change <= 32.0 * unit * size);
    last_ = change;
    return over;
  }

 private:
  double last_ = 0.0;
};

}  // namespace bench::DALEMBERT_BENCH_KERNELS
