#include "dalembert/measure/coupled_passengers.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/small_lu.hpp"

namespace dalembert {
namespace {

std::vector<std::size_t> all_but(std::size_t count, std::size_t index) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < count; ++i) {
    if (i != index) others.push_back(i);
  }
  return others;
}

template <class T>
std::vector<T> pick(const std::vector<T>& values, const std::vector<std::size_t>& indices) {
  std::vector<T> picked;
  for (const std::size_t i : indices) picked.push_back(values[i]);
  return picked;
}

bool depends_on_any(const Vector& expressions, const Vector& symbols) {
  return std::any_of(expressions.begin(), expressions.end(),
                     [&](const Expr& e) { return depends_on(e, symbols); });
}

/// Why coordinate `driver` does not drive the others as in a coupled system; nothing if it does.
std::optional<std::string> misfit(const System& system, std::size_t driver) {
  const Symbols s = system.symbols();
  const auto passengers = all_but(system.dof(), driver);
  const Vector x = pick(s.q, passengers), xi{s.q[driver]};
  const Matrix mass = system.mass(s.q), a = system.constraint_matrix(s.q);
  for (const std::size_t i : passengers) {
    if (!mass(i, driver).is_constant(0.0)) return "the mass couples it to the others";
  }
  for (std::size_t row = 0; row < a.rows(); ++row) {
    if (!a(row, driver).is_constant(0.0)) return "a constraint contains its velocity";
  }
  if (depends_on_any(a.entries(), x)) return "the constraints depend on other coordinates than it";
  const Vector force = gradient(system.potential(s.q), x);
  if (depends_on_any(force, xi)) return "the potential couples it to the others";
  if (depends_on_any(jacobian(force, x).entries(), s.q))
    return "the potential is not quadratic in the other coordinates";
  return std::nullopt;
}

[[noreturn]] void refuse(const System& system, const std::string& what, const std::string& reason) {
  throw RequestError("system \"" + system.name() + "\" has no " + what + ": " + reason);
}

void check_kind(const System& system, const std::string& what) {
  const SystemTraits& traits = system.traits();
  if (traits.has_groups) refuse(system, what, "it is one on " + system.configuration().text());
  if (traits.lagrangian != LagrangianKind::constant_mass)
    refuse(system, what, "its mass matrix is not constant");
  if (traits.constraints != ConstraintKind::linear)
    refuse(system, what, "it needs constraints linear in the velocities");
  if (!traits.is_conservative())
    refuse(system, what, "it has external forces or reactions that do work, or depends on time");
  if (system.dof() != system.constraint_count() + 2)
    refuse(system, what,
           "the kernel of its constraints, the driver left aside, must have dimension one");
}

/// A vector in the kernel of A, smooth in what A depends on: its signed minors.
Vector kernel(const Matrix& a);

Expr determinant(const Matrix& a) {
  if (a.rows() == 0) return 1.0;
  Expr sum = 0.0;
  for (std::size_t j = 0; j < a.columns(); ++j) {
    Matrix minor(a.rows() - 1, a.columns() - 1);
    for (std::size_t row = 1; row < a.rows(); ++row) {
      for (std::size_t k = 0, column = 0; k < a.columns(); ++k) {
        if (k != j) minor(row - 1, column++) = a(row, k);
      }
    }
    const Expr term = a(0, j) * determinant(minor);
    sum = j % 2 == 0 ? sum + term : sum - term;
  }
  return sum;
}

Vector kernel(const Matrix& a) {
  Vector k;
  for (std::size_t j = 0; j < a.columns(); ++j) {
    Matrix minor(a.rows(), a.rows());
    for (std::size_t row = 0; row < a.rows(); ++row) {
      for (std::size_t i = 0, column = 0; i < a.columns(); ++i) {
        if (i != j) minor(row, column++) = a(row, i);
      }
    }
    k.push_back(j % 2 == 0 ? -determinant(minor) : determinant(minor));
  }
  return k;
}

}  // namespace

CoupledPassengers::CoupledPassengers(const System& system, std::span<const double> parameters,
                                     std::string_view driver, const std::string& what)
    : at_driver_(system.dof(), 0.0), rest_velocity_(system.dof(), 0.0) {
  check_kind(system, what);
  recognise(system, driver, what);
  passengers_ = all_but(system.dof(), driver_);
  driver_is_angle_ = system.description().coordinates[driver_].is_angle;

  const Symbols s = system.symbols();
  const Vector x = pick(s.q, passengers_);
  const Matrix mass = system.mass(s.q), a = system.constraint_matrix(s.q);
  Matrix of_passengers(a.rows(), x.size()), inner(x.size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t row = 0; row < a.rows(); ++row) of_passengers(row, i) = a(row, passengers_[i]);
    for (std::size_t j = 0; j < x.size(); ++j) inner(i, j) = mass(passengers_[i], passengers_[j]);
  }
  const Vector direction = kernel(of_passengers);
  const Vector k = (1.0 / sqrt(dot(direction, inner * direction))) * direction;
  const Vector slope = gradient(system.potential(s.q), concatenate({x, Vector{s.q[driver_]}}));
  const Vector driver_acceleration{-slope.back() / mass(driver_, driver_)};
  const Vector outer = slice(slope, 0, x.size()),
               at_zero = substitute(outer, s.q, zeros(s.q.size()));
  slope_ = StateFunction<double>(
      system, s, concatenate({driver_acceleration, k, Vector{-dot(k, at_zero)}}), parameters);

  StateFunction<double> constants(  // they depend on the parameters alone
      system, s, concatenate({jacobian(outer, x).entries(), at_zero, inner.entries()}), parameters);
  const std::span<const double> values = constants(0.0, at_driver_, rest_velocity_);
  const auto begin = values.begin();
  const auto count = static_cast<std::ptrdiff_t>(x.size()), squared = count * count;
  std::vector<double> force;
  for (auto entry = begin + squared; entry != begin + squared + count; ++entry)
    force.push_back(-*entry);
  mass_.assign(begin + squared + count, values.end());
  try {
    factor_stiffness({begin, begin + squared});
  } catch (const RequestError& reason) {
    refuse(system, what, reason.what());
  }
  balance_force(force);
  results_.resize(2 + passengers_.size());
  springs_.resize(rank());
}

