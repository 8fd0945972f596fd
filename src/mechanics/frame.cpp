#include "dalembert/mechanics/frame.hpp"

#include <algorithm>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "mechanics/frame/null_vectors.hpp"

namespace dalembert {
namespace {

/// Applies the reflection 1 - 2 w w^T on rows k.. of every column.
void reflect(Matrix& r, const Vector& w, std::size_t k) {
  for (std::size_t j = 0; j < r.columns(); ++j) {
    Expr product = 0.0;
    for (std::size_t i = k; i < r.rows(); ++i) product += w[i] * r(i, j);
    for (std::size_t i = k; i < r.rows(); ++i) r(i, j) -= 2.0 * product * w[i];
  }
}

/// Householder QR of `tall` (n x m): the orthogonal factor Q, given the signs of the reflections,
/// or with the signs that avoid cancellation, which are then left in `signs`.
Matrix orthogonal_factor(Matrix tall, Vector& signs) {
  const std::size_t n = tall.rows(), m = tall.columns();
  const bool choose = signs.empty();
  std::vector<Vector> reflections;
  for (std::size_t k = 0; k < m; ++k) {
    Expr length = 0.0;
    for (std::size_t i = k; i < n; ++i) length += square(tall(i, k));
    length = sqrt(length);
    if (choose) signs.push_back(sign(tall(k, k)));
    Vector w = zeros(n);
    for (std::size_t i = k; i < n; ++i) w[i] = tall(i, k);
    w[k] += signs[k] * length;
    Expr norm = 0.0;
    for (std::size_t i = k; i < n; ++i) norm += square(w[i]);
    norm = sqrt(norm);
    for (std::size_t i = k; i < n; ++i) w[i] = w[i] / norm;
    reflect(tall, w, k);
    reflections.push_back(w);
  }
  // Q = H_1 ... H_m: apply the reflections to the identity, the last one first.
  Matrix q = Matrix::identity(n);
  for (std::size_t k = m; k-- > 0;) reflect(q, reflections[k], k);
  return q;
}

/// The signs of the reflections at a point.
Vector qr_signs(const System& system, const Vector& reference) {
  Vector signs;
  orthogonal_factor(transpose(system.constraint_matrix(reference)), signs);
  return signs;
}

Matrix qr_frame(const System& system, const Vector& at, Vector signs) {
  const std::size_t n = system.dof(), m = system.constraint_count();
  const Matrix q = orthogonal_factor(transpose(system.constraint_matrix(at)), signs);
  Matrix frame(n, n - m);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t a = 0; a < n - m; ++a) frame(i, a) = q(i, m + a);
  }
  return frame;
}

Matrix given_frame(const System& system, const Vector& at) {
  const auto& fields = system.mechanics().frame;
  Matrix frame(system.dof(), fields.size());
  for (std::size_t a = 0; a < fields.size(); ++a) {
    const Vector field = system.traits().has_groups
                             ? system.at(fields[a], at, zeros(system.velocity_count()), Expr(0.0))
                             : fields[a];
    for (std::size_t i = 0; i < system.dof(); ++i) frame(i, a) = field[i];
  }
  return frame;
}

/// Columns of A whose square block can be solved with pivots that are never zero; empty if there
/// are none.
std::vector<std::size_t> dependent_velocities(const Matrix& constraint) {
  Matrix a = constraint;
  std::vector<std::size_t> chosen;
  for (std::size_t row = 0; row < a.rows(); ++row) {
    std::size_t pivot = a.columns();
    for (std::size_t j = 0; j < a.columns(); ++j) {
      const bool better =
          pivot == a.columns() || (a(row, j).is_constant() && !a(row, pivot).is_constant());
      if (a(row, j).facts().nonzero && better) pivot = j;
    }
    if (pivot == a.columns()) return {};
    chosen.push_back(pivot);
    for (std::size_t below = row + 1; below < a.rows(); ++below) {
      const Expr factor = a(below, pivot) / a(row, pivot);
      for (std::size_t j = 0; j < a.columns(); ++j) a(below, j) -= factor * a(row, j);
    }
  }
  return chosen;
}

