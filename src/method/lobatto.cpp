#include "dalembert/method/lobatto.hpp"

#include <string>

#include "dalembert/expression/linear_solve.hpp"

namespace dalembert {
namespace {

/// b_j - b_j a_ji / b_i.
LobattoTableaux::Coefficients conjugate(const LobattoTableaux::Coefficients& a,
                                        const std::vector<Constant>& b) {
  LobattoTableaux::Coefficients result = a;
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) result[i][j] = b[j] - b[j] * a[j][i] / b[i];
  }
  return result;
}

/// IIIC: a_i1 = b_1, and exact integrals of polynomials of degree s - 2 up to each node.
LobattoTableaux::Coefficients lobatto_iiic(const std::vector<Constant>& b,
                                           const std::vector<Constant>& c) {
  const std::vector<Constant> rest(c.begin() + 1, c.end());
  LobattoTableaux::Coefficients a;
  for (const Constant& node : c) {
    const std::vector<Constant> integrals = integrated_lagrange(rest, node);
    std::vector<Constant> row{b[0]};
    for (std::size_t j = 0; j < rest.size(); ++j) {
      row.push_back(integrals[j] - b[0] * lagrange_value(rest, j, Constant{0.0}));
    }
    a.push_back(row);
  }
  return a;
}

Constant power(const Constant& x, int exponent) {
  Constant result{1.0};
  for (int k = 0; k < exponent; ++k) result = result * x;
  return result;
}

/// What both methods share: stage positions, forces, and momenta as changes since the start of the
/// step.
class Stages {
 public:
  Stages(const System& system, const State& before, const Expr& h)
      : system_(system), before_(before), h_(h) {}

  /// h sum_j weights_j terms_j.
  Vector sum(const std::vector<Constant>& weights, const std::vector<Vector>& terms) const {
    Vector result = zeros(terms.front().size());
    for (std::size_t j = 0; j < terms.size(); ++j)
      result = result + (Expr(weights[j]) * h_) * terms[j];
    return result;
  }
  Expr time(const Constant& node) const { return before_.t + Expr(node) * h_; }
  /// dL/dq plus the external force.
  Vector active_force(const Vector& q, const Vector& v, const Expr& t) const {
    return system_.lagrangian_gradient(q, v) + system_.force(q, v, t);
  }
  Vector reaction(const Vector& q, const Vector& v, const Expr& t, const Vector& lambda) const {
    if (lambda.empty()) return zeros(q.size());
    return transpose(system_.constraint_matrix(q, v, t)) * lambda;
  }
  /// p(q, v) - p(before), without loss of digits where the mass is constant.
  Vector momentum_change(const Vector& q, const Vector& v) const {
    if (system_.traits().lagrangian == LagrangianKind::constant_mass)
      return system_.mass(q) * (v - before_.v);
    return system_.momentum(q, v) - system_.momentum(before_.q, before_.v);
  }
  /// The velocity whose momentum differs by `change` from that at the start: an expression where
  /// the mass is constant, else an unknown with its equation appended to `zero`.
  Vector velocity_of(const Vector& q, const Vector& change, const std::string& name,
                     Unknowns& unknowns, Vector& zero) const {
    if (system_.traits().lagrangian == LagrangianKind::constant_mass) {
      return before_.v + solve_linear(system_.mass(q), change);
    }
    const Vector v = unknowns.vector(name, before_.v);
    zero = concatenate({zero, momentum_change(q, v) - change});
    return v;
  }

 private:
  const System& system_;
  const State& before_;
  Expr h_;
};

Requirements any_system() {
  return {.lagrangian = LagrangianKind::general,
          .constraints = ConstraintKind::nonlinear,
          .handles_time = false,
          .handles_force = true};
}

}  // namespace

LobattoTableaux lobatto_tableaux(int stages) {
  const QuadratureRule rule = lobatto_rule(stages);
  LobattoTableaux result{rule.weights, rule.nodes, collocation_coefficients(rule.nodes), {}, {}};
  result.a_hat = conjugate(result.a, result.b);
  const auto iiic = lobatto_iiic(result.b, result.c), iiic_conjugate = conjugate(iiic, result.b);
  result.d = iiic;
  for (std::size_t i = 0; i < iiic.size(); ++i) {
    for (std::size_t j = 0; j < iiic.size(); ++j)
      result.d[i][j] = Constant{0.5} * (iiic[i][j] + iiic_conjugate[i][j]);
  }
  return result;
}

std::vector<Option<Lobatto>> Lobatto::options() {
  return {{"stages", &Lobatto::stages, "number of stages s; the order is 2 s - 2", 2, 8}};
}

std::vector<std::string> Lobatto::formula() {
  return {
      "a, b, c: Lobatto IIIA; ahat: Lobatto IIIB; F_j = dL/dq(Q_j, V_j) + force + A(Q_j, V_j)^T "
      "Lambda_j, Lambda_1 = lambda0",
      "Q_i = q0 + h*sum_j a_ij V_j", "0 = dL/dv(Q_i, V_i) - p0 - h*sum_j ahat_ij F_j, i = 1..s",
      "0 = dL/dv(Q_i, vtilde_i) - p0 - h*sum_j a_ij F_j, 0 = Phi(Q_i, vtilde_i), i = 2..s",
      "q1 = Q_s, v1 = vtilde_s, lambda1 = Lambda_s"};
}

