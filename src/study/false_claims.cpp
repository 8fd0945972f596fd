#include "dalembert/study/false_claims.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "dalembert/mechanics/conservation.hpp"
#include "dalembert/mechanics/parameters.hpp"
#include "dalembert/mechanics/rank/independent_start.hpp"
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

/// A problem at a state, and what it says of itself: the integrals are the first of the system.
struct ClaimedState {
  const System& system;
  const std::string& conserves;
  std::size_t integrals;
  std::span<const double> q, v, parameters;
};

/// What a problem says holds for its default parameters: others may switch on friction or drives.
void add_false_integrals(const ClaimedState& at, std::set<std::string>& found) {
  using Kept = Conservation::Kept;
  const Conservation truth = conservation(at.system, at.q, at.v);
  if (truth.states == 0) return;
  const std::string name = "problem \"" + at.system.name() + "\"";
  if (at.conserves == "energy" && truth.energy == Kept::no) {
    found.insert(name + " says that it conserves the energy, but the motion itself changes it: " +
                 truth.reasons.front());
  }
  for (std::size_t i = 0; i < at.integrals; ++i) {
    const Conservation::Integral& integral = truth.integrals[i];
    if (integral.kept != Kept::no) continue;
    found.insert(
        fmt::format("{} says that \"{}\" is an integral, but the motion itself changes it, "
                    "at a rate of {:.2g} of its terms",
                    name, integral.name, integral.rate));
  }
}

/// A diagonal entry of the mass matrix is twice the kinetic energy of a unit velocity of that
/// coordinate alone.
void add_negative_kinetic_energy(const ClaimedState& at, std::set<std::string>& found) {
  const System& system = at.system;
  if (system.is_skew_gradient()) return;
  const Symbols s = system.symbols();
  const Matrix mass = system.mass(s.q, s.v);
  Vector diagonal;
  for (std::size_t i = 0; i < s.v.size(); ++i) diagonal.push_back(mass(i, i));
  StateFunction<double> entries(system, s, diagonal, at.parameters);
  const std::span<const double> values = entries(0.0, at.q, at.v);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] < 0.0)) continue;
    found.insert(
        fmt::format("the kinetic energy of problem \"{}\" is negative for a velocity {} "
                    "alone: its mass is {:.3g}",
                    system.name(), system.configuration().velocity_columns()[i], values[i]));
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
    const ClaimedState at{
        plans[i].system, study.problem.conserves, claimed_integrals(study, plans[i]), plans[i].q,
        plans[i].v,      plans[i].parameters};
    if (seen.insert(key).second) add_negative_kinetic_energy(at, found);
    if (is_suspicious(study, plans[i], results[i]) && looked_at.insert(key).second)
      add_false_integrals(at, found);
  }
  return {found.begin(), found.end()};
}

std::vector<std::string> false_claims(const ProblemFile& file, const Problem& problem) {
  std::set<std::string> found;
  bool looked_at = false;
  for (const Start& start : problem.starts) {
    const std::vector<double> parameters = named_parameter_values(problem.system, start.parameters);
    const auto [system, at, redundancy] = independent_start(problem.system, start, parameters);
    const ClaimedState claimed{system, file.conserves, system.mechanics().integrals.size(),
                               at.q,   at.v,           parameters};
    add_negative_kinetic_energy(claimed, found);
    if (!std::exchange(looked_at, true)) add_false_integrals(claimed, found);
  }
  return {found.begin(), found.end()};
}

}  // namespace dalembert::study
