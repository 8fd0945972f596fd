#include "dalembert/mechanics/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/numeric/small_lu.hpp"

namespace dalembert {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

std::string point_text(std::span<const double> values) {
  std::string text = "(";
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? "" : ", ") + to_string(values[i]);
  return text + ")";
}

std::vector<double> checked_parameters(const System& system, std::span<const double> given) {
  std::vector<double> values = system.default_parameters();
  if (!given.empty()) {
    if (given.size() != values.size()) {
      throw RequestError("system \"" + system.name() + "\" has " + std::to_string(values.size()) +
                         " parameters, not " + std::to_string(given.size()));
    }
    values.assign(given.begin(), given.end());
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Parameter& parameter = system.description().parameters[i];
    if (!std::isfinite(values[i]) || !parameter.admits(values[i])) {
      throw RequestError("parameter \"" + parameter.name + "\" of system \"" + system.name() +
                         "\" is " + to_string(values[i]) + "; it must be " +
                         parameter.range_text());
    }
  }
  return values;
}

/// The part of row k of `rows` that is not in the span of the rows before it, relative to the row:
/// Gram-Schmidt in place.
double independent_part(std::vector<double>& rows, std::size_t k, std::size_t n) {
  const auto row = [&](std::size_t i) { return std::span(rows).subspan(i * n, n); };
  const auto dot = [](std::span<const double> x, std::span<const double> y) {
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
  };
  const double before = std::sqrt(dot(row(k), row(k)));
  for (int sweep = 0; sweep < 2; ++sweep) {  // twice is enough for orthogonality to round-off
    for (std::size_t i = 0; i < k; ++i) {
      const double length = dot(row(i), row(i));
      const double factor = length > 0.0 ? dot(row(i), row(k)) / length : 0.0;
      for (std::size_t j = 0; j < n; ++j) row(k)[j] -= factor * row(i)[j];
    }
  }
  return before > 0.0 ? std::sqrt(dot(row(k), row(k))) / before : 0.0;
}

/// 0 where a matrix is singular to round-off, else the ratio of its pivots after scaling rows.
double pivot_ratio(std::vector<double> matrix, int n) {
  for (int i = 0; i < n; ++i) {
    double largest = 0.0;
    for (int j = 0; j < n; ++j)
      largest = std::max(largest, std::fabs(matrix[std::size_t(i * n + j)]));
    if (largest == 0.0) return 0.0;
    for (int j = 0; j < n; ++j) matrix[std::size_t(i * n + j)] /= largest;
  }
  std::vector<double> pivot(static_cast<std::size_t>(n));
  return numeric::lu_factor(n, matrix.data(), pivot.data()).pivot_ratio;
}

}  // namespace

Evaluator::Evaluator(System system, std::span<const double> parameters)
    : system_(std::move(system)), parameters_(checked_parameters(system_, parameters)) {
  const Symbols s = system_.symbols();
  const Vector inputs = concatenate({s.parameter_list, Vector{s.t}, s.q, s.v});
  const auto compiled = [&](const Vector& outputs) { return CompiledFunction(inputs, outputs); };
  energy_ = compiled({system_.energy(s.q, s.v)});

  Vector integrals;
  for (const auto& [name, integral] : system_.mechanics().integrals) integrals.push_back(integral);
  integrals_ = compiled(integrals);
  arguments_.resize(inputs.size());
  std::copy(parameters_.begin(), parameters_.end(), arguments_.begin());
  if (system_.is_skew_gradient()) return;
  constraint_ =
      compiled(concatenate({system_.constraint(s.q, s.v, s.t), system_.holonomic(s.q, s.t)}));
  const System::Eliminated eliminated = system_.eliminated(s.q, s.v, s.t);
  eliminated_ = compiled(concatenate({eliminated.acceleration, eliminated.lambda}));
  projection_ = compiled(system_.projected_velocity(s.q, s.v, s.t));
  regularity_ = compiled(concatenate({system_.mass(s.q, s.v).entries(),
                                      system_.constraint_matrix(s.q, s.v, s.t).entries(),
                                      Vector{system_.lagrangian(s.q, s.v)}}));
  results_.resize(std::max(
      {constraint_.output_count(), eliminated_.output_count(), regularity_.output_count()}));
}

