#include "dalembert/method/text/describe.hpp"

#include "dalembert/expression/printer.hpp"
#include "dalembert/method/text/step_equations.hpp"

namespace dalembert {

std::vector<std::string> describe_equations(const Method& method) {
  std::vector<std::string> lines;
  for (const EquationLine& line : step_equations(method)) {
    const std::string indent(static_cast<std::size_t>(2 * line.depth), ' ');
    lines.push_back(indent +
                    (line.is_equation() ? line.left + " = " + to_string(line.right) : line.words));
  }
  return lines;
}

std::vector<std::string> describe_facts(const Facts& facts) {
  std::vector<std::string> lines;
  lines.push_back("order " + std::to_string(facts.order.get()) + " in q and v, " +
                  std::to_string(facts.multiplier_order) + " in lambda");
  if (facts.multiplier_order > 0)
    lines.push_back(facts.continuous_multiplier
                        ? "reports the multiplier of the motion at the new node"
                        : "reports the multiplier lambda1 of its own equations");
  lines.push_back(facts.symmetric ? "symmetric" : "not symmetric");
  if (facts.symmetric && facts.asymmetric_on_groups)
    lines.push_back("neither symmetric nor reversible on Lie groups");
  lines.push_back(facts.reversible ? "reversible" : "not reversible");
  lines.push_back(facts.maps_constraint_set
                      ? "the new velocity satisfies the constraints"
                      : "the new velocity satisfies the constraints only nearly");
  if (facts.drifts_from_positions)
    lines.push_back("constraints on positions are kept to the order alone");
  lines.push_back(facts.exact_energy
                      ? "energy exact to round-off where the quadrature along a step is exact, "
                        "else to its error"
                      : "energy not exact");
  lines.push_back(facts.keeps_fibration
                      ? "drivers of coupled systems move independently of the passengers"
                      : "drivers of coupled systems feel the passengers");
  switch (facts.passenger_volume) {
    case PassengerVolume::every_step:
      lines.emplace_back("every step keeps the volume of the passengers of coupled systems");
      break;
    case PassengerVolume::every_step_of_springs:
      lines.emplace_back("every step keeps the volume of passengers on springs");
      break;
    case PassengerVolume::over_turns:
      lines.emplace_back("the volume of passengers is kept over turns of their driver");
      break;
    case PassengerVolume::lost:
      lines.emplace_back("the volume of the passengers of coupled systems is not kept");
      break;
    default:
      break;
  }
  if (!facts.symplectic) {
    lines.push_back("not symplectic without constraints");
  } else {
    lines.push_back(
        std::string("symplectic without constraints") +
        (*facts.symplectic == LagrangianKind::constant_mass ? ", for constant mass" : ""));
  }
  if (facts.local_order)
    lines.push_back("local error of order " + std::to_string(*facts.local_order) +
                    " from the constraint");
  if (facts.carries_multiplier) lines.push_back("carries the multiplier from step to step");
  if (facts.reflects_multiplier)
    lines.push_back("time turned round reflects that multiplier at the one of the motion");
  const int growth = facts.multiplier_growth.value_or(0);
  if (growth > 0) {
    lines.push_back(
        "where motions approach an equilibrium at a rate sigma, " +
        std::string(facts.carries_multiplier ? "that multiplier"
                                             : "what the velocity has off the constraints") +
        " grows at " + (growth == 1 ? std::string("sigma") : "sigma/" + std::to_string(growth)) +
        " and leads them away; lobatto, spark and dla01 stay");
  }
  return lines;
}

std::string describe_requirements(const Requirements& requirements) {
  std::string text;
  switch (requirements.lagrangian) {
    case LagrangianKind::constant_mass:
      text = "constant mass matrix";
      break;
    case LagrangianKind::configuration_mass:
      text = "Lagrangian v.M(q)v/2 - V(q)";
      break;
    default:
      text = "any regular Lagrangian";
  }
  switch (requirements.constraints) {
    case ConstraintKind::none:
      text += ", no constraints";
      break;
    case ConstraintKind::linear:
      text += ", constraints linear in the velocities";
      break;
    case ConstraintKind::affine:
      text += ", constraints linear or affine in the velocities";
      break;
    default:
      text += ", any velocity constraints";
  }
  if (requirements.handles_groups) text += ", also on Lie groups";
  if (requirements.handles_reactions) text += ", any reactions";
  if (!requirements.handles_time) text += ", no explicit time";
  if (!requirements.handles_force) text += ", no external forces";
  if (requirements.handles_holonomic && requirements.handles_nonholonomic)
    text += ", also constraints on positions";
  if (requirements.handles_holonomic && !requirements.handles_nonholonomic)
    text += ", constraints on positions only";
  if (!requirements.at_rest.empty()) text += ", no start at rest";
  if (requirements.handles_skew_gradient) text += "; or a system in skew-gradient form";
  return text;
}

}  // namespace dalembert
