#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "dalembert/measure/term_sizes.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

/// Largest sizes of numbers at the states that were seen, each at least one. Their round-off is
/// relative to these. A size that is not finite is left out.
template <class Number>
class StateSizes {
 public:
  /// Parameters in the order of the description. RequestError if their number is wrong.
  StateSizes(const System& system, std::span<const double> parameters)
      : system_(system),
        parameters_(parameters.begin(), parameters.end()),
        terms_(terms_of(system, parameters)) {}

  /// The next state.
  void see(const Number& t, const std::vector<Number>& q, const std::vector<Number>& v) {
    grow(state_, numeric::largest_size<Number>(q));
    grow(state_, numeric::largest_size<Number>(v));
    const std::span<const Number> terms = terms_(t, q, v);
    if (terms.empty()) return;
    grow(energy_, numeric::largest_size<Number>(terms.first(2)));
    grow(constraint_, numeric::largest_size<Number>(terms.subspan(2)));
  }
  /// About where the equations lead within some time: by the accelerations at a state.
  void see_after(const Number& time, const Number& t, std::vector<Number> q,
                 std::vector<Number> v) {
    if (system_.is_skew_gradient()) return;
    const Symbols s = system_.symbols();
    StateFunction<Number> accelerations(system_, s, system_.eliminated(s.q, s.v, s.t).acceleration,
                                        parameters_);
    const std::span<const Number> found = accelerations(t, q, v);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = v[i] + time * found[i];
    const std::size_t moved = system_.traits().has_groups ? 0 : q.size();
    for (std::size_t i = 0; i < moved; ++i) q[i] = q[i] + time * v[i];
    see(t, q, v);
  }

  double state() const { return state_; }            ///< of entries of q and v
  double energy() const { return energy_; }          ///< of its kinetic part and the potential
  double constraint() const { return constraint_; }  ///< of the terms of constraints
  /// Raises `size` to `found` if that is finite and larger.
  static void grow(double& size, const Number& found) {
    const auto value = static_cast<double>(found);
    if (std::isfinite(value)) size = numeric::larger(size, value);
  }

 private:
  /// Kinetic part and potential, then the terms of constraints; nothing in skew-gradient form.
  static StateFunction<Number> terms_of(const System& system, std::span<const double> parameters) {
    const Symbols s = system.symbols();
    if (system.is_skew_gradient()) return {system, s, {}, parameters};
    const Expr potential = system.potential(s.q, s.t);
    const Expr kinetic = system.energy(s.q, s.v, s.t) - potential;
    const Vector velocities = constraint_term_sizes(system, s, 0.0);
    const Vector positions = holonomic_term_sizes(system, s);
    return {system, s, concatenate({Vector{kinetic, potential}, velocities, positions}),
            parameters};
  }

  System system_;
  std::vector<double> parameters_;
  StateFunction<Number> terms_;
  double state_ = 1.0, energy_ = 1.0, constraint_ = 1.0;
};

}  // namespace dalembert
