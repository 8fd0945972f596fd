#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/audit/audit.hpp"
#include "dalembert/audit/jacobian.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

/// A steady motion along a straight line (or rest) that its neighbours approach, or at least do not
/// leave. Systems with such motions have no invariant measure of a positive density near them.
struct StableEquilibrium {
  double decay = 0.0;  ///< the fastest rate at which neighbours come near, per unit of time
};

/// The steady motion that a problem starts with, on R^n and angles: v' = 0, and the linearised
/// equations are the same all along it, without a growing solution and with a decaying one. Nothing
/// where the problem starts otherwise.
std::optional<StableEquilibrium> stable_equilibrium(const AuditProblem& problem);

/// The largest size of an eigenvalue; nan where the iteration for them does not end.
double spectral_radius(const std::vector<std::vector<double>>& matrix);

inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// Growth of perturbations of a steady motion by the method: the fastest rate at which one of the
/// whole state, with what the method carries, grows from the steady motion of `problem`, in units
/// of the decay of its neighbours, from the eigenvalues of the step's Jacobian. Perturbations that
/// grow with a power of time count as none. nan where a step was refused.
///
/// A kick, a drift and a reflection at a node each keep the volume of (q, p), so that a multiplier
/// that is carried from reflection to reflection grows as fast as the rest decays; this library.
template <class Number>
double growth_at_equilibrium(const AuditProblem& problem, const Method& method,
                             const StableEquilibrium& equilibrium) {
  StepMap<Number> map(problem.system, method, problem.parameters);
  const BasicPoint<Number> start = map.start(problem.q, problem.v);
  const Number h = Number(problem.time) / Number(DefectGrid::steps_per_time);
  const bool carries = method.facts().carries_multiplier;
  const auto coordinates = [&](const BasicPoint<Number>& point) {
    std::vector<Number> x = coordinates_of(point, carries);
    x.insert(x.end(), point.carried.begin(), point.carried.end());
    return x;
  };
  const std::size_t before = coordinates_of(start, carries).size();
  const auto step = [&](const std::vector<Number>& x) -> std::vector<Number> {
    BasicPoint<Number> point = point_at(
        std::vector<Number>(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(before)), start);
    for (std::size_t i = 0; i < point.carried.size(); ++i) point.carried[i] = x[before + i];
    if (!map.apply(point, h)) return {};
    return coordinates(point);
  };
  const NumberMatrix<Number> jacobian = difference_jacobian<Number>(step, coordinates(start));
  if (jacobian.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::vector<std::vector<double>> matrix;
  for (const std::vector<Number>& row : jacobian) {
    matrix.emplace_back();
    for (const Number& entry : row) matrix.back().push_back(static_cast<double>(entry));
  }
  const double radius = spectral_radius(matrix);
  const double rate = std::log(radius) / static_cast<double>(h);
  return numeric::larger(0.0, rate / equilibrium.decay);
}

/// The finding "stable equilibria": kept where nothing grows; broken also where something grows at
/// another rate than the method says.
template <class Number>
AuditFinding audit_equilibrium(const AuditProblem& problem, const Method& method,
                               const StableEquilibrium& equilibrium) {
  // Eigenvalues of Jordan blocks of three are known to the third root of round-off, divided by the
  // step and the decay; growth at a fraction of the decay that methods have is above that.
  constexpr double none = 0.01, clear = 0.05;
  const std::optional<int> growth = method.facts().multiplier_growth;
  const Promise promise = !growth ? Promise::none : *growth == 0 ? Promise::yes : Promise::no;
  const double rate = growth_at_equilibrium<Number>(problem, method, equilibrium);
  AuditFinding finding = judge_defect("stable equilibria", promise, rate, none, clear);
  finding.words = "of the decay";
  if (promise == Promise::no && std::fabs(rate - 1.0 / *growth) > none) {
    finding.verdict = AuditVerdict::broken;
    finding.words += ", said to be 1/" + std::to_string(*growth);
  }
  return finding;
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
