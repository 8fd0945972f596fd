#include "discrete_energy_terms.hpp"

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"

namespace dalembert {

bool is_conservative_with_constant_mass(const System& s) {
  const SystemTraits& traits = s.traits();
  return traits.lagrangian == LagrangianKind::constant_mass &&
         traits.constraints <= ConstraintKind::linear && traits.is_conservative() &&
         !traits.has_groups;
}

bool has_quadratic_potential(const System& s) {
  const Symbols symbols = s.symbols();
  const Vector slope = s.potential_gradient(symbols.q, symbols.t);
  return !any_depends_on(jacobian(slope, symbols.q).entries(), symbols.q);
}

}  // namespace dalembert
