#include "step_on_frame.hpp"

#include <algorithm>
#include <utility>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/difference/exact_change.hpp"
#include "mechanics/new_symbols.hpp"
#include "reduced_system.hpp"

namespace dalembert {
namespace {

/// Unknowns beyond which a matrix of all is more work than the sweeps that it saves.
constexpr std::size_t most_joined = 16;

/// The order in which positions move: first those that move by what is known, then unknowns, then
/// the others.
struct MovingOrder {
  std::vector<std::size_t> first, unknown, last;
};

MovingOrder moving_order(const Matrix& frame, const Vector& q) {
  const std::size_t n = q.size();
  std::vector<std::vector<bool>> needs(n, std::vector<bool>(n, false));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t a = 0; a < frame.columns(); ++a) {
      const std::vector<bool> here = dependencies(frame(i, a), q);
      for (std::size_t j = 0; j < n; ++j) needs[i][j] = needs[i][j] || here[j];
    }
  }
  MovingOrder order;
  std::vector<bool> is_known(n, false);
  for (bool finds = true; finds;) {
    finds = false;
    for (std::size_t i = 0; i < n; ++i) {
      bool is_next = !is_known[i];
      for (std::size_t j = 0; j < n; ++j) is_next = is_next && (!needs[i][j] || is_known[j]);
      if (!is_next) continue;
      order.first.push_back(i);
      is_known[i] = finds = true;
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (is_known[j]) continue;
    const bool is_needed = std::ranges::any_of(needs, [&](const auto& row) { return row[j]; });
    (is_needed ? order.unknown : order.last).push_back(j);
  }
  return order;
}

}  // namespace

StepOnFrame::StepOnFrame(const System& system, FrameKind kind, const State& before, Expr h)
    : system_(system), before_(before), h_(std::move(h)), frame_(system, kind, before.q) {
  y0_ = frame_.components(before.q, before.v);
  const Vector p0 = system.mass(before.q) * before.v;
  rho0_ = transpose(frame_.at(before.q)) * p0;
}

void StepOnFrame::move(const Vector& y, Unknowns& unknowns) {
  const Vector symbols = new_symbols(h_.graph(), "q", system_.dof());
  const Matrix frame = frame_.at(symbols);
  const MovingOrder order = moving_order(frame, symbols);
  Vector mean = zeros(system_.dof());
  middle_ = before_.q;
  const auto moves = [&](std::size_t i, const Expr& rate) {
    mean[i] = rate;
    middle_[i] = before_.q[i] + 0.5 * h_ * rate;
  };
  const auto along = [&](std::size_t i) {
    return substitute(dot(frame.row(i), y), symbols, middle_);
  };
  implicit_ = order.unknown;
  for (const std::size_t i : order.first) moves(i, along(i));
  if (!order.unknown.empty()) {
    Vector guess;
    for (const std::size_t i : order.unknown) guess.push_back(before_.v[i]);
    const Vector path = unknowns.vector("mean_velocity", guess);
    for (std::size_t k = 0; k < path.size(); ++k) moves(order.unknown[k], path[k]);
  }
  for (const std::size_t i : order.last) moves(i, along(i));
  for (const std::size_t i : order.unknown) residual_.push_back(mean[i] - along(i));
  velocity_ = frame_.at(middle_) * y;
  momentum_ = system_.mass(middle_) * velocity_;
  path_ = h_ * mean;
}

Vector StepOnFrame::reduced(const Vector& covector) const {
  return transpose(frame_.at(middle_)) * covector;
}

Vector StepOnFrame::force() const {
  const Matrix turning = frame_.derivative_along(middle_, velocity_);
  const Vector by_frame = transpose(turning) * momentum_;
  return by_frame + reduced(system_.lagrangian_gradient(middle_, velocity_));
}

SecantIteration StepOnFrame::secant() const {
  const std::size_t k = y0_.size();
  const Matrix metric = frame_.metric(before_.q), mass = system_.mass(before_.q);
  SecantIteration result{solve_linear(metric, Matrix::identity(k)), {}};
  for (std::size_t a = 0; a < k; ++a) result.weights.push_back(metric(a, a));
  if (k + implicit_.size() > most_joined) return result;
  Matrix joined = Matrix::identity(k + implicit_.size());
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) joined(i, j) = result.inverse(i, j);
  }
  result.inverse = std::move(joined);
  for (const std::size_t i : implicit_) result.weights.push_back(mass(i, i));
  return result;
}

Equations bilinear_step(const System& s, FrameKind kind, const State& a, Unknowns& u,
                        const Expr& h) {
  StepOnFrame step(s, kind, a, h);
  const Frame& frame = step.frame();
  const Vector &y0 = step.components(), &rho0 = step.momenta();
  const Vector y1 = u.vector("y", y0), dy = y1 - y0, y = y0 + 0.5 * dy;
  step.move(y, u);
  // d(dy.G dy)/dq along X, dy held.
  const Vector symbols = new_symbols(h.graph(), "q", s.dof()),
               held = new_symbols(h.graph(), "dy", dy.size());
  const Vector change = frame.at(symbols) * held;
  const Expr stretch = 0.25 * dot(change, s.mass(symbols) * change);
  const Vector by_change =
      substitute(gradient(0.5 * stretch, symbols), concatenate({symbols, held}),
                 concatenate({step.middle(), dy}));
  const Vector force = step.force() - step.reduced(by_change);
  const Vector potential{s.potential(symbols)}, &dq = step.path();
  const Expr by_potential = exact_change(potential, symbols, a.q, dq)[0];
  // Changes by terms that are as small: what is left of the energy would add up.
  const Matrix dx = exact_change(frame.at(symbols), symbols, a.q, dq),
               dm = exact_change(s.mass(symbols), symbols, a.q, dq), x0 = frame.at(a.q),
               m0 = s.mass(a.q);
  const Vector along = x0 * dy, dv = dx * y1 + along, v1 = a.v + dv, heavier = dm * v1,
               dp = m0 * dv + heavier, p0 = m0 * a.v, turned = transpose(dx) * (p0 + dp),
               drho = transpose(x0) * dp + turned;
  const Expr by_momenta = dot(y0, drho),
             missing = 0.5 * (dot(dy, rho0) - by_momenta) + by_potential;
  const Vector direction = step.reduced(step.momentum());
  const Expr work = h * dot(y, force), size = dot(y, direction) + 1e-300,
             quotient = (missing + work) / size;
  const Vector kick = h * force, correction = quotient * direction;
  const ReducedSystem reduced(s, kind, a.q);
  const Vector before = concatenate({a.q, rho0}), whole = concatenate({dq, drho});
  return {.zero = concatenate({drho - kick + correction, step.path_residual()}),
          .constraint = {},
          .after = {a.q + dq, frame.at(a.q + dq) * y1},
          .velocity_change = dv,
          .velocity_rest = reduced.velocity_rest(before, whole, a.v, dv),
          .secant = step.secant()};
}

}  // namespace dalembert
