// Methods with one deliberate mistake each, which the law must reject by the property that broke.
// A mistake that a test of the rolling disk or of a separable system would let pass is the most
// welcome.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/mechanics/discrete_gradient.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/energy.hpp"
#include "support/law.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// Requirements and facts of the method that is imitated.
template <class Honest>
struct Imitation {
  Facts facts() const { return Honest{}.facts(); }
  Requirements requirements() const {
    return {.lagrangian = LagrangianKind::constant_mass, .constraints = ConstraintKind::linear};
  }
};

/// dla with alpha = 1/2 whose force is taken at the old node only.
struct OneSidedForce : Imitation<Dla> {
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
    const Vector qc = a.q + 0.5 * h * a.v, q = qc + 0.5 * h * v;
    return {.zero = s.mass(qc) * (v - a.v) +
                    h * (s.potential_gradient(a.q) - s.constraint_force(qc, lambda)),
            .constraint = s.constraint(q, v),
            .after = {q, v, lambda}};
  }
};

/// dla with alpha = 1/2 - 1/4 in the nodes and 1/2 + 1/4 in the forces: weights of the wrong sign.
struct WrongWeights : Imitation<Dla> {
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
    const Vector qc = a.q + 0.75 * h * a.v, q = qc + 0.25 * h * v;
    const Vector force = 0.75 * s.potential_gradient(a.q) + Expr(0.25) * s.potential_gradient(q);
    return {.zero = s.mass(qc) * (v - a.v) + h * (force - s.constraint_force(qc, lambda)),
            .constraint = s.constraint(q, v),
            .after = {q, v, lambda}};
  }
};

/// Leap-frog whose second half-kick takes the constraint matrix at the old node.
struct WrongKick : Imitation<Leapfrog> {
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    const Vector kick = s.constraint_force(a.q, a.lambda) - s.potential_gradient(a.q);
    const Vector half = a.v + 0.5 * h * solve_linear(s.mass(a.q), kick), q = a.q + h * half;
    const Vector v = u.vector("v", half), lambda = u.multiplier("lambda", a.lambda);
    return {.zero = s.mass(q) * (v - half) +
                    0.5 * h * (s.potential_gradient(q) - s.constraint_force(a.q, lambda)),
            .constraint = s.constraint(q, v),
            .after = {q, v, lambda}};
  }
};

/// dla01 that satisfies the constraint with the new velocity at the middle node.
struct WrongNode : Imitation<Dla01> {
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
    const Vector qc = a.q + 0.5 * h * a.v, q = qc + 0.5 * h * v;
    return {.zero = s.mass(qc) * (v - a.v) +
                    h * (s.potential_gradient(qc) - s.constraint_force(qc, lambda)),
            .constraint = s.constraint(qc, v),
            .after = {q, v, lambda}};
  }
};

/// A discrete gradient without the correction along the segment: the plain midpoint gradient.
struct UncorrectedGradient : Imitation<DiscreteDerivative> {
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
    const Vector mean = a.v + 0.5 * (v - a.v), q = a.q + h * mean, qm = a.q + 0.5 * h * mean;
    return {.zero = concatenate({s.mass(qm) * (v - a.v) + h * (s.potential_gradient(qm) -
                                                               s.constraint_force(qm, lambda)),
                                 s.constraint_matrix(qm) * mean}),
            .constraint = {},
            .after = {q, v, lambda}};
  }
};

/// dla with alpha = 1/2 and a Newton iteration that stops after one pass.
struct LooseNewton : Imitation<Dla> {
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
    const Vector qc = a.q + 0.5 * h * a.v, guess = qc + 0.5 * h * a.v, q = qc + 0.5 * h * v;
    const Vector force = 0.5 * s.potential_gradient(a.q) + Expr(0.5) * s.potential_gradient(guess);
    return {.zero = s.mass(qc) * (v - a.v) + h * (force - s.constraint_force(qc, lambda)),
            .constraint = s.constraint_matrix(guess) * v,
            .after = {q, v, lambda}};
  }
};

bool has(const std::vector<Breach>& breaches, const std::string& property) {
  return std::any_of(breaches.begin(), breaches.end(),
                     [&](const Breach& breach) { return breach.property == property; });
}

struct Shelf {
  Witness witness = witness_constant_mass();
  Orders orders{witness};

  /// The law names exactly these properties as broken.
  template <class Sabotaged>
  void check(const std::string& name, const std::vector<std::string>& broken) {
    std::vector<Breach> breaches = exactness_breaches(witness, Method(Sabotaged{}));
    for (const Breach& breach : order_breaches(orders, Method(Sabotaged{})))
      breaches.push_back(breach);
    for (const std::string& property : broken)
      CHECK_MESSAGE(has(breaches, property), name, " passes: ", property);
    for (const Breach& breach : breaches) {
      const bool expected =
          std::find(broken.begin(), broken.end(), breach.property) != broken.end();
      CHECK_MESSAGE(expected, name, " breaks also: ", breach.property, ", ", breach.detail);
    }
  }
};

}  // namespace

TEST_CASE("The law accepts the honest methods and rejects the sabotaged ones") {
  Shelf shelf;
  shelf.check<Dla>("dla", {});
  shelf.check<Dla01>("dla01", {});
  shelf.check<Leapfrog>("leapfrog", {});
  shelf.check<DiscreteDerivative>("discrete-derivative", {});
  shelf.check<OneSidedForce>("one-sided force",
                             {"symmetry", "reversibility", "order of q", "order of v"});
  shelf.check<WrongWeights>("wrong weights",
                            {"symmetry", "reversibility", "order of q", "order of v"});
  shelf.check<WrongKick>("wrong half-kick", {"symmetry", "reversibility", "order of q",
                                             "order of v", "order of lambda"});
  shelf.check<WrongNode>("constraint at the wrong node",
                         {"maps D to D", "symmetry", "reversibility", "order of q", "order of v"});
  shelf.check<UncorrectedGradient>("gradient without its correction", {"energy"});
  shelf.check<LooseNewton>("loose Newton", {"maps D to D", "symmetry", "reversibility"});
}
