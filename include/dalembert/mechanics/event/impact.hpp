#pragma once

#include <functional>
#include <span>
#include <vector>

#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// A velocity at a contact, c(q, v, t), and its coefficient of restitution, as expressions in the
/// symbols of a system. An impact makes of it -restitution c: 1 throws back without loss, 0 takes
/// it away, as a rough floor does with the velocity of a wheel's lowest point along it.
struct ContactVelocity {
  Expr velocity;  ///< c(q, v, t); must contain a velocity
  /// Coefficient, from -1 to 1, nondimensional; evaluated before the impact.
  Expr restitution = 0.0;
};
/// Contact velocities of an impact in the symbols of the system, at least one.
using ContactLaw = std::function<std::vector<ContactVelocity>(const Symbols&)>;

/// d/dt of an expression in the symbols of a system, along the motion: the velocities change as the
/// eliminated equations say.
Expr rate_along_motion(const System& system, const Symbols& symbols, const Expr& expression);
/// The part of that which stays where velocities jump: of a function of position and time, all of
/// it; the derivatives by q and t of others.
Expr rate_at_velocity(const System& system, const Symbols& symbols, const Expr& expression);

/// Change of the velocity by an impact: at (q, t) impulses along the contact velocities, and along
/// the constraints, which hold on, change the momentum p = dL/dv at once,
///
///     p(q, v+) - p(q, v-) = (dPhi/dv)^T mu + (dc/dv)^T pi,  Phi(q, v+, t) = 0,
///     c_i(q, v+, t) = -e_i c_i(q, v-, t).
///
/// With one frictionless contact c = n.v and e = 1 that is the reflection
/// v+ = v- - 2 (n.v) / (n.P M^-1 n) P M^-1 n, which keeps the energy and the distribution. Sources:
/// impulsive constraints, [IbortEtAl1997]; collisions of nonholonomic systems,
/// [RodriguezColombo2023]. One per thread; copies are independent.
class Impact {
 public:
  /// No contact.
  Impact() = default;
  /// Parameters in the order of the description; the defaults if empty. RequestError for a system
  /// in skew-gradient form, without contacts, for a contact velocity that contains no velocity, and
  /// where the number of parameters is wrong.
  Impact(const System& system, const ContactLaw& contacts, std::span<const double> parameters = {});

  /// Result of an impact.
  enum class Outcome {
    done,
    no_restitution,  ///< a coefficient is not between -1 and 1
    not_free,        ///< the constraints leave the contact no velocity, or the contacts each other
  };
  /// Puts the velocity after the impact in the place of that before, [dof]; leaves it as it was
  /// where there is none. Solved to round-off.
  Outcome operator()(double t, std::span<const double> q, std::vector<double>& v);

 private:
  std::size_t dof_ = 0, unknowns_ = 0;
  StateFunction<double> equations_;  ///< residual and Jacobian, in the velocity after and impulses
  StateFunction<double> restitution_;  ///< before
};

}  // namespace dalembert