std::span<const double> Evaluator::arguments(double t, std::span<const double> q,
                                             std::span<const double> v) {
  auto next = arguments_.begin() + static_cast<std::ptrdiff_t>(parameters_.size());
  *next++ = t;
  next = std::copy(q.begin(), q.end(), next);
  std::copy(v.begin(), v.end(), next);
  return arguments_;
}

double Evaluator::energy(double t, std::span<const double> q, std::span<const double> v) {
  double value = 0.0;
  energy_(arguments(t, q, v), {&value, 1});
  return value;
}

double Evaluator::constraint_error(double t, std::span<const double> q, std::span<const double> v) {
  if (system_.constraint_count() == 0) return 0.0;
  const std::span<double> values(results_.data(), constraint_.output_count());
  constraint_(arguments(t, q, v), values);
  double largest = 0.0;
  for (const double value : values)
    largest = std::fabs(value) <= largest ? largest : std::fabs(value);
  return largest;
}

std::vector<double> Evaluator::constraint(double t, std::span<const double> q,
                                          std::span<const double> v) {
  if (system_.constraint_count() == 0) return {};
  return constraint_(arguments(t, q, v));
}

void Evaluator::integrals(double t, std::span<const double> q, std::span<const double> v,
                          std::span<double> values) {
  integrals_(arguments(t, q, v), values);
}

void Evaluator::multiplier(double t, std::span<const double> q, std::span<const double> v,
                           std::span<double> lambda) {
  if (lambda.empty()) return;
  const std::span<double> values(results_.data(), eliminated_.output_count());
  eliminated_(arguments(t, q, v), values);
  std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(system_.dof()), lambda.size(),
              lambda.begin());
}

std::vector<double> Evaluator::acceleration(double t, std::span<const double> q,
                                            std::span<const double> v) {
  std::vector<double> values = eliminated_(arguments(t, q, v));
  values.resize(system_.dof());
  return values;
}

std::vector<double> Evaluator::projected_velocity(double t, std::span<const double> q,
                                                  std::span<const double> v) {
  return projection_(arguments(t, q, v));
}

std::pair<std::vector<double>, std::vector<double>> Evaluator::consistent_state(
    double t, std::span<const double> q, std::span<const double> v) {
  auto found = consistent()(parameters_, t, {q.begin(), q.end()}, {v.begin(), v.end()});
  if (!found.found()) {
    throw RequestError("no " + std::string(found.found_q ? "velocity" : "position") +
                       " of system \"" + system_.name() +
                       "\" that satisfies the constraints was found near q = " + point_text(q) +
                       ", v = " + point_text(v) + ": Newton's iteration ends with residual " +
                       to_string(found.residual) + "; start closer to the constraints");
  }
  return {std::move(found.q), std::move(found.v)};
}

std::vector<double> Evaluator::velocity_of_momentum(double t, std::span<const double> q,
                                                    std::span<const double> p) {
  auto found =
      consistent().with_momentum(parameters_, t, {q.begin(), q.end()}, {p.begin(), p.end()});
  if (!found.found()) {
    throw RequestError(
        "no velocity of system \"" + system_.name() + "\" with momentum p = " + point_text(p) +
        " was found at q = " + point_text(q) + ": Newton's iteration ends with residual " +
        to_string(found.residual) + "; give the velocity instead");
  }
  return std::move(found.v);
}

ConsistentStart<double>& Evaluator::consistent() {
  if (!consistent_) consistent_.emplace(system_);
  return *consistent_;
}