Matrix adapted_frame(const System& system, const Vector& at) {
  const std::size_t n = system.dof(), m = system.constraint_count();
  const Matrix a = system.constraint_matrix(at);
  const std::vector<std::size_t> dependent = dependent_velocities(a);
  std::vector<std::size_t> free;
  for (std::size_t j = 0; j < n; ++j) {
    if (std::find(dependent.begin(), dependent.end(), j) == dependent.end()) free.push_back(j);
  }
  Matrix square_block(m, m), rest(m, n - m), frame(n, n - m);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t j = 0; j < m; ++j) square_block(k, j) = a(k, dependent[j]);
    for (std::size_t j = 0; j < n - m; ++j) rest(k, j) = -a(k, free[j]);
  }
  const Matrix connection = solve_linear(square_block, rest);
  for (std::size_t j = 0; j < n - m; ++j) {
    frame(free[j], j) = 1.0;
    for (std::size_t k = 0; k < m; ++k) frame(dependent[k], j) = connection(k, j);
  }
  return frame;
}

bool is_multiple_of_identity(const Matrix& mass) {
  for (std::size_t i = 0; i < mass.rows(); ++i) {
    for (std::size_t j = 0; j < mass.columns(); ++j) {
      if (i == j ? !same(mass(i, i), mass(0, 0)) : !mass(i, j).is_constant(0.0)) return false;
    }
  }
  return true;
}

}  // namespace

FrameKind frame_kind(const std::string& name) {
  if (name == "given") return FrameKind::given;
  if (name == "qr") return FrameKind::qr;
  if (name == "adapted") return FrameKind::adapted;
  if (name == "sparse") return FrameKind::sparse;
  if (name == "automatic") return FrameKind::automatic;
  throw RequestError("there is no frame \"" + name + "\"");
}

std::optional<std::string> Frame::misfit(const System& system, FrameKind kind) {
  const std::string which = "system \"" + system.name() + "\" ";
  if (system.traits().constraints > ConstraintKind::linear)
    return which + "has constraints that are not linear in the velocities";
  const Symbols s = system.symbols();
  const Matrix a = system.constraint_matrix(s.q);
  for (const Expr& entry : a.entries()) {
    if (depends_on(entry, {s.t}))
      return which + "has constraints that change with time, so that a frame would have to, too";
  }
  if (kind == FrameKind::given && system.constraint_count() > 0 &&
      system.mechanics().frame.empty()) {
    return which + "supplies no frame of its constraint distribution; use frame = \"sparse\"";
  }
  if (kind == FrameKind::adapted && dependent_velocities(a).size() != system.constraint_count()) {
    return which + "has no velocities that the constraints give everywhere; use the frame sparse";
  }
  return std::nullopt;
}

/// An orthonormal frame makes the metric of masses that are all the same a constant, and errors of
/// steps with balls on groups ten times smaller. Elsewhere it only makes terms.
FrameKind kind_for(const System& system, FrameKind kind) {
  if (kind != FrameKind::automatic) return kind;
  const bool is_uniform = system.traits().lagrangian != LagrangianKind::general &&
                          is_multiple_of_identity(system.mass(system.symbols().q));
  if (is_uniform || system.traits().has_groups) return FrameKind::qr;
  return FrameKind::sparse;
}