Facts Lobatto::facts() const {
  return {.order = 2 * stages - 2,
          .multiplier_order = stages % 2 == 0 ? stages : stages - 1,
          .symmetric = true,
          .reversible = true,
          .carries_multiplier = true};
}

Requirements Lobatto::requirements() const { return any_system(); }

Equations Lobatto::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const LobattoTableaux lobatto = lobatto_tableaux(stages);
  const Stages stage(s, a, h);
  const auto count = static_cast<std::size_t>(stages);
  std::vector<Vector> velocity, position, force, lambda{a.lambda};
  for (std::size_t i = 0; i < count; ++i) {
    velocity.push_back(u.vector("V_" + std::to_string(i + 1), a.v));
    if (i > 0) lambda.push_back(u.multiplier("Lambda_" + std::to_string(i + 1), a.lambda));
  }
  for (std::size_t i = 0; i < count; ++i) {
    position.push_back(a.q + stage.sum(lobatto.a[i], velocity));
    const Expr t = stage.time(lobatto.c[i]);
    force.push_back(stage.active_force(position[i], velocity[i], t) +
                    stage.reaction(position[i], velocity[i], t, lambda[i]));
  }
  Vector zero, conditions, last = a.v;
  for (std::size_t i = 0; i < count; ++i) {
    zero = concatenate({zero, stage.momentum_change(position[i], velocity[i]) -
                                  stage.sum(lobatto.a_hat[i], force)});
  }
  for (std::size_t i = 1; i < count; ++i) {
    last = stage.velocity_of(position[i], stage.sum(lobatto.a[i], force),
                             "vtilde_" + std::to_string(i + 1), u, zero);
    conditions = s.constraint(position[i], last, stage.time(lobatto.c[i]));
    if (i + 1 < count) zero = concatenate({zero, conditions});
  }
  return {.zero = zero, .constraint = conditions, .after = {position.back(), last, lambda.back()}};
}

std::vector<Option<Spark>> Spark::options() {
  return {{"stages", &Spark::stages, "number of stages s; the order is 2 s - 2", 2, 8},
          {"constraint_tableau", &Spark::constraint_tableau, "tableau of the constraint forces",
           std::vector<std::string>{"IIIB", "IIID"}}};
}

std::vector<std::string> Spark::formula() {
  return {"a, b, c: Lobatto IIIA; ahat: Lobatto IIIB; atilde: IIIB or IIID",
          "Q_i = q0 + h*sum_j a_ij V_j, q1 = q0 + h*sum_j b_j V_j",
          "0 = dL/dv(Q_i, V_i) - p0 - h*sum_j ahat_ij (dL/dq + force)_j - h*sum_j atilde_ij A(Q_j, "
          "V_j)^T Psi_j, i = 1..s",
          "0 = sum_j b_j c_j^(i-1) Phi(Q_j, V_j), i = 1..s-1",
          "0 = dL/dv(q1, v1) - p0 - h*sum_j b_j F_j, 0 = Phi(q1, v1), lambda1 = Psi_s"};
}

Facts Spark::facts() const {
  return {.order = 2 * stages - 2,
          .multiplier_order = stages - 1,
          .symmetric = true,
          .reversible = true};
}

Requirements Spark::requirements() const { return any_system(); }

Equations Spark::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  const LobattoTableaux lobatto = lobatto_tableaux(stages);
  const auto& tilde = constraint_tableau == "IIID" ? lobatto.d : lobatto.a_hat;
  const Stages stage(s, a, h);
  const auto count = static_cast<std::size_t>(stages);
  std::vector<Vector> velocity, position, active, reaction, phi, lambda;
  for (std::size_t i = 0; i < count; ++i) {
    velocity.push_back(u.vector("V_" + std::to_string(i + 1), a.v));
    lambda.push_back(u.multiplier("Psi_" + std::to_string(i + 1), a.lambda));
  }
  for (std::size_t i = 0; i < count; ++i) {
    position.push_back(a.q + stage.sum(lobatto.a[i], velocity));
    const Expr t = stage.time(lobatto.c[i]);
    active.push_back(stage.active_force(position[i], velocity[i], t));
    reaction.push_back(stage.reaction(position[i], velocity[i], t, lambda[i]));
    phi.push_back(s.constraint(position[i], velocity[i], t));
  }
  Vector zero;
  for (std::size_t i = 0; i < count; ++i) {
    const Vector impulse = stage.sum(lobatto.a_hat[i], active) + stage.sum(tilde[i], reaction);
    zero = concatenate({zero, stage.momentum_change(position[i], velocity[i]) - impulse});
  }
  for (int k = 0; k + 1 < stages; ++k) {
    Vector mean = zeros(s.constraint_count());
    for (std::size_t j = 0; j < count; ++j)
      mean = mean + Expr(lobatto.b[j] * power(lobatto.c[j], k)) * phi[j];
    zero = concatenate({zero, mean});
  }
  const Vector q = a.q + stage.sum(lobatto.b, velocity);
  const Vector v = stage.velocity_of(
      q, stage.sum(lobatto.b, active) + stage.sum(lobatto.b, reaction), "v", u, zero);
  return {.zero = zero, .constraint = s.constraint(q, v, a.t + h), .after = {q, v, lambda.back()}};
}

}  // namespace dalembert
