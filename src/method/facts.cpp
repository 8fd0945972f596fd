#include "dalembert/method/facts.hpp"

#include <algorithm>

namespace dalembert {
namespace {

std::string words(LagrangianKind kind) {
  switch (kind) {
    case LagrangianKind::constant_mass:
      return "a constant mass matrix";
    case LagrangianKind::configuration_mass:
      return "a Lagrangian v.M(q)v/2 - V(q)";
    default:
      return "any regular Lagrangian";
  }
}

std::string words(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::none:
      return "no constraints";
    case ConstraintKind::linear:
      return "constraints linear in the velocities";
    case ConstraintKind::affine:
      return "constraints linear or affine in the velocities";
    default:
      return "any velocity constraints";
  }
}

}  // namespace

int multiplier_order(const Facts& facts, const SystemTraits& traits) {
  const bool lower = traits.holonomic && facts.holonomic_multiplier_order > 0;
  return lower ? std::min(facts.multiplier_order, facts.holonomic_multiplier_order)
               : facts.multiplier_order;
}

std::optional<std::string> unmet(const Requirements& needs, const System& system) {
  const std::string because = needs.reason.empty() ? "" : ", because " + needs.reason;
  const SystemTraits& traits = system.traits();
  const bool skew = traits.lagrangian == LagrangianKind::skew_gradient;
  if (skew && !needs.handles_skew_gradient)
    return "it needs a Lagrangian, and this system is given in skew-gradient form";
  if (!skew && traits.lagrangian > needs.lagrangian)
    return "it needs " + words(needs.lagrangian) + ", and this system has another" + because;
  if (traits.constraints > needs.constraints)
    return "it needs " + words(needs.constraints) + ", and this system has others" + because;
  if (traits.holonomic && !needs.handles_holonomic)
    return "it needs constraints on velocities alone, and this system has holonomic ones" + because;
  if (traits.nonholonomic && !needs.handles_nonholonomic)
    return "it needs a system without constraints on velocities" + because;
  if (traits.has_groups && !needs.handles_groups) {
    return "it needs coordinates, and this system is one on " + system.configuration().text() +
           (needs.on_groups.empty() ? because : "; " + needs.on_groups);
  }
  if (traits.time_dependent && !needs.handles_time)
    return "it needs equations without explicit time" + because;
  if (traits.forced && !needs.handles_force)
    return "it needs a system without external forces" + because;
  if (!traits.ideal && !needs.handles_reactions)
    return "it needs ideal constraints, and the reaction of \"" + system.nonideal_constraint() +
           "\" has a direction of its own" + because;
  return std::nullopt;
}

}  // namespace dalembert
