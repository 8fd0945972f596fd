#pragma once
// A step of a discrete gradient method on D* where configurations are elements of groups. Only for
// the sources of this room.

#include "dalembert/mechanics/difference/discrete_gradient.hpp"
#include "dalembert/mechanics/frame.hpp"
#include "dalembert/method/page.hpp"

namespace dalembert {

/// One step of the reduced equations of H(g, rho) = rho.G^-1(g) rho/2 + V(g), rho = X^T M v, by a
/// finite-difference map: from g0 the step moves by a = h xi, in two halves through gbar = g0
/// tau(a/2), to g1 = gbar tau(a/2). Places are displacements z from gbar: -a/2 is the start.
/// Source: [Celledoni2019], Sects. 2, 3 and 5 (i).
class StepOnGroups {
 public:
  /// Takes the displacement and the new momenta among the unknowns.
  StepOnGroups(const System& system, FrameKind frame, Retraction map, const State& before,
               Unknowns& unknowns);

  /// a = h X y and rho1 - rho0 = h (B y - X^T alpha), all at (gbar, rhobar), with a discrete
  /// gradient (alpha, y): gonzalez or mean_value.
  Equations equations(GradientKind kind, const Expr& h) const;

 private:
  /// alpha along the left-invariant fields and y along the momenta.
  struct Covector {
    Vector slope, y;
  };
  /// f(z) = g tau(z), for expressions of the displacement.
  Vector place(const Vector& z) const;
  /// d_g(y.G y/2) at constant y: minus the derivative of the kinetic energy.
  Vector pull(const Vector& g, const Vector& y) const;
  /// The change of what is written in the symbols z, from the start of the step to its end.
  template <class Functions>
  Functions change(const Functions& functions) const;
  Covector discrete_gradient(GradientKind kind) const;
  Covector gonzalez() const;
  Covector mean_value() const;

  System system_;
  Frame frame_;
  Retraction map_;
  State before_;
  Vector displacement_, rho0_, drho_;  // a, rho0, rho1 - rho0
  Vector middle_, end_;                // gbar, g1
  Vector y0_, dy_;                     // X y = v at the start, and the change to the end
  Vector z_;                           // symbols of a displacement
  Matrix frame_change_, metric_change_;
  bool has_constant_metric_ = false;
};

}  // namespace dalembert
