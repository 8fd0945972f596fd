#pragma once

#include "dalembert/method/page.hpp"

namespace dalembert {

/// The discrete Herglotz principle for L(q, v) - gamma z, z' = L - gamma z the action: friction
/// that takes momenta away at one rate, gamma, is part of the Lagrangian and no force. The rate is
/// that of the system's external force, which is to be -gamma dL/dv; 0 without one.
///
///   dL/dv(q0, v0) + A(q0)^T l0 = p-/(1 - gamma h/2), p-+ = dL/dv(qm, w) -+ h/2 dL/dq(qm, w),
///   A(qm) w + b(qm) = 0, w = (q1 - q0)/h, qm = (q0 + q1)/2,
///   dL/dv(q1, v1) = p+/(1 + gamma h/2) + A(q1)^T l1, A(q1) v1 + b(q1) = 0,
///   z1 = ((1 - gamma h/2) z0 + h L(qm, w))/(1 + gamma h/2)
///
/// z is carried, as `action`, from 0. Momenta of symmetries without reactions decay by (1 - gamma
/// h/2)/(1 + gamma h/2) in each step. Order 2, symmetric, maps D to D; the reported multiplier is
/// the continuous one. Without friction it is a member of the family around exact discrete
/// mechanics. Source: [MacielOrtizSchaerer2023]; [VermeerenBravettiSeri2019].
struct Herglotz {
  static MethodPage<Herglotz> page();
  std::optional<std::string> misfit(const System& system) const;
  /// Name of what is carried: `action`.
  std::vector<std::string> action_name(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
