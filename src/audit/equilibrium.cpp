#include "dalembert/audit/equilibrium.hpp"

#include <algorithm>
#include <complex>
#include <cstddef>
#include <span>

#include "dalembert/mechanics/state_function.hpp"
#include "small_eigenvalues.hpp"

namespace dalembert {
namespace {

using Rows = std::vector<std::vector<double>>;

std::vector<std::complex<double>> eigenvalues(const Rows& matrix) {
  std::vector<double> entries;
  for (const std::vector<double>& row : matrix)
    entries.insert(entries.end(), row.begin(), row.end());
  return small_eigenvalues(entries, matrix.size()).values;
}

/// What an eigenvalue of a Jordan block of three may be off by, in units of the largest entry.
constexpr double eigenvalue_error = 1e-4;
/// Slopes that are the same, by differences of order 8.
constexpr double same_slope = 1e-8;
/// Accelerations of a steady motion are round-off of the terms of its equations.
constexpr double steady_round_off = 1e-12;

double largest_size(std::span<const double> values) {
  double largest = 1.0;
  for (const double value : values) largest = numeric::larger(largest, std::fabs(value));
  return largest;
}

}  // namespace

double spectral_radius(const Rows& matrix) {
  double radius = 0.0;
  for (const std::complex<double>& value : eigenvalues(matrix)) {
    const double size = std::abs(value);
    radius = numeric::larger(radius, size);
  }
  return radius;
}

std::optional<StableEquilibrium> stable_equilibrium(const AuditProblem& problem) {
  const System& system = problem.system;
  const SystemTraits& traits = system.traits();
  if (traits.has_groups || traits.time_dependent || system.is_skew_gradient()) return std::nullopt;
  const std::size_t n = system.dof();
  const Symbols s = system.symbols();
  const Vector acceleration = system.eliminated(s.q, s.v, s.t).acceleration;
  StateFunction<double> rate(system, s, acceleration, problem.parameters);
  // Later on it is as steady, and looks the same.
  std::vector<double> ahead = problem.q;
  for (std::size_t i = 0; i < n; ++i) ahead[i] += problem.time * problem.v[i];
  const double round_off = steady_round_off * largest_size(problem.v);
  for (const std::vector<double>& q : {problem.q, ahead}) {
    for (const double a : rate(0.0, q, problem.v)) {
      if (!(std::fabs(a) < round_off)) return std::nullopt;
    }
  }
  const auto flow = [&](const std::vector<double>& x) {
    const std::span<const double> q(x.data(), n), v(x.data() + n, n), a = rate(0.0, q, v);
    std::vector<double> slope(v.begin(), v.end());
    slope.insert(slope.end(), a.begin(), a.end());
    return slope;
  };
  const auto linearised = [&](std::vector<double> q) {
    q.insert(q.end(), problem.v.begin(), problem.v.end());
    return difference_jacobian<double>(flow, q);
  };
  const Rows here = linearised(problem.q), later = linearised(ahead);
  double scale = 1.0;
  for (const std::vector<double>& row : here) scale = numeric::larger(scale, largest_size(row));
  for (std::size_t i = 0; i < 2 * n; ++i) {
    for (std::size_t j = 0; j < 2 * n; ++j) {
      if (!(std::fabs(later[i][j] - here[i][j]) < same_slope * scale)) return std::nullopt;
    }
  }
  double fastest = 0.0;
  for (const std::complex<double>& value : eigenvalues(here)) {
    if (!(value.real() < eigenvalue_error * scale)) return std::nullopt;
    fastest = numeric::larger(fastest, -value.real());
  }
  // Slower than that is no decay.
  if (fastest < 10.0 * eigenvalue_error * scale) return std::nullopt;
  return StableEquilibrium{fastest};
}

}  // namespace dalembert
