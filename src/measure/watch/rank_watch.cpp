#include "dalembert/measure/watch/rank_watch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>

#include "dalembert/expression/query.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/small_lu.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_unknowns = 64;

/// Squares of lengths relative to the size of a row.
constexpr double vanished = 1e-12, small = 0.25;

constexpr double singular_below = 1e-13;

struct Determinant {
  double sign = 0.0, pivot_ratio = 0.0;
};

/// The sign of the determinant of a matrix, which is destroyed.
Determinant determinant(std::span<double> matrix, std::size_t size, std::span<double> pivots) {
  const int n = static_cast<int>(size);
  const double ratio = numeric::lu_factor(n, matrix.data(), pivots.data()).pivot_ratio;
  double sign = 1.0;
  for (std::size_t k = 0; k < size; ++k) {
    if (pivots[k] != static_cast<double>(k)) sign = -sign;
    if (matrix[k * size + k] < 0.0) sign = -sign;
  }
  return {sign, ratio};
}

/// The smallest pivot of a symmetric matrix that is not negative, which is destroyed.
double smallest_pivot(std::span<double> matrix, std::size_t size) {
  double smallest = matrix[0];
  for (std::size_t k = 0; k < size; ++k) {
    const double pivot = matrix[k * size + k];
    smallest = numeric::smaller(smallest, pivot);
    if (!(pivot > 0.0)) return 0.0;
    for (std::size_t i = k + 1; i < size; ++i) {
      const double factor = matrix[i * size + k] / pivot;
      for (std::size_t j = k + 1; j < size; ++j)
        matrix[i * size + j] -= factor * matrix[k * size + j];
    }
  }
  return smallest;
}

Vector entries_of(const Matrix& matrix, std::size_t rows, std::size_t columns) {
  Vector entries;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) entries.push_back(matrix(i, j));
  }
  return entries;
}

/// Expressions that are the same at every state need no watch.
bool is_constant(const Vector& entries, const Symbols& s) {
  return !any_depends_on(entries, concatenate({s.q, s.v, Vector{s.t}}));
}

/// Whether the rows are independent at every state, because each has a constant entry in a column
/// where those that are left after it have none.
bool are_always_independent(const Matrix& matrix, std::size_t rows, std::size_t columns) {
  std::vector<std::size_t> left(rows);
  std::iota(left.begin(), left.end(), std::size_t{0});
  const auto is_zero = [&](std::size_t i, std::size_t j) {
    return matrix(i, j).is_constant() && matrix(i, j).constant().as<double>() == 0.0;
  };
  const auto has_own_column = [&](std::size_t i) {
    for (std::size_t j = 0; j < columns; ++j) {
      if (!matrix(i, j).is_constant() || is_zero(i, j)) continue;
      if (std::ranges::all_of(left, [&](std::size_t k) { return k == i || is_zero(k, j); }))
        return true;
    }
    return false;
  };
  while (!left.empty()) {
    const auto found = std::ranges::find_if(left, has_own_column);
    if (found == left.end()) return false;
    left.erase(found);
  }
  return true;
}

bool are_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

}  // namespace

RankWatch::RankWatch(const System& system, std::span<const double> parameters)
    : dof_(system.dof()), count_(system.constraint_count()) {
  if (system.is_skew_gradient() || dof_ + count_ > most_unknowns) return;
  const Symbols s = system.symbols();
  Vector rows;
  bool are_independent = true;
  if (count_ > 0) {
    const Matrix matrix = system.constraint_matrix(s.q, s.v, s.t);
    rows = entries_of(matrix, count_, dof_);
    are_independent = are_always_independent(matrix, count_, dof_) || is_constant(rows, s);
  }
  const Vector mass = entries_of(system.mass(s.q, s.v, s.t), dof_, dof_);
  if (!are_independent) {
    rows_ = StateFunction<double>(system, s, rows, parameters);
    sizes_.assign(count_, 0.0);
    rows_now_.resize(rows.size());
    rows_before_.resize(rows.size());
    rows_first_.resize(rows.size());
    products_.resize(count_ * count_);
    if (!system.traits().has_groups)
      for (const Coordinate& stored : system.configuration().storage())
        is_angle_.push_back(stored.is_angle);
    for (std::vector<double>* state : {&q_before_, &v_before_, &q_between_, &v_between_})
      state->resize(dof_);
  }
  Vector both = mass;
  both.insert(both.end(), rows.begin(), rows.end());
  has_own_reactions_ = !system.traits().ideal;
  if (has_own_reactions_) {
    const Vector reactions = entries_of(system.reaction_matrix(s.q, s.v, s.t), count_, dof_);
    both.insert(both.end(), reactions.begin(), reactions.end());
  }
  if (!is_constant(mass, s) || has_own_reactions_) {
    equations_ = StateFunction<double>(system, s, both, parameters);
    matrix_.resize((dof_ + count_) * (dof_ + count_));
  }
  pivots_.resize(dof_ + count_);
}

