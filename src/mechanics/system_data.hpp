#pragma once
// What a system holds. Only for the sources of this room.

#include <memory>
#include <mutex>
#include <string>

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

struct System::Data {
  SystemDescription description;
  std::shared_ptr<Graph> graph;
  Symbols symbols;
  Mechanics mechanics;
  SystemTraits traits;
  Vector parameters;
  Expr lagrangian, potential;
  Vector momentum, lagrangian_gradient, potential_gradient;
  Vector constraints;                              // Phi, then dphi/dt
  Vector constraint_change;                        // dPhi/dq v + dPhi/dt
  Matrix mass, constraint_matrix, momentum_slope;  // slope: d(dL/dv)/dq
  Vector momentum_rate;                            // d(dL/dv)/dt at fixed q and v
  mutable std::recursive_mutex mutex;

  /// Everything that follows from a Lagrangian.
  void derive(const SystemDescription& about, const Mechanics& equations, const Symbols& s);
  void derive_constraints(const SystemDescription& about, const Mechanics& equations,
                          const Symbols& s);
  /// dL/dq + force - d/dt (dL/dv) without the part M v'.
  Vector driving_force(const Vector& q, const Vector& v, const Expr& t) const {
    const Vector external =
        mechanics.force.empty() ? zeros(symbols.q.size()) : at(mechanics.force, q, v, t);
    return at(lagrangian_gradient, q, v, t) + external - at(momentum_slope, q, v, t) * v -
           at(momentum_rate, q, v, t);
  }

  Vector at(const Vector& expressions, const Vector& q, const Vector& v, const Expr& t) const {
    return substitute(expressions, concatenate({symbols.q, symbols.v, Vector{symbols.t}}),
                      concatenate({q, v, Vector{t}}));
  }
  Matrix at(const Matrix& matrix, const Vector& q, const Vector& v, const Expr& t) const {
    Matrix result = matrix;
    result.entries() = at(matrix.entries(), q, v, t);
    return result;
  }
};

/// The matrix [M, -A^T; A, 0] of the equations for accelerations (or velocities) and multipliers.
Matrix saddle_point_matrix(const Matrix& mass, const Matrix& constraint);

}  // namespace dalembert
