#include "null_vectors.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "dalembert/error.hpp"

namespace dalembert {
namespace {

/// A product, taken apart.
struct Factors {
  Vector others;
  std::optional<Expr> wave;  ///< sine or cosine among the factors, if there is one
  bool is_sine = false;
};

Factors factors_of(const Expr& product) {
  Factors result;
  Vector stack{product};
  while (!stack.empty()) {
    const Expr factor = stack.back();
    stack.pop_back();
    if (factor.is(Operation::negate)) {
      stack.push_back(factor.first());
    } else if (factor.is(Operation::multiply)) {
      stack.push_back(factor.second());
      stack.push_back(factor.first());
    } else if (!result.wave && (factor.is(Operation::sin) || factor.is(Operation::cos))) {
      result.wave = factor.first();
      result.is_sine = factor.is(Operation::sin);
    } else {
      result.others.push_back(factor);
    }
  }
  return result;
}

/// f^2 for f sin(u) and f cos(u) with either sign, if f is never zero.
std::optional<Expr> sum_of_squares(const Expr& x, const Expr& y) {
  if (x.is_constant() || y.is_constant()) return std::nullopt;
  const Factors left = factors_of(x), right = factors_of(y);
  if (!left.wave || !right.wave || left.is_sine == right.is_sine ||
      !same(*left.wave, *right.wave) || left.others.size() != right.others.size())
    return std::nullopt;
  Expr result = 1.0;
  for (std::size_t i = 0; i < left.others.size(); ++i) {
    const Expr& factor = left.others[i];
    const Expr& other = right.others[i];
    if (!(same(factor, other) || same(factor, -other)) || !factor.facts().nonzero)
      return std::nullopt;
    result *= square(factor);
  }
  return result;
}

bool is_zero(const Expr& entry) { return entry.is_constant(0.0); }

/// Way to the null vectors of one row; in this order where rows have as many entries.
enum class Way { none, pivot, pair, varying_pivot, wave, reflection };

struct Plan {
  Way way = Way::none;
  std::size_t first = 0, second = 0;  ///< entries of the pivot or the pair
  Expr squares = 0.0;                 ///< of a wave
};

Plan plan_of(const Vector& row) {
  std::vector<std::size_t> entries;
  for (std::size_t j = 0; j < row.size(); ++j)
    if (!is_zero(row[j])) entries.push_back(j);
  if (entries.empty()) return {};
  const auto pivot = [&](bool steady) {
    return std::ranges::find_if(entries, [&](std::size_t j) {
      return row[j].facts().nonzero && (row[j].is_steady() || !steady);
    });
  };
  if (entries.size() == 1) return {Way::pivot, entries.front()};
  if (const auto steady = pivot(true); steady != entries.end()) return {Way::pivot, *steady};
  if (entries.size() == 2) return {Way::pair, entries[0], entries[1]};
  if (const auto any = pivot(false); any != entries.end()) return {Way::varying_pivot, *any};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (std::size_t j = i + 1; j < entries.size(); ++j) {
      if (const auto squares = sum_of_squares(row[entries[i]], row[entries[j]]))
        return {Way::wave, entries[i], entries[j], *squares};
    }
  }
  return {Way::reflection, entries.front()};
}

/// Elimination of rows: what is known of the null vectors of those before.
class Elimination {
 public:
  Elimination(std::size_t size, GraphPointer graph)
      : graph_(std::move(graph)), found_{Matrix::identity(size), Matrix::identity(size), {}, {}} {}

  Vector reduced(const Vector& row) const {
    const Matrix& basis = found_.basis;
    std::vector<std::size_t> entries;
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!is_zero(row[i])) entries.push_back(i);
    Vector result(basis.columns(), Expr(0.0));
    for (std::size_t j = 0; j < basis.columns(); ++j)
      for (const std::size_t i : entries)
        if (!is_zero(basis(i, j))) result[j] += row[i] * basis(i, j);
    return result;
  }

