#include "dalembert/mechanics/consistent_start.hpp"

#include "dalembert/expression/derivative.hpp"
#include "mechanics/new_symbols.hpp"

namespace dalembert {
namespace {

NearestPointEquations complete(Vector unknowns, Vector residual) {
  Vector slopes = jacobian(residual, unknowns).entries();
  return {std::move(unknowns), std::move(residual), std::move(slopes)};
}

}  // namespace

template class ConsistentStart<double>;

NearestPointEquations nearest_position(const System& system, const Symbols& s) {
  if (!system.traits().holonomic) return {};
  const Vector x = new_symbols(s.t.graph(), "x", system.dof()),
               mu = new_symbols(s.t.graph(), "mu", system.holonomic_count());
  if (!system.traits().has_groups) {
    const Vector phi = system.holonomic(x, s.t);
    const Vector reaction = transpose(jacobian(phi, x)) * mu, shift = x - s.q;
    const Vector balance = system.mass(s.q, s.v, s.t) * shift - reaction;
    return complete(concatenate({x, mu}), concatenate({balance, phi}));
  }
  const Vector there = system.configuration().move(Retraction::cayley, s.q, x);
  const Vector phi = system.holonomic(there, s.t), reaction = transpose(jacobian(phi, x)) * mu;
  const Vector balance = system.mass(s.q, s.v, s.t) * x - reaction;
  return complete(concatenate({x, mu}), concatenate({balance, phi}));
}

NearestPointEquations nearest_velocity(const System& system, const Symbols& s) {
  if (system.is_skew_gradient() || system.constraint_count() == 0) return {};
  const Vector w = new_symbols(s.t.graph(), "w", system.dof()),
               mu = new_symbols(s.t.graph(), "mu", system.constraint_count());
  const Vector reaction = system.constraint_force(s.q, w, s.t, mu), change = w - s.v;
  const Vector balance = system.mass(s.q, s.v, s.t) * change - reaction;
  return complete(concatenate({w, mu}), concatenate({balance, system.constraint(s.q, w, s.t)}));
}

NearestPointEquations velocity_of_momentum(const System& system, const Symbols& s) {
  if (system.is_skew_gradient()) return {};
  const Vector w = new_symbols(s.t.graph(), "w", system.dof());
  return complete(w, system.momentum(s.q, w, s.t) - s.v);
}

}  // namespace dalembert
