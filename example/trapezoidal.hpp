#pragma once
// A method of one's own as a page of equations.

#include "dalembert/mechanics/system.hpp"
#include "dalembert/method/page.hpp"

namespace example {

using namespace dalembert;

/// The trapezoidal rule for positions and forces, with the constraint force at the middle of the
/// two positions: q1 = q0 + h (v0 + v1)/2, M (v1 - v0) = h (f(q0) + f(q1))/2 + h A(qm)^T lambda,
/// A(q1) v1 = 0.
struct Trapezoidal {
  static MethodPage<Trapezoidal> page() {
    return {.name = "trapezoidal",
            .facts = Facts{.order = 2,
                           .multiplier_order = 1,
                           .symmetric = true,
                           .reversible = true,
                           .maps_constraint_set = true,
                           .keeps_fibration = true},
            .equations = &Trapezoidal::equations};
  }
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
    const Vector q = a.q + 0.5 * h * (a.v + v), middle = 0.5 * (a.q + q);
    const Vector force = -0.5 * (s.potential_gradient(a.q) + s.potential_gradient(q));
    return {.zero = s.mass(q) * (v - a.v) - h * (force + s.constraint_force(middle, lambda)),
            .constraint = s.constraint(q, v),
            .after = {q, v, lambda}};
  }
};

}  // namespace example
