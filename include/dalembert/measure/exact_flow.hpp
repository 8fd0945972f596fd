#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/measure/extrapolation.hpp"
#include "dalembert/mechanics/state_function.hpp"

namespace dalembert {

/// The solution of a system's eliminated equations to round-off of `Number`: what methods are
/// measured against, and what locates events between two nodes of a run. Angles come out unwrapped.
/// Equations: [JimenezScheurle2015], Eq. (23); solved by Extrapolation, whose accuracy it has. The
/// constraints, and the lengths of quaternions, are not imposed: from a state on them the solution
/// stays on them to round-off.
template <class Number = double>
class ExactFlow {
 public:
  /// Parameters in the order of the description; the defaults if empty.
  explicit ExactFlow(const System& system, std::span<const double> parameters = {})
      : stored_(system.storage_count()),
        velocities_(system.velocity_count()),
        angles_(angles_of(system)),
        turns_(stored_),
        solver_(Equations(system, parameters), 1 + stored_ + velocities_),
        state_(1 + stored_ + velocities_),
        change_(1 + stored_ + velocities_) {}

  /// (t, q, v) becomes the solution after `duration`, of either sign; false, with a state in
  /// between, if the equations are singular or too stiff to be solved explicitly.
  [[nodiscard]] bool advance(Number& t, std::span<Number> q, std::span<Number> v,
                             const Number& duration) {
    load(t, q, v);
    const bool arrived = solver_.advance(state_, duration);
    store(q, v);
    t = arrived ? t + duration : state_[0];
    return arrived;
  }

  /// Forgets which steps were short enough: what comes next does not depend on what was before.
  void restart() { solver_.restart(); }

  /// The slope at (t, q, v): (q', v') in `slope`, of which v' is the acceleration.
  void slope(const Number& t, std::span<const Number> q, std::span<const Number> v,
             std::span<Number> slope) {
    load(t, q, v);
    solver_.right_hand_side()(state_, change_);
    for (std::size_t i = 0; i < stored_ + velocities_; ++i) slope[i] = change_[1 + i];
  }

 private:
  /// y = (t, q, v) and its slope (1, v, v').
  class Equations {
   public:
    Equations(const System& system, std::span<const double> parameters)
        : stored_(system.storage_count()), slope_(compiled(system, parameters)) {}
    void operator()(std::span<const Number> y, std::span<Number> slope) {
      slope[0] = Number(1.0);
      slope_.evaluate(y[0], y.subspan(1, stored_), y.subspan(1 + stored_), {}, slope.subspan(1));
    }

   private:
    static StateFunction<Number> compiled(const System& system,
                                          std::span<const double> parameters) {
      const Symbols s = system.symbols();
      if (system.is_skew_gradient()) {
        const Vector energy_gradient = gradient(system.energy(s.q, s.v), s.q);
        return {system, s, system.structure(s.q) * energy_gradient, parameters};
      }
      const Vector rate = system.configuration().storage_rate(s.q, s.v);
      return {system, s, concatenate({rate, system.eliminated(s.q, s.v, s.t).acceleration}),
              parameters};
    }

    std::size_t stored_;
    StateFunction<Number> slope_;
  };

  void load(const Number& t, std::span<const Number> q, std::span<const Number> v) {
    state_[0] = t;
    for (std::size_t i = 0; i < stored_; ++i) {
      // Round-off is relative to the size, and many turns would make angles large.
      turns_[i] = angles_[i] ? whole_turns(q[i]) : Number(0.0);
      state_[1 + i] = q[i] - turns_[i];
    }
    std::copy(v.begin(), v.end(), state_.begin() + 1 + static_cast<std::ptrdiff_t>(stored_));
  }
  void store(std::span<Number> q, std::span<Number> v) const {
    for (std::size_t i = 0; i < stored_; ++i) q[i] = state_[1 + i] + turns_[i];
    for (std::size_t i = 0; i < velocities_; ++i) v[i] = state_[1 + stored_ + i];
  }
  static Number whole_turns(const Number& angle) {
    using std::atan, std::floor;  // or those of a multiprecision type
    static const Number turn = Number(8.0) * atan(Number(1.0));
    return turn * floor(angle / turn + Number(0.5));
  }
  static std::vector<bool> angles_of(const System& system) {
    std::vector<bool> angles;
    for (const Coordinate& number : system.configuration().storage())
      angles.push_back(number.is_angle);
    return angles;
  }

  std::size_t stored_, velocities_;
  std::vector<bool> angles_;
  std::vector<Number> turns_;
  Extrapolation<Number, Equations> solver_;
  std::vector<Number> state_, change_;
};

// In the library alone, so that its sections do not depend on a user's options.
extern template class ExactFlow<double>;

}  // namespace dalembert
