#pragma once
// The pieces of frame-splitting. Only for the sources of this room.

#include <vector>

#include "dalembert/mechanics/frame.hpp"
#include "dalembert/method/equations.hpp"

namespace dalembert {

/// The maps of (q, rho) into which a system with linear constraints is split, the velocity being
/// v = X(q) rho in a frame X of D with X^T M X = 1. In their states v holds rho. Each keeps
/// rho.rho/2 + V(q).
class FramePieces {
 public:
  /// `reference`: positions, in the graph of the step, at which a QR frame takes its signs.
  FramePieces(const System& system, FrameKind kind, const Vector& reference);

  std::size_t count() const { return fields_.columns(); }
  Vector momenta(const Vector& q, const Vector& v) const;
  /// The velocity at q of a step from `before`, which started with the momenta `rho_before`.
  Vector velocity(const State& before, const Vector& rho_before, const Vector& q,
                  const Vector& rho) const;

  /// q1 = q0 + d X_a((q0 + q1)/2), rho_a' = rho_a - h [V(q1) - V(q0)]/d, d = h (rho_a + rho_a')/2.
  /// Explicit where X_a is constant along itself and V at most quadratic there.
  Equations move(std::size_t a, const State& before, Unknowns& unknowns, const Expr& h) const;
  /// Whether two momenta act on each other at all.
  bool turns(std::size_t a, std::size_t b) const;
  /// rho_a' = B rho_b, rho_b' = -B rho_a with B = sum_c beta_c rho_c and q fixed, explicitly: the
  /// flow if there are two momenta in all, else to order 2.
  Equations turn(std::size_t a, std::size_t b, const State& before, const Expr& h) const;

 private:
  Vector field(std::size_t a, const Vector& q) const;
  /// beta_c = X_c.M (dX_a X_b - dX_b X_a).
  Vector bracket(std::size_t a, std::size_t b) const;
  Equations straight_move(std::size_t a, const State& before, Unknowns& unknowns,
                          const Expr& h) const;
  Equations curved_move(std::size_t a, const State& before, Unknowns& unknowns,
                        const Expr& h) const;

  System system_;
  Vector position_;  // symbols in which fields, slopes and brackets are written
  Matrix fields_;
  std::vector<Matrix> slopes_;                 // their derivatives
  std::vector<bool> straight_;                 // whether X_a is constant along itself
  std::vector<std::vector<Vector>> brackets_;  // [a][b - a - 1]
};

}  // namespace dalembert
