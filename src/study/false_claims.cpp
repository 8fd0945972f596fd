#include "dalembert/study/false_claims.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "dalembert/mechanics/conservation.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert::study {
namespace {

constexpr double noticed_above = 1e-6;  // relative to 1 + |value|

bool has_moved(const IntegralSummary& integral) {
  return !(integral.max_error <= noticed_above * (1.0 + std::fabs(integral.initial)));
}

/// What the study follows beside the integrals of the problem makes no claim.
std::size_t claimed_integrals(const Study& study, const RunPlan& plan) {
  return plan.system.mechanics().integrals.size() - study.diagnostics.expressions.size();
}

bool is_suspicious(const Study& study, const RunPlan& plan, const RunResult& result) {
  if (result.steps == 0) return false;
  if (study.problem.conserves == "energy" && has_moved(result.diagnostics.energy)) return true;
  const auto& integrals = result.diagnostics.integrals;
  const std::size_t count = numeric::smaller(claimed_integrals(study, plan), integrals.size());
  return std::any_of(integrals.begin(), integrals.begin() + static_cast<std::ptrdiff_t>(count),
                     has_moved);
}

void add_false_integrals(const Study& study, const RunPlan& plan, std::set<std::string>& found) {
  const Conservation truth = conservation(plan.system, plan.q, plan.v, plan.parameters);
  if (truth.states == 0) return;
  const std::string name = "problem \"" + plan.system.name() + "\"";
  if (study.problem.conserves == "energy" && !truth.energy) {
    found.insert(name + " says that it conserves the energy, but the motion itself changes it: " +
                 truth.reasons.front());
  }
  for (std::size_t i = 0; i < claimed_integrals(study, plan); ++i) {
    const Conservation::Integral& integral = truth.integrals[i];
    if (integral.kept) continue;
    found.insert(
        fmt::format("{} says that \"{}\" is an integral, but the motion itself changes it, "
                    "at a rate of {:.2g} of its terms",
                    name, integral.name, integral.rate));
  }
}

/// A diagonal entry of the mass matrix is twice the kinetic energy of a unit velocity of that
/// coordinate alone.
void add_negative_kinetic_energy(const RunPlan& plan, std::set<std::string>& found) {
  const System& system = plan.system;
  if (system.is_skew_gradient()) return;
  const Symbols s = system.symbols();
  const Matrix mass = system.mass(s.q, s.v);
  Vector diagonal;
  for (std::size_t i = 0; i < s.v.size(); ++i) diagonal.push_back(mass(i, i));
  StateFunction<double> entries(system, s, diagonal, plan.parameters);
  const std::span<const double> values = entries(0.0, plan.q, plan.v);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] < 0.0)) continue;
    found.insert(
        fmt::format("the kinetic energy of problem \"{}\" is negative for a velocity {} "
                    "alone: its mass is {:.3g}",
                    system.name(), plan.columns.names[plan.columns.v_begin() + i], values[i]));
  }
}

}  // namespace

std::vector<std::string> false_claims(const Study& study, const std::vector<RunPlan>& plans,
                                      const std::vector<RunResult>& results) {
  std::set<std::string> found;
  std::set<std::vector<double>> seen, looked_at;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    std::vector<double> key = plans[i].parameters;  // one look for all methods and steps
    key.insert(key.end(), plans[i].q.begin(), plans[i].q.end());
    if (seen.insert(key).second) add_negative_kinetic_energy(plans[i], found);
    if (is_suspicious(study, plans[i], results[i]) && looked_at.insert(key).second)
      add_false_integrals(study, plans[i], found);
  }
  return {found.begin(), found.end()};
}

}  // namespace dalembert::study
