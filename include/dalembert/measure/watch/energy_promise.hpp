#pragma once

#include <cmath>
#include <optional>
#include <span>

#include "dalembert/measure/term_sizes.hpp"
#include "dalembert/measure/watch/departure.hpp"

namespace dalembert {

/// Looks at the states of a run for the first time at which the energy is off by more than its
/// terms explain; see `breaks_promise`.
class EnergyPromise {
 public:
  /// Parameters in the order of the description; RequestError if their number is wrong.
  EnergyPromise(const System& system, std::span<const double> parameters)
      : watch_(system, parameters) {}

  /// The next state, [storage_count] and [dof], with its energy.
  void see(double t, std::span<const double> q, std::span<const double> v, double energy) {
    if (!first_) first_ = energy;
    watch_.see(t, q, v);
    if (!off_ && breaks_promise(std::fabs(energy - *first_), *first_, terms())) off_ = t;
  }
  /// The largest size of the terms so far.
  double terms() const { return watch_.found().energy_terms(); }
  /// Time at which it was first off by more.
  const std::optional<double>& off() const { return off_; }

 private:
  DepartureWatch watch_;
  std::optional<double> first_, off_;
};

}  // namespace dalembert