  /// Eliminates another row, which is reduced.
  void eliminate(const Vector& row, const Plan& plan) {
    if (plan.way == Way::none)
      throw RequestError("constraints that follow from others have no frame of their own");
    const std::size_t size = row.size();
    // Null vectors of the reduced row, and what takes them back.
    Matrix basis(size, size - 1), inverse(size - 1, size);
    if (plan.way == Way::reflection) {
      reflect(row, plan.first, basis, inverse);
    } else {
      const bool by_pair = plan.way == Way::pair || plan.way == Way::wave;
      std::size_t column = 0;
      for (std::size_t j = 0; j < size; ++j) {
        if (j == plan.first) continue;
        if (by_pair && j == plan.second) {
          add_pair(row, plan, column, basis, inverse);
        } else {
          basis(j, column) = inverse(column, j) = 1.0;
          if (by_pair)
            add_along_pair(row, plan, j, column, basis);
          else
            basis(plan.first, column) = -(row[j] / row[plan.first]);
        }
        ++column;
      }
    }
    found_.basis = found_.basis * basis;
    found_.inverse = inverse * found_.inverse;
  }

  NullVectors found() && { return std::move(found_); }

 private:
  static Expr squares_of(const Vector& row, const Plan& plan) {
    if (plan.way == Way::wave) return plan.squares;
    if (const auto squares = sum_of_squares(row[plan.first], row[plan.second])) return *squares;
    return square(row[plan.first]) + square(row[plan.second]);
  }

  /// The vector (b, -a) of the entries (a, b), of length one: a length that varied would be an
  /// error of steps.
  static void add_pair(const Vector& row, const Plan& plan, std::size_t column, Matrix& basis,
                       Matrix& inverse) {
    const Expr length = sqrt(squares_of(row, plan)), a = row[plan.first] / length,
               b = row[plan.second] / length;
    basis(plan.first, column) = inverse(column, plan.first) = b;
    basis(plan.second, column) = inverse(column, plan.second) = -a;
  }

  /// Adds the part of another velocity along (a, b).
  static void add_along_pair(const Vector& row, const Plan& plan, std::size_t j, std::size_t column,
                             Matrix& basis) {
    if (is_zero(row[j])) return;
    const Expr share = row[j] / plan.squares;
    basis(plan.first, column) = -(share * row[plan.first]);
    basis(plan.second, column) = -(share * row[plan.second]);
  }

  /// Columns of the reflection that takes the row to an axis, but the one of this axis.
  void reflect(const Vector& row, std::size_t axis, Matrix& basis, Matrix& inverse) {
    Expr length = sqrt(dot(row, row));
    const Expr sign =
        make_symbol(graph_, "sign", {.nonzero = true, .nonnegative = false, .nonpositive = false});
    found_.signs.push_back(sign);
    found_.switches.push_back(row[axis]);
    Vector normal = row;
    normal[axis] += sign * length;
    const Expr squares = dot(normal, normal);
    std::size_t column = 0;
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (j == axis) continue;
      const Expr share = is_zero(normal[j]) ? Expr(0.0) : 2.0 * normal[j] / squares;
      for (std::size_t i = 0; i < row.size(); ++i) {
        basis(i, column) = Expr(i == j ? 1.0 : 0.0) - share * normal[i];
        inverse(column, i) = basis(i, column);
      }
      ++column;
    }
  }

  GraphPointer graph_;
  NullVectors found_;
};

}  // namespace

NullVectors null_vectors(const Matrix& a, const GraphPointer& graph) {
  Elimination elimination(a.columns(), graph);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < a.rows(); ++i) rows.push_back(i);
  while (!rows.empty()) {
    std::optional<std::tuple<bool, std::size_t, Way>> best;
    std::size_t chosen = 0;
    Vector row;
    Plan plan;
    for (const std::size_t i : rows) {
      Vector reduced = elimination.reduced(a.row(i));
      const Plan here = plan_of(reduced);
      const auto entries = reduced.size() - static_cast<std::size_t>(std::count_if(
                                                reduced.begin(), reduced.end(), is_zero));
      const std::tuple cost{here.way == Way::reflection, entries, here.way};
      if (best && cost >= *best) continue;
      best = cost;
      chosen = i;
      row = std::move(reduced);
      plan = here;
    }
    elimination.eliminate(row, plan);
    std::erase(rows, chosen);
  }
  return std::move(elimination).found();
}

}  // namespace dalembert
