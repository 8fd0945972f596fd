#pragma once

#include <optional>
#include <string>

#include "dalembert/audit/audit.hpp"

namespace dalembert {

/// End of a piece of the equations to which a motion comes.
struct Switch {
  std::string part;  ///< "potential", "kinetic energy", "Lagrangian", "Hamiltonian", "structure",
                     ///< "force" or "constraints"
  double t = 0.0;    ///< at the beginning of the step that comes near
};

/// The first place, up to `until`, at which the motion from the start of a problem comes so near to
/// a switch between pieces of its equations that one more step of this size may lead over it:
/// orders, symmetry and exactness are statements on smooth equations, and mean nothing there. What
/// has pieces: a condition (min, max, piecewise), abs, sign, floor and tables, at all their points.
/// Pieces that depend on parameters only do not count. Nothing where no switch is near, or the
/// motion cannot be followed. RequestError where the numbers of parameters, q or v are wrong.
std::optional<Switch> first_switch(const AuditProblem& problem, double until, double step);

/// The first switch, up to `until`, that the motion from the start of a problem crosses and at
/// which its rates jump; steps of this size look for it. Derivatives of motions miss what such a
/// switch adds to them; over others, as that of max(0, x)^2 in a potential, they are right.
std::optional<Switch> first_jump(const AuditProblem& problem, double until, double step);

/// The first part of the equations that is at a switch between its pieces at the start of a
/// problem, up to 1e-8: derivatives there are those of one side. As `first_switch`, at t = 0.
std::optional<Switch> switch_at(const AuditProblem& problem);

/// True if the equations of a system have such pieces at all.
bool has_switches(const System& system);

}  // namespace dalembert
