#include "frame_pieces.hpp"

#include <algorithm>
#include <string>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/difference/discrete_gradient.hpp"
#include "generic_points.hpp"
#include "mechanics/new_symbols.hpp"

namespace dalembert {
namespace {

/// The columns of a matrix made orthonormal in a metric, one after the other.
Matrix orthonormal(const Matrix& columns, const Matrix& metric, const GenericPoints& points) {
  Matrix result(columns.rows(), columns.columns());
  std::vector<Vector> unit;
  for (std::size_t a = 0; a < columns.columns(); ++a) {
    Vector field = columns.column(a);
    const Vector momentum = metric * field;
    Vector parts;
    for (const Vector& other : unit) parts.push_back(dot(other, momentum));
    parts = points.simplified(parts);
    for (std::size_t b = 0; b < unit.size(); ++b) field = field - parts[b] * unit[b];
    const Vector weighted = metric * field;
    const Expr square = points.simplified({dot(field, weighted)}).front();
    if (!points.vanishing({square - 1.0}).front()) {
      const Expr length = sqrt(square);
      for (Expr& entry : field) entry = entry / length;
    }
    unit.push_back(field);
    for (std::size_t i = 0; i < field.size(); ++i) result(i, a) = field[i];
  }
  return result;
}

bool all_zero(const Vector& entries) {
  return std::ranges::all_of(entries, [](const Expr& entry) { return entry.is_constant(0.0); });
}

/// tanh(x)/x.
Expr tanhc(const Expr& x) {
  const Expr cosine = cosh(x);
  return sinhc(x) / cosine;
}

}  // namespace

FramePieces::FramePieces(const System& system, FrameKind kind, const Vector& reference)
    : system_(system),
      position_(new_symbols(system.symbols(reference).t.graph(), "q", system.dof())) {
  const Matrix metric = system.mass(position_);
  // The signs of a QR frame are those at the reference; what vanishes does so for either sign.
  const Frame frame(system, kind, reference);
  const GenericPoints points(system, reference, position_);
  fields_ = orthonormal(frame.at(position_), metric, points);
  for (std::size_t a = 0; a < count(); ++a)
    slopes_.push_back(jacobian(fields_.column(a), position_));
  for (std::size_t a = 0; a < count(); ++a) {
    const std::vector<bool> stands = points.vanishing(slopes_[a] * fields_.column(a));
    straight_.push_back(std::ranges::all_of(stands, [](bool zero) { return zero; }));
    brackets_.emplace_back();
    for (std::size_t b = a + 1; b < count(); ++b)
      brackets_[a].push_back(points.simplified(bracket(a, b)));
  }
}

Vector FramePieces::momenta(const Vector& q, const Vector& v) const {
  const Vector p = system_.mass(q) * v;
  return transpose(substitute(fields_, position_, q)) * p;
}

Vector FramePieces::velocity(const State& before, const Vector& rho_before, const Vector& q,
                             const Vector& rho) const {
  // As a change: X^T M X is one to round-off only, and by the same factor in every step.
  const Vector start = substitute(fields_, position_, before.q) * rho_before;
  const Vector change = substitute(fields_, position_, q) * rho - start;
  // What round-off has left of the velocity that is not in D goes.
  const Vector rest = before.v - start;
  const Vector parts = momenta(before.q, rest);
  const Vector within = substitute(fields_, position_, before.q) * parts;
  return before.v + (change - (rest - within));
}

Vector FramePieces::field(std::size_t a, const Vector& q) const {
  return substitute(fields_.column(a), position_, q);
}

Vector FramePieces::bracket(std::size_t a, std::size_t b) const {
  const Vector back = slopes_[b] * fields_.column(a);
  const Vector difference = slopes_[a] * fields_.column(b) - back;
  const Vector weighted = system_.mass(position_) * difference;
  return transpose(fields_) * weighted;
}

Equations FramePieces::move(std::size_t a, const State& before, Unknowns& unknowns,
                            const Expr& h) const {
  return straight_[a] ? straight_move(a, before, unknowns, h) : curved_move(a, before, unknowns, h);
}

Equations FramePieces::straight_move(std::size_t a, const State& before, Unknowns& unknowns,
                                     const Expr& h) const {
  const Vector direction = field(a, before.q);
  const Vector along = new_symbols(h.graph(), "along", 1);
  const Vector gradient = system_.potential_gradient(before.q + along[0] * direction);
  const Expr slope = dot(direction, gradient);
  const Expr path = h * before.v[a], weight = 0.5 * h * h;
  Vector zero;
  Expr d, pull;
  if (polynomial_degree(slope, along) <= 1) {
    const Expr curvature = jacobian({slope}, along)(0, 0);
    const Expr force = substitute(slope, along, {Expr(0.0)});
    const Expr stiffness = 1.0 + 0.5 * weight * curvature;
    d = (path - weight * force) / stiffness;
    pull = force + 0.5 * curvature * d;
  } else {
    d = unknowns.vector("d_" + std::to_string(a + 1), {path}).front();
    pull = segment_mean({slope}, along, {Expr(0.0)}, {d}).front();
    zero.push_back(d - path + weight * pull);
  }
  State after = before;
  after.q = before.q + d * direction;
  after.v[a] = before.v[a] - h * pull;
  return {.zero = zero, .constraint = {}, .after = after};
}

Equations FramePieces::curved_move(std::size_t a, const State& before, Unknowns& unknowns,
                                   const Expr& h) const {
  State after = before;
  const Vector start = before.q + h * (before.v[a] * field(a, before.q));
  after.q = unknowns.vector("q_" + std::to_string(a + 1), start);
  const Vector path = after.q - before.q;
  const Vector direction = field(a, before.q + 0.5 * path);
  const Vector slope = system_.potential_gradient(position_);
  const Vector mean = segment_mean(slope, position_, before.q, after.q);
  const Expr pull = dot(mean, direction);
  after.v[a] = before.v[a] - h * pull;
  const Expr d = h * (before.v[a] - 0.5 * h * pull);
  return {.zero = path - d * direction, .constraint = {}, .after = after};
}

bool FramePieces::turns(std::size_t a, std::size_t b) const {
  return !all_zero(brackets_[a][b - a - 1]);
}

Equations FramePieces::turn(std::size_t a, std::size_t b, const State& before,
                            const Expr& h) const {
  const Vector beta = substitute(brackets_[a][b - a - 1], position_, before.q);
  const Expr x = before.v[a], y = before.v[b];
  const Vector before_pair{x, y};
  // The half angle has the tangent k B/(1 + k P), where the flow of two momenta has k = tanh(|beta|
  // R h/2)/(|beta| R), R = |rho|. With other momenta k = h/2 is symmetric, too.
  Expr k = 0.5 * h;
  if (count() == 2) {
    const Expr size = dot(before_pair, before_pair);
    k = k * tanhc(k * sqrt(dot(beta, beta) * size));
  }
  const Expr across = beta[a] * y;
  const Expr bottom = 1.0 + k * (beta[b] * x - across);
  const Expr top = k * dot(beta, before.v);
  const Expr norm = dot({bottom, top}, {bottom, top}), scale = 2.0 * top / norm;
  const Expr turned_x = top * x, turned_y = top * y;
  State after = before;
  after.v[a] = x + scale * (bottom * y - turned_x);
  after.v[b] = y - scale * (bottom * x + turned_y);
  return {.zero = {}, .constraint = {}, .after = after};
}

}  // namespace dalembert
