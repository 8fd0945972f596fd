#include "dalembert/audit/fibration.hpp"

#include "dalembert/expression/query.hpp"

namespace dalembert {
namespace {

bool is_zero(const Expr& expression) { return expression.is_constant(0.0); }

Vector at(const Vector& symbols, const std::vector<std::size_t>& indices) {
  Vector result;
  for (const std::size_t i : indices) result.push_back(symbols[i]);
  return result;
}

/// Passengers are the columns of A that do not vanish.
Coupling split(const System& system, const Matrix& a) {
  Coupling coupling;
  for (std::size_t j = 0; j < system.dof(); ++j) {
    bool vanishes = true;
    for (std::size_t i = 0; i < system.constraint_count(); ++i)
      vanishes = vanishes && is_zero(a(i, j));
    (vanishes ? coupling.drivers : coupling.passengers).push_back(j);
  }
  return coupling;
}

/// Whether dL/dq_i and dL/dv_i of the coordinates `part` contain nothing of the symbols.
bool is_free_of(const System& system, const Symbols& s, const std::vector<std::size_t>& part,
                const Vector& symbols) {
  const Vector force = system.lagrangian_gradient(s.q, s.v), momentum = system.momentum(s.q, s.v);
  for (const std::size_t i : part) {
    if (depends_on(force[i], symbols) || depends_on(momentum[i], symbols)) return false;
  }
  return true;
}

}  // namespace

std::optional<Coupling> find_coupling(const System& system) {
  const SystemTraits& traits = system.traits();
  const bool fits = traits.lagrangian != LagrangianKind::skew_gradient &&
                    traits.constraints == ConstraintKind::linear && !traits.forced &&
                    traits.ideal && !traits.holonomic && !traits.time_dependent &&
                    !traits.has_groups;
  if (!fits) return std::nullopt;
  const Symbols s = system.symbols();
  const Matrix a = system.constraint_matrix(s.q);
  Coupling coupling = split(system, a);
  if (coupling.drivers.empty()) return std::nullopt;
  const Vector passengers =
      concatenate({at(s.q, coupling.passengers), at(s.v, coupling.passengers)});
  for (std::size_t i = 0; i < system.constraint_count(); ++i) {
    for (std::size_t j = 0; j < system.dof(); ++j) {
      if (depends_on(a(i, j), passengers)) return std::nullopt;
    }
  }
  if (!is_free_of(system, s, coupling.drivers, passengers)) return std::nullopt;
  return coupling;
}

}  // namespace dalembert
