#include "first_order_system.hpp"

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"

namespace dalembert {

FirstOrderSystem::FirstOrderSystem(const System& system, EliminatedCoordinates coordinates,
                                   const State& start)
    : system_(system), start_(start) {
  if (coordinates != EliminatedCoordinates::full) {
    const bool supplied =
        coordinates == EliminatedCoordinates::quasi_velocity && !system.mechanics().frame.empty();
    const FrameKind kind = coordinates == EliminatedCoordinates::adapted ? FrameKind::adapted
                           : supplied                                    ? FrameKind::given
                                                                         : FrameKind::automatic;
    frame_.emplace(system, kind, start.q);
  }
}

Vector FirstOrderSystem::velocity_coordinates() const {
  return frame_ ? frame_->components(start_.q, start_.v) : start_.v;
}

Vector FirstOrderSystem::velocity(const Vector& q, const Vector& y) const {
  if (system_.is_skew_gradient()) {
    const Vector zeta = system_.symbols(q).q;
    const Vector slope = gradient(system_.energy(zeta, {}), zeta);
    const Vector slope_here = substitute(slope, zeta, q);
    return system_.structure(q) * slope_here;
  }
  return frame_ ? frame_->at(q) * y : y;
}

Vector FirstOrderSystem::rate(const Vector& q, const Vector& y, const Expr& t) const {
  if (system_.is_skew_gradient()) return {};
  if (!frame_) return system_.eliminated(q, y, t).acceleration;
  const Vector force = frame_residual(q, y, t, zeros(y.size()), -1.0);
  return solve_linear(metric(q, y), force);
}

Vector FirstOrderSystem::residual(const Vector& q, const Vector& y, const Expr& t,
                                  const Vector& rate, const Vector& lambda) const {
  if (system_.is_skew_gradient()) return {};
  if (!frame_) return system_.motion_residual(q, y, t, rate, lambda);
  return frame_residual(q, y, t, rate, 1.0);
}

Matrix FirstOrderSystem::metric(const Vector& q, const Vector& y) const {
  if (system_.traits().lagrangian != LagrangianKind::general) return frame_->metric(q);
  const Matrix x = frame_->at(q);
  return transpose(x) * (system_.mass(q, x * y) * x);
}

Vector FirstOrderSystem::frame_residual(const Vector& q, const Vector& y, const Expr& t,
                                        const Vector& rate, double sign) const {
  const Matrix x = frame_->at(q);
  const Vector v = x * y;
  const Vector turning = frame_->derivative_along(q, v) * y;
  const Vector acceleration = x * rate + turning;
  const Vector none = zeros(system_.constraint_count());
  const Vector free = slice(system_.motion_residual(q, v, t, acceleration, none), 0, system_.dof());
  return Expr(sign) * (transpose(x) * free);
}

}  // namespace dalembert
