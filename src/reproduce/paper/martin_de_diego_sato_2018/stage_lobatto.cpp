#include "stage_lobatto.hpp"

#include <string>
#include <vector>

#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/mechanics/difference/quadrature.hpp"
#include "dalembert/method/lobatto.hpp"

namespace dalembert::reproduce {

namespace {

/// The stages of a step, with the forces that act there.
struct StageValues {
  std::vector<Vector> position, velocity, node_velocity, force;
};

/// factor * sum_j weights_j terms_j.
Vector stage_sum(const Expr& factor, const std::vector<Constant>& weights,
                 const std::vector<Vector>& terms) {
  Vector sum = zeros(terms.front().size());
  for (std::size_t j = 0; j < terms.size(); ++j) sum = sum + (Expr(weights[j]) * factor) * terms[j];
  return sum;
}

/// dL/dq and the reaction at a stage.
Vector stage_force(const System& system, const Vector& q, const Vector& v, const Expr& t,
                   const Vector& lambda) {
  const Vector reaction = system.constraint_force(q, v, t, lambda);
  return system.lagrangian_gradient(q, v, t) + reaction;
}

/// Values of the polynomials through the stages at a fraction of the step.
Vector polynomial_values(const System& system, const State& before, const LobattoTableaux& lobatto,
                         const StageValues& at, const Expr& h, double fraction) {
  const Constant place{fraction};
  const std::vector<Constant> integrals = integrated_lagrange(lobatto.c, place);
  std::vector<Constant> values;
  for (std::size_t j = 0; j < lobatto.c.size(); ++j)
    values.push_back(lagrange_value(lobatto.c, j, place));
  const Vector position = before.q + stage_sum(h, integrals, at.velocity);
  const Vector stage_velocity = stage_sum(1.0, values, at.velocity);
  const Matrix mass = system.mass(before.q);
  const Vector change = solve_linear(mass, stage_sum(h, integrals, at.force));
  const Vector slope = solve_linear(mass, stage_sum(1.0, values, at.force));
  return concatenate({position, stage_velocity, before.v + change, slope});
}

Vector reported(const System& system, const State& before, const LobattoTableaux& lobatto,
                const StageValues& at, const Expr& h, double fraction) {
  Vector values;
  for (std::size_t i = 1; i + 1 < lobatto.c.size(); ++i)
    values = concatenate({values, at.position[i], at.velocity[i], at.node_velocity[i]});
  return concatenate({values, polynomial_values(system, before, lobatto, at, h, fraction)});
}

Equations stage_equations(const System& system, const State& before, Unknowns& unknowns,
                          const Expr& h, int stages, ConstrainedVelocities constrained,
                          double fraction) {
  const LobattoTableaux lobatto = lobatto_tableaux(stages);
  const std::size_t count = lobatto.c.size();
  StageValues at;
  std::vector<Vector> lambda;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string index = std::to_string(i + 1);
    at.velocity.push_back(unknowns.vector("V_" + index, before.v));
    lambda.push_back(i == 0 ? before.lambda
                            : unknowns.multiplier("Lambda_" + index, before.lambda));
  }
  for (std::size_t i = 0; i < count; ++i) {
    at.position.push_back(before.q + stage_sum(h, lobatto.a[i], at.velocity));
    const Expr t = before.t + Expr(lobatto.c[i]) * h;
    at.force.push_back(stage_force(system, at.position[i], at.velocity[i], t, lambda[i]));
  }
  const Matrix mass = system.mass(before.q);
  Equations result;
  for (std::size_t i = 0; i < count; ++i) {
    const Vector impulse = stage_sum(h, lobatto.a_hat[i], at.force);
    result.zero = concatenate({result.zero, mass * (at.velocity[i] - before.v) - impulse});
    const Vector node_impulse = stage_sum(h, lobatto.a[i], at.force);
    at.node_velocity.push_back(before.v + solve_linear(mass, node_impulse));
    if (i == 0) continue;
    const bool inner = i + 1 < count;
    const bool of_stage = inner && constrained == ConstrainedVelocities::stages;
    const Vector conditions =
        system.constraint(at.position[i], of_stage ? at.velocity[i] : at.node_velocity[i],
                          before.t + Expr(lobatto.c[i]) * h);
    if (inner) {
      result.zero = concatenate({result.zero, conditions});
    } else {
      result.constraint = conditions;
    }
  }
  result.after = {at.position.back(), at.node_velocity.back(), lambda.back()};
  if (fraction > 0.0) result.after.carried = reported(system, before, lobatto, at, h, fraction);
  return result;
}

}  // namespace

Method stage_lobatto(int stages, ConstrainedVelocities constrained, double fraction) {
  MethodDefinition definition{.name = std::string("stage-lobatto"),
                              .facts = {.order = 2 * stages - 2, .carries_multiplier = true},
                              .equations = [=](const System& system, const State& before,
                                               Unknowns& unknowns, const Expr& h) {
                                return stage_equations(system, before, unknowns, h, stages,
                                                       constrained, fraction);
                              }};
  if (fraction > 0.0) {
    definition.carries = [stages](const System& system) {
      std::vector<std::string> names;
      const std::size_t count = system.dof() * static_cast<std::size_t>(3 * (stages - 2) + 4);
      for (std::size_t i = 0; i < count; ++i) names.push_back("value_" + std::to_string(i + 1));
      return names;
    };
  }
  return Method(std::move(definition));
}

}  // namespace dalembert::reproduce