void CoupledPassengers::recognise(const System& system, std::string_view driver,
                                  const std::string& what) {
  const auto& coordinates = system.description().coordinates;
  if (!driver.empty()) {
    const auto named = std::find_if(coordinates.begin(), coordinates.end(),
                                    [&](const Coordinate& c) { return c.name == driver; });
    if (named == coordinates.end())
      refuse(system, what, "it has no coordinate \"" + std::string(driver) + "\"");
    driver_ = static_cast<std::size_t>(named - coordinates.begin());
    if (const auto reason = misfit(system, driver_))
      refuse(system, what, "\"" + std::string(driver) + "\" is not its driver: " + *reason);
    return;
  }
  std::string reasons;
  for (driver_ = 0; driver_ < coordinates.size(); ++driver_) {
    const auto reason = misfit(system, driver_);
    if (!reason) return;
    reasons += (reasons.empty() ? "" : "; ") + coordinates[driver_].name + ": " + *reason;
  }
  refuse(system, what, "none of its coordinates is a driver of the others (" + reasons + ")");
}

/// kappa by Cholesky's factorization with pivoting, as many steps as the rank.
void CoupledPassengers::factor_stiffness(const std::vector<double>& stiffness) {
  const std::size_t n = passengers_.size();
  std::vector<double> rest = stiffness;
  double largest = 0.0;
  for (const double entry : rest) largest = numeric::larger(largest, entry);
  const double round_off = 1e-12 * largest;
  for (std::size_t step = 0; step <= n; ++step) {
    std::size_t pivot = 0;
    double smallest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      if (rest[i * n + i] > rest[pivot * n + pivot]) pivot = i;
      smallest = numeric::smaller(smallest, rest[i * n + i]);
    }
    if (smallest < -round_off)
      throw RequestError("the passengers' stiffness matrix is not positive semidefinite");
    if (!(rest[pivot * n + pivot] > round_off)) return;
    const double root = std::sqrt(rest[pivot * n + pivot]);
    std::vector<double> row;
    for (std::size_t i = 0; i < n; ++i) row.push_back(rest[pivot * n + i] / root);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) rest[i * n + j] -= row[i] * row[j];
    }
    kappa_.push_back(std::move(row));
  }
}

/// kappa x_0 = c from f = kappa^T c, by the normal equations.
void CoupledPassengers::balance_force(const std::vector<double>& force) {
  const std::size_t n = passengers_.size(), m = rank();
  std::vector<double> gram(m * m, 0.0), pivots(m), right(m, 0.0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t l = 0; l < n; ++l) right[i] += kappa_[i][l] * force[l];
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t l = 0; l < n; ++l) gram[i * m + j] += kappa_[i][l] * kappa_[j][l];
    }
  }
  const int size = static_cast<int>(m);
  if (m > 0) {
    const auto report = numeric::lu_factor(size, gram.data(), pivots.data());
    if (report.singular) return;
    numeric::lu_solve(size, gram.data(), pivots.data(), right.data());
  }
  for (std::size_t l = 0; l < n; ++l) {
    double left = force[l];
    for (std::size_t i = 0; i < m; ++i) left -= kappa_[i][l] * right[i];
    if (std::fabs(left) > 1e-10 * (1.0 + std::fabs(force[l]))) return;
  }
  rest_ = std::move(right);
}

CoupledPassengers::Coefficients CoupledPassengers::at(double position) {
  at_driver_[driver_] = position;
  slope_.evaluate(0.0, at_driver_, rest_velocity_, {}, results_);
  for (std::size_t i = 0; i < rank(); ++i) {
    springs_[i] = 0.0;
    for (std::size_t l = 0; l < passengers_.size(); ++l)
      springs_[i] += kappa_[i][l] * results_[1 + l];
  }
  return {results_[0], springs_, results_.back()};
}

std::vector<double> CoupledPassengers::variables(std::span<const double> q,
                                                 std::span<const double> v) {
  at(q[driver_]);
  const std::size_t n = passengers_.size();
  std::vector<double> u(rank() + 1, 0.0);
  for (std::size_t l = 0; l < n; ++l) {
    for (std::size_t i = 0; i < rank(); ++i) u[i] += kappa_[i][l] * q[passengers_[l]];
    for (std::size_t j = 0; j < n; ++j)
      u.back() += results_[1 + l] * mass_[l * n + j] * v[passengers_[j]];
  }
  return u;
}

}  // namespace dalembert
