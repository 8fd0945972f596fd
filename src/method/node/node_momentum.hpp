#pragma once
// Momenta of a discrete Lagrangian on groups. Only for the sources of this room.

#include <string>

#include "dalembert/mechanics/group/configuration.hpp"
#include "dalembert/method/equations.hpp"

namespace dalembert {

/// The momenta at two nodes of a discrete Lagrangian that is evaluated at g, with the velocity v
/// from the node g tau(-alpha h v) to the node g tau((1 - alpha) h v): m at the first and m + h f
/// at the second, both carried to g, with
///
///   alpha T(alpha h v)^T m + (1 - alpha) T(-(1 - alpha) h v)^T (m + h f) = dL/dv.
///
/// On R^n m = dL/dv - (1 - alpha) h f. Shapes: v, momentum dL/dv, force f and m are [dof].
/// Source: [ModinVerdier2020], Eq. (27), in left trivialisation.
class NodeMomentum {
 public:
  NodeMomentum(const Configuration& space, Retraction retraction, double alpha,
               const Vector& velocity, const Vector& momentum, const Vector& force, const Expr& h,
               Unknowns& unknowns, const std::string& name);

  /// What determines m.
  const Vector& zero() const { return zero_; }
  /// m + h f, carried to the second node.
  Vector leaving() const;
  /// m, carried to the first node.
  Vector arriving() const;

 private:
  Configuration space_;
  Retraction retraction_;
  Vector before_, after_;  // displacements -(1 - alpha) h v and alpha h v
  Vector impulse_, first_, zero_;
};

}  // namespace dalembert
