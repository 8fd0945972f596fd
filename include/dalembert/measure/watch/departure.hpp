#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// Departure of a quantity that is to stay constant, against the size of its terms: all that it
/// takes to go on.
struct Departure {
  double largest = 0.0;         ///< the largest size of the departure so far
  double scale = 0.0;           ///< the largest size of the terms so far
  std::optional<double> since;  ///< time at which it was first beyond the allowed part of `scale`

  /// The next state.
  void see(double t, double departure, double terms, double allowed);
  /// True if it came beyond the allowed part also of the largest terms of all.
  bool is_beyond(double allowed) const {
    return since.has_value() && !(largest <= allowed * scale);
  }
};

/// Departures that a DepartureWatch has seen.
struct Departures {
  std::optional<double> energy_start, potential_start;  ///< at the first state
  Departure energy;                    ///< terms: kinetic part, and how the potential has changed
  std::vector<Departure> constraints;  ///< Phi_i, one per multiplier; terms: sum |A_ij v_j|

  /// The largest size of the terms of the energy so far: of the kinetic part, of the potential at
  /// the first state and of its change; zero before.
  double energy_terms() const { return std::fabs(potential_start.value_or(0.0)) + energy.scale; }
};

/// Looks at the states of a run for a first time at which numbers mean nothing any more: at which a
/// constraint on velocities is off by more than `constraint_allowed` of its own terms, or the
/// energy by more than `energy_allowed` of its largest part. The energy is the moving energy where
/// the system declares an integral `moving_energy`. No promise of a method is asked for, and
/// whether the motion keeps the energy is for the caller to know (`conservation`). One per
/// trajectory; nothing here allocates but the constructor.
class DepartureWatch {
 public:
  static constexpr double constraint_allowed = 1e-3, energy_allowed = 0.1;  ///< parts of terms

  /// Parameters in the order of the description; the defaults if empty. RequestError if their
  /// number is wrong. `before` is what was found up to the state from which a run goes on. Of
  /// systems in skew-gradient form, which have no velocities, nothing is looked at.
  explicit DepartureWatch(const System& system, std::span<const double> parameters = {},
                          Departures before = {});

  /// The place of the moving energy among the integrals of the system, if it declares one.
  static std::optional<std::size_t> moving_energy(const System& system);

  /// The next state to look at, [storage_count] and [dof].
  void see(double t, std::span<const double> q, std::span<const double> v);
  /// True if a state with this energy and this largest |Phi_i| is to be looked at, because it may
  /// be the first beyond what is allowed; all others may be left out, in all steps but some that
  /// are representative of the sizes of terms. True before the first.
  bool asks(double energy, double constraint) const {
    return !found_.energy_start || std::fabs(energy - *found_.energy_start) > most_energy_ ||
           constraint > most_constraint_;
  }

  /// Limits of `asks`, for the change of the energy and for |Phi_i|: infinity where nothing new is
  /// to be seen.
  double most_energy() const { return most_energy_; }
  double most_constraint() const { return most_constraint_; }  ///< |Phi_i|

  /// Departures up to the last state.
  const Departures& found() const { return found_; }
  /// True if a constraint on velocities or on positions was off at the last state that was looked
  /// at, as `breaks_promise` says of its largest terms so far.
  bool breaks_constraint() const { return breaks_constraint_; }

 private:
  void see_constraints(double t, std::span<const double> values, bool rests);
  void set_limits();

  StateFunction<double> function_;  ///< kept energy, energy, potential, constraints, their terms;
                                    ///< constraints on positions, their terms
  Departures found_;
  std::size_t positions_ = 0;  ///< number of constraints on positions
  bool breaks_constraint_ = false;
  double most_energy_ = 0.0, most_constraint_ = 0.0;  ///< below which nothing new is to be seen
};

}  // namespace dalembert
