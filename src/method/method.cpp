#include "dalembert/method/method.hpp"

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

std::optional<std::string> Method::misfit(const System& system) const {
  const Requirements needs = requirements();
  const SystemTraits& traits = system.traits();
  const std::string intro =
      "method \"" + name() + "\" cannot be used on system \"" + system.name() + "\": it needs ";
  const bool skew = traits.lagrangian == LagrangianKind::skew_gradient;
  if (skew && !needs.handles_skew_gradient) {
    return intro + "a Lagrangian, and this system is given in skew-gradient form";
  }
  if (!skew && traits.lagrangian > needs.lagrangian)
    return intro + words(needs.lagrangian) + ", and this system has another";
  if (traits.constraints > needs.constraints)
    return intro + words(needs.constraints) + ", and this system has others";
  if (traits.time_dependent && !needs.handles_time)
    return intro + "equations without explicit time";
  if (traits.forced && !needs.handles_force) return intro + "a system without external forces";
  return implementation_->misfit(system);
}

}  // namespace dalembert
