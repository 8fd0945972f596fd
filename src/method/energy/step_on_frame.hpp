#pragma once
// Steps on D whose unknowns are velocities. Only for the sources of this room.

#include <vector>

#include "dalembert/mechanics/frame.hpp"
#include "dalembert/method/equations.hpp"

namespace dalembert {

/// A step along a frame X of D by q1 = q0 + h X(qm) y, qm the middle of q0 and q1, in the unknown y
/// or what it follows from. Where X at the middle depends on positions that it moves itself, the
/// mean velocities of these are unknowns, too.
class StepOnFrame {
 public:
  StepOnFrame(const System& system, FrameKind kind, const State& before, Expr h);

  /// Components of the velocity before the step, and its momenta X^T M v.
  const Vector& components() const { return y0_; }
  const Vector& momenta() const { return rho0_; }
  /// Start of Broyden's method for rho1 and the residual of the path: G(q0)^-1 for the components,
  /// and ones if the velocities that are unknowns are few enough to be joined.
  SecantIteration secant() const;

  /// Moves by the mean components y. What is asked below needs it.
  void move(const Vector& y, Unknowns& unknowns);
  /// Less X(qm) y: the mean velocities that are unknowns.
  const Vector& path_residual() const { return residual_; }
  const Vector& middle() const { return middle_; }
  const Vector& velocity() const { return velocity_; }
  const Vector& momentum() const { return momentum_; }  ///< M(qm) X(qm) y
  const Vector& path() const { return path_; }          ///< q1 - q0
  /// X(qm)^T of a covector.
  Vector reduced(const Vector& covector) const;
  /// The force at the middle, (dX_a[v]).p + X_a.dL/dq: rho' = dL/dq, reduced.
  Vector force() const;

  const Frame& frame() const { return frame_; }

 private:
  System system_;
  State before_;
  Expr h_;
  Frame frame_;
  Vector y0_, rho0_;
  std::vector<std::size_t> implicit_;  ///< positions whose mean velocities are unknowns
  Vector middle_, velocity_, momentum_, path_, residual_;
};

/// The step of the discrete gradient that takes the energy as the polynomial y.G(q) y/2 + V of the
/// components y of the velocity.
Equations bilinear_step(const System& system, FrameKind kind, const State& before,
                        Unknowns& unknowns, const Expr& h);

}  // namespace dalembert
