#pragma once

#include <optional>
#include <string>

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// Kind of basis of the constraint distribution D.
enum class FrameKind {
  given,    ///< the vector fields of the problem
  qr,       ///< the last columns of Q in a Householder QR factorization of A^T: orthonormal
  adapted,  ///< an Ehresmann connection: some velocities free, the others given by the constraints
  /// Null vectors of one constraint after the other, with few terms: adapted where a velocity is
  /// given everywhere, else a turned pair of velocities, or a reflection as in qr.
  sparse,
  automatic,  ///< qr where the mass is a multiple of the identity and on groups, else sparse
};

/// The kind of that name in studies: given, qr, adapted, sparse, automatic.
FrameKind frame_kind(const std::string& name);

/// A frame X(q) of D, n x (n - m), with A(q) X(q) = 0, and what follows from it on D*: the momenta
/// rho = X^T p, the metric G = X^T M X, and the bracket. Linear constraints only. Source:
/// [Celledoni2019], Sect. 2 and Algorithm 1; [JimenezScheurle2015], Eq. (46) for the adapted kind.
class Frame {
 public:
  /// The signs of the Householder vectors are those at `reference` (expressions): fixed while q
  /// varies, so that X is smooth. Throws RequestError if the system has no frame of that
  /// kind.
  Frame(const System& system, FrameKind kind, const Vector& reference);

  /// Reason for which a system has no frame of that kind; nothing if it has one.
  static std::optional<std::string> misfit(const System& system, FrameKind kind);

  /// Dimension n - m of D.
  std::size_t size() const { return system_.dof() - system_.constraint_count(); }
  /// X(q).
  Matrix at(const Vector& q) const;
  /// G(q) = X^T M X; the multiple of the identity that it is for an orthonormal frame and M = c I.
  Matrix metric(const Vector& q) const;
  /// y with X y = v for v in D: G^-1 X^T M v, or Y v with Y X = 1 of a sparse frame.
  Vector components(const Vector& q, const Vector& v) const;
  /// y = G^-1 rho.
  Vector components_of_momentum(const Vector& q, const Vector& rho) const;
  /// The derivative of X along `direction`, n x (n - m); by central differences in every coordinate
  /// with the given increment if not zero.
  Matrix derivative_along(const Vector& q, const Vector& direction,
                          const Expr& increment = 0.0) const;
  /// B_ab = sum (dX_a^j/dq^i X_b^i - dX_b^j/dq^i X_a^i) p_j = -p.[X_a, X_b] at q; on groups the
  /// derivatives are left-invariant, and the bracket of the algebra is part of it. Central
  /// differences with the given increment if not zero.
  Matrix bracket(const Vector& q, const Vector& p, const Expr& increment) const;

 private:
  Vector base_values(const Vector& q) const;
  Vector derivative_of_column(std::size_t column, const Vector& q, const Vector& direction,
                              const Expr& increment) const;

  System system_;
  FrameKind kind_;
  Matrix base_;                    // X in the system's own coordinates and symbols for the signs
  Matrix inverse_;                 // Y with Y X = 1 in the same; empty but for sparse frames
  Vector base_variables_, signs_;  // those symbols; the signs at the reference
};

}  // namespace dalembert