void Evaluator::check_skew_gradient(double t, std::span<const double> q) {
  if (std::isfinite(energy(t, q, {}))) return;
  throw RequestError("the Hamiltonian of system \"" + system_.name() + "\" at zeta = " +
                     point_text(q) + " is not a finite number; check for a division by zero");
}

void Evaluator::check_regular(double t, std::span<const double> q, std::span<const double> v,
                              bool allow_violation) {
  if (system_.is_skew_gradient()) return check_skew_gradient(t, q);
  const std::size_t n = system_.dof(), m = system_.constraint_count();
  const std::string where =
      " of system \"" + system_.name() + "\" at q = " + point_text(q) + ", v = " + point_text(v);
  const std::vector<double> values = regularity_(arguments(t, q, v));
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!finite(values.back())) {
    throw RequestError("the Lagrangian" + where +
                       " is not a finite number; check for a division by zero");
  }
  if (!std::all_of(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n * n), finite)) {
    throw RequestError("the mass matrix" + where + " is not finite; check for a division by zero");
  }
  if (!std::all_of(values.begin(), values.end(), finite)) {
    throw RequestError("the constraint matrix" + where +
                       " is not finite; check for a division by zero");
  }
  const double ratio = pivot_ratio(
      {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n * n)}, static_cast<int>(n));
  if (!(ratio > 8.0 * epsilon * static_cast<double>(n))) {
    throw RequestError("the mass matrix" + where + " is singular: its smallest pivot is " +
                       to_string(ratio) + " of the largest");
  }
  std::vector<double> rows(values.begin() + static_cast<std::ptrdiff_t>(n * n), values.end() - 1);
  const std::vector<double> phi = constraint(t, q, v);
  for (std::size_t k = 0; k < m; ++k) {
    const std::string constraint_name = "constraint " + std::to_string(k + 1);
    double scale = 0.0;
    for (std::size_t j = 0; j < n; ++j) scale += std::fabs(rows[k * n + j] * v[j]);
    if (!std::isfinite(phi[k])) throw RequestError(constraint_name + where + " is not finite");
    // What remains of a row that is a combination of others is round-off of its terms.
    const double part = independent_part(rows, k, n);
    if (!(part > 1e-13)) {
      throw RequestError(constraint_name + where +
                         (part == 0.0 && k == 0
                              ? " vanishes for every velocity"
                              : " is not independent of the constraints before it: only " +
                                    to_string(part) + " of its row is new"));
    }
    // Round-off of the terms, with room for data printed to 15 digits.
    if (!allow_violation && std::fabs(phi[k]) > 1e-14 * scale * static_cast<double>(n) + 1e-15) {
      throw RequestError(constraint_name + where + " is violated by " + to_string(phi[k]) +
                         "; correct the velocity or ask for a projection with project = true");
    }
  }
  if (!allow_violation) {
    const std::size_t k = system_.holonomic_count();
    check_positions(q, std::span(values).subspan(n * n + (m - k) * n, k * n),
                    std::span(phi).subspan(m), where);
  }
  const std::vector<double> start = eliminated_(arguments(t, q, v));
  if (!std::all_of(start.begin(), start.end(), finite)) {
    throw RequestError("the acceleration" + where + " is not finite; check for a division by zero");
  }
}

void Evaluator::check_positions(std::span<const double> q, std::span<const double> rows,
                                std::span<const double> phi, const std::string& where) const {
  const std::size_t n = system_.dof();
  for (std::size_t k = 0; k < phi.size(); ++k) {
    double scale = 0.0;
    for (std::size_t j = 0; j < n; ++j)
      scale += std::fabs(rows[k * n + j]) * std::max(1.0, std::fabs(q[j]));
    if (std::fabs(phi[k]) <= 1e-14 * scale * static_cast<double>(n)) continue;
    throw RequestError("holonomic constraint " + std::to_string(k + 1) + where +
                       " is violated by " + to_string(phi[k]) +
                       "; correct the position or ask for a projection with project = "
                       "true");
  }
}

}  // namespace dalembert
