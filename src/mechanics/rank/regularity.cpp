#include "regularity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/system_error.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/small_lu.hpp"
#include "mechanics/numeric_rank.hpp"

namespace dalembert {
namespace {

bool is_finite_number(double value) { return std::isfinite(value); }

void check_positions(const Regularity& at, std::span<const double> rows,
                     std::span<const double> phi) {
  if (phi.empty()) return;
  const std::size_t n = at.dof();
  const Configuration& configuration = at.system.configuration();
  // How far along each velocity the numbers of a position are from zero.
  std::vector<double> sizes(n, 1.0);
  for (const Configuration::Factor& factor : configuration.factors()) {
    for (std::size_t i = 0; i < factor.group.dimension(); ++i) {
      for (std::size_t j = 0; j < factor.group.storage_size(); ++j) {
        if (factor.group.is_flat() && i != j) continue;
        double& size = sizes[factor.velocity + i];
        size = numeric::larger(size, std::fabs(at.q[factor.storage + j]));
      }
    }
  }
  for (std::size_t k = 0; k < phi.size(); ++k) {
    double scale = 0.0;
    for (std::size_t j = 0; j < n; ++j) scale += std::fabs(rows[k * n + j]) * sizes[j];
    if (std::fabs(phi[k]) <= 1e-14 * scale * static_cast<double>(n)) continue;
    throw RequestError("holonomic constraint " + std::to_string(k + 1) + at.where() +
                       " is violated by " + to_string(phi[k]) +
                       "; correct the position or ask for a projection with project = true");
  }
}

}  // namespace

std::string point_text(std::span<const double> values) {
  std::string text = "(";
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? "" : ", ") + to_string(values[i]);
  return text + ")";
}

std::string Regularity::where() const {
  return " of system \"" + system.name() + "\" at q = " + point_text(q) +
         (v.empty() ? "" : ", v = " + point_text(v));
}

void check_mass(const Regularity& at, CheckedMatrices& passed) {
  const std::size_t n = at.dof();
  if (!std::isfinite(at.lagrangian())) {
    throw RequestError("the Lagrangian" + at.where() +
                       " is not a finite number; check for a division by zero");
  }
  if (!std::ranges::all_of(at.mass(), is_finite_number)) {
    throw RequestError("the mass matrix" + at.where() +
                       " is not finite; check for a division by zero");
  }
  if (std::ranges::equal(at.mass(), passed.mass)) return;
  const double ratio = pivot_ratio({at.mass().begin(), at.mass().end()}, static_cast<int>(n));
  if (!(ratio > 8.0 * std::numeric_limits<double>::epsilon() * static_cast<double>(n))) {
    throw RequestError("the mass matrix" + at.where() + " is singular: its smallest pivot is " +
                       to_string(ratio) + " of the largest");
  }
  passed.mass.assign(at.mass().begin(), at.mass().end());
}

void check_constraints(const Regularity& at, std::span<const double> phi, bool allow_violation,
                       CheckedMatrices& passed) {
  if (!std::ranges::all_of(at.constraint_matrix(), is_finite_number)) {
    throw RequestError("the constraint matrix" + at.where() +
                       " is not finite; check for a division by zero");
  }
  const std::size_t n = at.dof(), m = at.system.constraint_count();
  const std::span<const double> matrix = at.constraint_matrix();
  const bool are_independent = std::ranges::equal(matrix, passed.rows);
  std::vector<double> rows(matrix.begin(), matrix.end()), lengths;
  for (std::size_t k = 0; k < m; ++k) {
    const auto name = [&] { return "constraint " + std::to_string(k + 1) + at.where(); };
    const std::span<const double> row = matrix.subspan(k * n, n);
    double scale = 0.0;
    for (std::size_t j = 0; j < n; ++j) scale += std::fabs(row[j] * at.v[j]);
    if (!std::isfinite(phi[k])) throw RequestError(name() + " is not finite");
    if (!are_independent) {
      if (std::ranges::all_of(row, [](double entry) { return entry == 0.0; }))
        throw RequestError(name() + " vanishes for every velocity");
      // Round-off of the terms is all that remains of a combination of others.
      const double part = independent_part(rows, lengths, k, n);
      if (!(part > 1e-13)) {
        throw DependentConstraints(name() +
                                   " is not independent of the constraints before it: only " +
                                   to_string(part) + " of its row is new");
      }
    }
    // Round-off of the terms, with room for data printed to 15 digits.
    if (!allow_violation && std::fabs(phi[k]) > 1e-14 * scale * static_cast<double>(n) + 1e-15) {
      throw RequestError(name() + " is violated by " + to_string(phi[k]) +
                         "; correct the velocity or ask for a projection with project = true");
    }
  }
  passed.rows.assign(matrix.begin(), matrix.end());
  if (allow_violation) return;
  const std::size_t k = at.system.holonomic_count();
  check_positions(at, at.constraint_matrix().last(k * n), phi.subspan(m));
}

double hold_of_reactions(const Regularity& at, std::span<const double> reactions) {
  const auto n = at.dof(), m = reactions.size() / n;
  std::vector<double> mass(at.mass().begin(), at.mass().end()), rows(n), pushed, products(m * m);
  static_cast<void>(numeric::lu_factor(static_cast<int>(n), mass.data(), rows.data()));
  const auto metric = [&](std::span<const double> row) {
    pushed.assign(row.begin(), row.end());
    numeric::lu_solve(static_cast<int>(n), mass.data(), rows.data(), pushed.data());
    return std::span<const double>(pushed);
  };
  const auto inner = [](std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  const auto row_of = [n](std::span<const double> list, std::size_t k) {
    return list.subspan(k * n, n);
  };
  std::vector<double> lengths;
  for (std::size_t i = 0; i < m; ++i) {
    const std::span<const double> a = row_of(at.constraint_matrix(), i);
    lengths.push_back(std::sqrt(inner(a, metric(a))));
  }
  for (std::size_t j = 0; j < m; ++j) {
    const std::span<const double> b = row_of(reactions, j), w = metric(b);
    const double length = std::sqrt(inner(b, w));
    for (std::size_t i = 0; i < m; ++i)
      products[i * m + j] = inner(row_of(at.constraint_matrix(), i), w) / (lengths[i] * length);
  }
  rows.resize(m);
  static_cast<void>(numeric::lu_factor(static_cast<int>(m), products.data(), rows.data()));
  double determinant = 1.0;
  for (std::size_t i = 0; i < m; ++i) determinant /= products[i * m + i];
  return std::fabs(determinant);
}

}  // namespace dalembert