Frame::Frame(const System& system, FrameKind kind, const Vector& reference)
    : system_(system), kind_(kind_for(system, kind)) {
  if (const auto reason = misfit(system, kind)) throw RequestError(*reason);
  base_variables_ = system.symbols(reference).q;
  if (system.constraint_count() == 0) {
    base_ = Matrix::identity(system.dof());
  } else if (kind_ == FrameKind::qr) {
    // The signs get symbols of their own: the reference may be written in the system's coordinates,
    // and must not follow when q moves.
    signs_ = qr_signs(system, reference);
    Vector symbols;
    for (std::size_t k = 0; k < signs_.size(); ++k) {
      symbols.push_back(make_symbol(base_variables_.front().graph(), "sign", {.nonzero = true}));
    }
    base_ = qr_frame(system, base_variables_, symbols);
    base_variables_ = concatenate({base_variables_, symbols});
  } else if (kind_ == FrameKind::sparse) {
    const NullVectors found =
        null_vectors(system.constraint_matrix(base_variables_), base_variables_.front().graph());
    base_ = found.basis;
    inverse_ = found.inverse;
    const Vector q = base_variables_;
    base_variables_ = concatenate({q, found.signs});
    for (std::size_t k = 0; k < found.switches.size(); ++k) {
      const Vector known = concatenate({q, slice(found.signs, 0, k)}),
                   values = concatenate({reference, signs_});
      signs_.push_back(sign(substitute(found.switches[k], known, values)));
    }
  } else {
    base_ = kind_ == FrameKind::given ? given_frame(system, base_variables_)
                                      : adapted_frame(system, base_variables_);
  }
}

Vector Frame::base_values(const Vector& q) const { return concatenate({q, signs_}); }

Matrix Frame::at(const Vector& q) const {
  return substitute(base_, base_variables_, base_values(q));
}

Matrix Frame::metric(const Vector& q) const {
  const Matrix mass = system_.mass(q);
  if ((kind_ == FrameKind::qr || system_.constraint_count() == 0) &&
      is_multiple_of_identity(mass)) {
    return mass(0, 0) * Matrix::identity(size());
  }
  const Matrix x = at(q);
  return transpose(x) * (mass * x);
}

Vector Frame::components_of_momentum(const Vector& q, const Vector& rho) const {
  return solve_linear(metric(q), rho);
}

Vector Frame::components(const Vector& q, const Vector& v) const {
  if (!inverse_.entries().empty()) return substitute(inverse_, base_variables_, base_values(q)) * v;
  const Vector p = system_.mass(q) * v;
  return components_of_momentum(q, transpose(at(q)) * p);
}

Matrix Frame::derivative_along(const Vector& q, const Vector& direction,
                               const Expr& increment) const {
  Matrix result(system_.dof(), size());
  for (std::size_t a = 0; a < size(); ++a) {
    const Vector column = derivative_of_column(a, q, direction, increment);
    for (std::size_t i = 0; i < system_.dof(); ++i) result(i, a) = column[i];
  }
  return result;
}

Vector Frame::derivative_of_column(std::size_t column, const Vector& q, const Vector& direction,
                                   const Expr& increment) const {
  const Vector base_q = slice(base_variables_, 0, system_.storage_count());
  const Vector field = base_.column(column);
  if (increment.is_constant(0.0)) {
    const Matrix slopes = substitute(jacobian(field, base_q), base_variables_, base_values(q));
    return slopes * system_.configuration().storage_rate(q, direction);
  }
  Vector sum = zeros(system_.dof());
  for (std::size_t i = 0; i < base_q.size(); ++i) {
    Vector forward = q, backward = q;
    forward[i] += increment;
    backward[i] -= increment;
    const Vector behind = substitute(field, base_variables_, base_values(backward));
    const Vector difference = substitute(field, base_variables_, base_values(forward)) - behind;
    sum = sum + (direction[i] / (2.0 * increment)) * difference;
  }
  return sum;
}

Matrix Frame::bracket(const Vector& q, const Vector& p, const Expr& increment) const {
  const Matrix x = at(q);
  Matrix result(size(), size());
  for (std::size_t a = 0; a < size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const Expr back = dot(derivative_of_column(b, q, x.column(a), increment), p);
      result(a, b) = dot(derivative_of_column(a, q, x.column(b), increment), p) - back;
      // Left-invariant fields do not commute: p.[X_a, X_b] of the algebra.
      if (system_.traits().has_groups)
        result(a, b) -=
            dot(system_.configuration().infinitesimal_coadjoint(x.column(a), p), x.column(b));
      result(b, a) = -result(a, b);
    }
  }
  return result;
}

}  // namespace dalembert
