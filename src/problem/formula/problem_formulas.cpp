#include "dalembert/problem/formula/problem_formulas.hpp"

#include "repeated_parts.hpp"

namespace dalembert::study {
namespace {

std::vector<Formula> energies_of(const Mechanics& mechanics) {
  if (mechanics.skew_gradient) return {{"H", mechanics.skew_gradient->hamiltonian}};
  if (mechanics.lagrangian) return {{"L", *mechanics.lagrangian}};
  return {{"T", mechanics.kinetic}, {"V", mechanics.potential}};
}

std::vector<Formula> structure_of(const Mechanics& mechanics) {
  std::vector<Formula> entries;
  if (!mechanics.skew_gradient) return entries;
  const Matrix& matrix = mechanics.skew_gradient->structure;
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t j = i + 1; j < matrix.columns(); ++j) {
      if (matrix(i, j).is_constant(0.0)) continue;
      entries.push_back(
          {"Pi[" + std::to_string(i + 1) + "," + std::to_string(j + 1) + "]", matrix(i, j)});
    }
  }
  return entries;
}

/// `offset`: the number of constraints before these.
std::vector<Formula> vanishing(const Vector& constraints, const System& system,
                               std::size_t offset) {
  const std::vector<std::string> multipliers = system.multiplier_names();
  std::vector<Formula> formulas;
  for (std::size_t i = 0; i < constraints.size(); ++i)
    formulas.push_back({"0", constraints[i], multipliers[offset + i]});
  return formulas;
}

/// The entries of a force that are not zero, with names that begin so.
std::vector<Formula> entries_by_velocity(const System& system, const Vector& force,
                                         const std::string& prefix) {
  std::vector<Formula> forces;
  if (force.empty()) return forces;
  for (const Configuration::Factor& factor : system.configuration().factors()) {
    for (std::size_t i = 0; i < factor.group.dimension(); ++i) {
      const Expr& entry = force[factor.velocity + i];
      const std::string index = factor.group.is_flat() ? "" : "[" + std::to_string(i + 1) + "]";
      if (!entry.is_constant(0.0)) forces.push_back({prefix + factor.name + index, entry});
    }
  }
  return forces;
}

/// R_NAME_x: the force along x of a multiplier of 1.
std::vector<Formula> reactions_of(const System& system) {
  const std::vector<Vector>& reactions = system.mechanics().reactions;
  const std::vector<std::string> names = system.multiplier_names();
  std::vector<Formula> formulas;
  for (std::size_t k = 0; k < reactions.size(); ++k)
    for (const Formula& entry : entries_by_velocity(system, reactions[k], "R_" + names[k] + "_"))
      formulas.push_back(entry);
  return formulas;
}

std::vector<Formula> integrals_of(const Mechanics& mechanics) {
  std::vector<Formula> integrals;
  for (const auto& [name, integral] : mechanics.integrals) integrals.push_back({name, integral});
  return integrals;
}

}  // namespace

ProblemFormulas problem_formulas(const System& system) {
  const Mechanics& mechanics = system.mechanics();
  ProblemFormulas result{
      .parts = {},
      .energies = energies_of(mechanics),
      .structure = structure_of(mechanics),
      .constraints = vanishing(mechanics.constraints, system, 0),
      .holonomic = vanishing(mechanics.holonomic, system, system.nonholonomic_count()),
      .reactions = reactions_of(system),
      .forces = entries_by_velocity(system, mechanics.force, "F_"),
      .integrals = integrals_of(mechanics)};
  const std::vector<std::vector<Formula>*> lists{
      &result.energies,  &result.structure, &result.constraints, &result.holonomic,
      &result.reactions, &result.forces,    &result.integrals};
  Vector expressions;
  for (const std::vector<Formula>* list : lists)
    for (const Formula& formula : *list) expressions.push_back(formula.right);
  const NamedParts shown = name_repeated_parts(system.symbols().t.graph(), expressions);
  for (const auto& [name, part] : shown.parts) result.parts.push_back({name, part});
  std::size_t i = 0;
  for (std::vector<Formula>* list : lists)
    for (Formula& formula : *list) formula.right = shown.expressions[i++];
  return result;
}

}  // namespace dalembert::study