void RankWatch::see(double t, std::span<const double> q, std::span<const double> v,
                    bool with_mass) {
  if (rows_.output_count() > 0 && !dependent_constraints_) {
    const std::span<const double> found = rows_(t, q, v);
    std::ranges::copy(found, rows_now_.begin());
    if (are_finite(found)) see_constraints(t, q, v);
  }
  if (with_mass && equations_.output_count() > 0 && !singular_mass_) {
    const std::span<const double> found = equations_(t, q, v);
    if (are_finite(found)) see_mass(t, found);
  }
}

/// False while a row has been nothing but zero.
bool RankWatch::scale_rows() {
  for (std::size_t i = 0; i < count_; ++i) {
    const std::span<double> row(rows_now_.data() + i * dof_, dof_);
    double square = 0.0;
    for (const double entry : row) square += entry * entry;
    sizes_[i] = numeric::larger(sizes_[i], std::sqrt(square));
    if (sizes_[i] == 0.0) return false;
    for (double& entry : row) entry /= sizes_[i];
  }
  return true;
}

void RankWatch::see_constraints(double t, std::span<const double> q, std::span<const double> v) {
  const bool had_before = has_before_;
  if (had_before && !is_angle_.empty()) std::ranges::copy(rows_before_, rows_first_.begin());
  const double smallest_first = smallest_before_;
  bool is_lost = look_at_rows();
  if (is_lost && smallest_before_ >= vanished && had_before && !is_angle_.empty()) {
    std::ranges::copy(rows_first_, rows_before_.begin());
    smallest_before_ = smallest_first;
    is_lost = turns_on_the_way(t, q, v);
  }
  if (is_lost) dependent_constraints_ = t;
  if (is_angle_.empty()) return;
  t_before_ = t;
  std::ranges::copy(q, q_before_.begin());
  std::ranges::copy(v, v_before_.begin());
}

/// Turn of the rows to the opposite in short ways along the cubic from the state before.
bool RankWatch::turns_on_the_way(double t, std::span<const double> q, std::span<const double> v) {
  constexpr int parts = 32;
  const double h = t - t_before_;
  for (int part = 1; part <= parts; ++part) {
    const double s = static_cast<double>(part) / parts, r = 1.0 - s;
    for (std::size_t i = 0; i < dof_; ++i) {
      const double way = q[i] - q_before_[i],
                   whole = is_angle_[i] ? std::remainder(way, 2.0 * std::numbers::pi) : way;
      q_between_[i] = q_before_[i] + s * s * (3.0 - 2.0 * s) * whole +
                      h * s * r * (r * v_before_[i] - s * v[i]);
      v_between_[i] = r * v_before_[i] + s * v[i];
    }
    const std::span<const double> found = rows_(t_before_ + s * h, q_between_, v_between_);
    if (!are_finite(found)) continue;
    std::ranges::copy(found, rows_now_.begin());
    if (look_at_rows()) return true;
  }
  return false;
}

/// Look at the rows that are there now: true where they are dependent, or have turned since the
/// look before; they are those before from now on.
bool RankWatch::look_at_rows() {
  if (!scale_rows()) return false;
  const auto products_with = [&](const std::vector<double>& others) {
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t j = 0; j < count_; ++j) {
        double sum = 0.0;
        for (std::size_t k = 0; k < dof_; ++k)
          sum += rows_now_[i * dof_ + k] * others[j * dof_ + k];
        products_[i * count_ + j] = sum;
      }
    }
  };
  products_with(rows_now_);
  const double smallest = smallest_pivot(products_, count_);
  bool is_lost = smallest < vanished;
  if (has_before_ && numeric::smaller(smallest, smallest_before_) < small) {
    products_with(rows_before_);
    is_lost = is_lost || determinant(products_, count_, pivots_).sign < 0.0;
  }
  std::swap(rows_now_, rows_before_);
  smallest_before_ = smallest;
  has_before_ = true;
  return is_lost;
}

void RankWatch::see_mass(double t, std::span<const double> found) {
  const std::size_t size = dof_ + count_;
  std::ranges::fill(matrix_, 0.0);
  for (std::size_t i = 0; i < dof_; ++i) {
    for (std::size_t j = 0; j < dof_; ++j) matrix_[i * size + j] = found[i * dof_ + j];
    for (std::size_t k = 0; k < count_; ++k) {
      const std::size_t row = dof_ * dof_ + k * dof_ + i;
      matrix_[(dof_ + k) * size + i] = found[row];
      matrix_[i * size + dof_ + k] = found[has_own_reactions_ ? row + count_ * dof_ : row];
    }
  }
  // Units of coordinates and constraints make rows of any size.
  for (std::size_t i = 0; i < size; ++i) {
    const std::span<double> row(matrix_.data() + i * size, size);
    double largest = 0.0;
    for (const double entry : row) largest = numeric::larger(largest, std::fabs(entry));
    if (largest == 0.0) continue;
    for (double& entry : row) entry /= largest;
  }
  const auto [sign, ratio] = determinant(matrix_, size, pivots_);
  const bool is_lost = ratio < singular_below || (sign_before_ != 0.0 && sign != sign_before_);
  // Dependent constraints make these equations singular, too.
  if (is_lost && !dependent_constraints_) singular_mass_ = t;
  sign_before_ = sign;
}

}  // namespace dalembert
