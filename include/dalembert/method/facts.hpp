#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "dalembert/mechanics/system.hpp"
#include "dalembert/method/volume_formula.hpp"

namespace dalembert {

/// A field that has no default: code that leaves it out does not compile.
template <class T>
class Required {
 public:
  template <class Missing = T>
  Required() {
    static_assert(!std::is_same_v<Missing, T>,
                  "a required field is missing: a method's page states its name, facts and "
                  "equations, and facts state an order");
  }
  Required(T value) : value_(std::move(value)) {}
  template <class U>
  requires(std::convertible_to<U, T>) Required(U&& value) : value_(std::forward<U>(value)) {}
  operator const T&() const { return value_; }
  const T& get() const { return value_; }  ///< the value itself

 private:
  T value_;
};

/// Promises of a method. The law tests measure every field; a field that is left out promises
/// nothing.
struct Facts {
  Required<int> order;       ///< order in q and v, at least 1
  int multiplier_order = 0;  ///< order of the reported multiplier; 0: convergence is not promised
  /// Order of the multiplier of constraints on positions, where it is lower; 0 if it is not.
  int holonomic_multiplier_order = 0;
  /// The reported multiplier is the continuous one at the node: as accurate as q and v, also where
  /// a composition raises their order.
  bool continuous_multiplier = false;
  bool symmetric = false;  ///< equal to its adjoint
  /// Neither symmetric nor reversible on elements of Lie groups, even if it is without them.
  bool asymmetric_on_groups = false;
  bool reversible = false;  ///< step map commutes with every linear time reversal of the system
  /// The new velocity satisfies the constraints at the new position (D to D).
  bool maps_constraint_set = false;
  /// Constraints on positions, where there are any, are left to the order of the method, also where
  /// velocities satisfy all constraints.
  bool drifts_from_positions = false;
  /// Keeps the energy: to round-off where its rules of quadrature along a step are exact (for
  /// polynomials, and what has a closed form), to their error elsewhere.
  bool exact_energy = false;
  bool carries_multiplier = false;  ///< the next step depends on lambda
  /// Symmetric and reversible where time turned round also takes the carried multiplier of
  /// constraints on velocities to 2 lambda(q, v) - lambda, its mirror image at that of the motion.
  bool reflects_multiplier = false;
  /// Growth of a perturbation of the carried multiplier, or of the part of v off the constraints
  /// that is there in its place, on motions that approach an equilibrium at a rate sigma: it grows
  /// at the rate sigma/k for this k, and leads the motion away. 0: it does not; nothing: not said.
  std::optional<int> multiplier_growth = {};
  /// The drivers of a nonholonomically coupled system move independently of its passengers; see
  /// `Coupling` in audit/fibration.hpp.
  bool keeps_fibration = false;
  /// Volume of the passengers of such a system: kept or lost.
  PassengerVolume passenger_volume = PassengerVolume::not_said;
  /// The most general Lagrangian for which the step map of (q, dL/dv) is symplectic where there are
  /// no constraints; nothing if it is not even for a constant mass matrix.
  std::optional<LagrangianKind> symplectic = {};
  /// The order of the error of one step from a state on the constraint with its exact multiplier,
  /// where it is not order + 1.
  std::optional<int> local_order = {};
};

/// The promised order of the multipliers of a system with these traits.
int multiplier_order(const Facts& facts, const SystemTraits& traits);

/// Requirements of a method on a system. By default it handles least: a constant mass and
/// constraints linear in the velocities.
struct Requirements {
  LagrangianKind lagrangian = LagrangianKind::constant_mass;  ///< the most general form it handles
  ConstraintKind constraints = ConstraintKind::linear;        ///< the most general kind it handles
  bool handles_time = false;                                  ///< explicit time in the equations
  bool handles_skew_gradient = false;                         ///< systems in skew-gradient form
  bool handles_force = false;                                 ///< external forces
  bool handles_holonomic = false;                             ///< constraints on positions
  bool handles_nonholonomic = true;                           ///< constraints on velocities
  bool handles_groups = false;                                ///< elements of Lie groups
  bool handles_reactions = false;                             ///< constraints that are not ideal
  /// It may be the base of the method `chart` although it handles groups: it keeps no momenta there
  /// that the chart would lose.
  bool takes_charts = false;
  /// Reason why something is not handled; a clause that follows "because".
  std::string reason = {};
  /// Advice on what to use instead on Lie groups, where they are not handled; a clause, or nothing.
  std::string on_groups = {};
  /// Reason why no run can start at rest, and what to do; a clause, or nothing where it can.
  std::string at_rest = {};
};

/// The first requirement that the system does not meet, as "it needs ..."; nothing if it meets all.
std::optional<std::string> unmet(const Requirements& needs, const System& system);

}  // namespace dalembert
