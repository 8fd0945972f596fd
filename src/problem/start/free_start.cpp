#include "problem/start/free_start.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/small_lu.hpp"

namespace dalembert::study {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

double largest_of(std::span<const double> values) {
  double found = 0.0;
  for (const double value : values) found = numeric::larger(found, std::fabs(value));
  return found;
}

/// Equations with the columns of their Jacobian that belong to the unknowns: residual, then slopes
/// row after row.
struct FreeEquations {
  StateFunction<double> function;
  std::size_t count;               ///< equations
  std::vector<std::size_t> which;  ///< indices of the unknowns among what is solved for
};

/// The step of least squares, by the normal equations: they need not be accurate, because the
/// residual of the next iteration is. Empty where they are singular.
std::vector<double> newton_step(std::size_t unknowns, std::size_t count,
                                std::span<const double> values) {
  const auto slope = [&](std::size_t row, std::size_t column) {
    return values[count + row * unknowns + column];
  };
  std::vector<double> matrix(unknowns * unknowns), right(unknowns), pivot(unknowns);
  for (std::size_t i = 0; i < unknowns; ++i) {
    for (std::size_t k = 0; k < count; ++k) {
      right[i] += slope(k, i) * values[k];
      for (std::size_t j = 0; j < unknowns; ++j)
        matrix[i * unknowns + j] += slope(k, i) * slope(k, j);
    }
  }
  const int n = static_cast<int>(unknowns);
  const auto factored = numeric::lu_factor(n, matrix.data(), pivot.data());
  if (!(factored.pivot_ratio > epsilon)) return {};
  numeric::lu_solve(n, matrix.data(), pivot.data(), right.data());
  return right;
}

/// Newton's iteration until the correction is round-off; `target` is q or v of the start.
void solve_free(FreeEquations& equations, Start& start, std::vector<double>& target,
                const DocumentNode& node) {
  double residual = 0.0;
  for (int iteration = 0; iteration < 50; ++iteration) {
    const std::span<const double> values = equations.function(0.0, start.q, start.v);
    residual = largest_of(values.first(equations.count));
    const std::vector<double> step = newton_step(equations.which.size(), equations.count, values);
    if (step.empty() || !std::isfinite(largest_of(step))) {
      node.refuse("cannot be solved for: the constraints do not determine these values");
    }
    for (std::size_t i = 0; i < step.size(); ++i) target[equations.which[i]] -= step[i];
    const double scale = 1.0 + std::fmax(largest_of(start.q), largest_of(start.v));
    if (largest_of(step) > 8.0 * epsilon * scale) continue;
    if (residual > 1e-10 * scale) break;
    return;
  }
  node.refuse("cannot be solved for: no values of these names satisfy the constraints (residual " +
              to_string(residual) + ")");
}

/// The indices of those names that are among `known`.
std::vector<std::size_t> indices_among(const DocumentNode& node,
                                       const std::vector<std::string>& known) {
  std::vector<std::size_t> which;
  for (const std::string& name : free_names(node)) {
    const auto found = std::ranges::find(known, name);
    if (found != known.end()) which.push_back(static_cast<std::size_t>(found - known.begin()));
  }
  return which;
}

std::vector<std::string> position_columns(const System& system) {
  std::vector<std::string> names;
  for (const Coordinate& number : system.configuration().storage()) names.push_back(number.name);
  return names;
}

/// For sentences: "2 velocities; there is 1 constraint on them".
void check_count(const DocumentNode& node, std::size_t unknowns, std::size_t constraints,
                 const char* what) {
  if (unknowns <= constraints) return;
  node.refuse("names " + std::to_string(unknowns) + " " + what + ", but there " +
              (constraints == 1 ? "is 1 constraint"
                                : "are " + std::to_string(constraints) + " constraints") +
              " on " + what);
}

FreeEquations equations_of(const System& system, const Symbols& symbols, const Vector& residual,
                           const Vector& variables, std::vector<std::size_t> which,
                           const std::vector<double>& parameters) {
  Vector unknowns;
  for (const std::size_t i : which) unknowns.push_back(variables[i]);
  const Vector slopes = jacobian(residual, unknowns).entries();
  return {{system, symbols, concatenate({residual, slopes}), parameters},
          residual.size(),
          std::move(which)};
}

}  // namespace

std::vector<std::string> free_names(const DocumentNode& node) {
  std::vector<std::string> names;
  for (const DocumentNode& entry : as_list(node)) names.push_back(as_text(entry));
  return names;
}

void check_free_names(const DocumentNode& node, const System& system) {
  std::vector<std::string> known = position_columns(system);
  for (const std::string& name : system.configuration().velocity_columns()) known.push_back(name);
  std::vector<std::string> seen;
  for (const std::string& name : free_names(node)) {
    if (std::ranges::find(known, name) == known.end())
      node.refuse("names \"" + name + "\", which is neither a coordinate nor a velocity" +
                  suggestion(name, known));
    if (std::ranges::find(seen, name) != seen.end()) node.refuse("names \"" + name + "\" twice");
    seen.push_back(name);
  }
}

void solve_free_positions(const DocumentNode& node, const System& system,
                          const std::vector<double>& parameters, Start& start) {
  std::vector<std::size_t> which = indices_among(node, position_columns(system));
  if (which.empty()) return;
  if (system.traits().has_groups) {
    for (const Configuration::Factor& factor : system.configuration().factors()) {
      for (const std::size_t i : which) {
        const bool inside = i >= factor.storage && i < factor.storage + factor.group.storage_size();
        if (inside && !factor.group.is_flat())
          node.refuse("names a number of \"" + factor.name + "\", an element of " +
                      factor.group.name() + "; coordinates can be free, and all velocities");
      }
    }
  }
  check_count(node, which.size(), system.holonomic_count(), "positions");
  const Symbols s = system.symbols();
  FreeEquations equations =
      equations_of(system, s, system.holonomic(s.q, s.t), s.q, std::move(which), parameters);
  if (start.v.empty()) start.v.assign(system.dof(), 0.0);
  solve_free(equations, start, start.q, node);
}

void solve_free_velocities(const DocumentNode& node, const System& system,
                           const std::vector<double>& parameters, Start& start) {
  std::vector<std::size_t> which = indices_among(node, system.configuration().velocity_columns());
  if (which.empty()) return;
  if (start.p) node.refuse("names velocities, but the start gives momenta");
  check_count(node, which.size(), system.constraint_count(), "velocities");
  const Symbols s = system.symbols();
  FreeEquations equations =
      equations_of(system, s, system.constraint(s.q, s.v, s.t), s.v, std::move(which), parameters);
  solve_free(equations, start, start.v, node);
}

}  // namespace dalembert::study
