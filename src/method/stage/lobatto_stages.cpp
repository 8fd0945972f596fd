// Unknown stage velocities, or unknown stage positions and momenta.
#include "lobatto_stages.hpp"

#include <algorithm>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"
#include "step_chart.hpp"

namespace dalembert {
namespace {

/// The Hamiltonian of a Lagrangian that is quadratic in the velocities.
class CanonicalForm {
 public:
  /// In the graph of the step size.
  CanonicalForm(const System& system, const Expr& h)
      : system_(system), q_(system.symbols(h).q), t_(system.symbols(h).t) {
    for (std::size_t i = 0; i < system.dof(); ++i)
      p_.push_back(make_symbol(h.graph(), "p_" + std::to_string(i + 1)));
    const Expr& t = t_;
    const Vector rest = system.momentum(q_, zeros(system.dof()), t);
    const Vector change = p_ - rest;
    velocity_ = solve_linear(system.mass(q_, rest, t), change);
    const Expr lagrangian = system.lagrangian(q_, velocity_, t);
    slope_ = gradient(dot(p_, velocity_) - lagrangian, q_);
    constraint_ = system.constraint(q_, velocity_, t);
    const Matrix constraint_slope = jacobian(constraint_, p_);
    for (std::size_t k = 0; k < constraint_.size(); ++k)
      directions_.push_back(system.mass(q_, rest, t) * constraint_slope.row(k));
  }

  /// v = dH/dp.
  Vector velocity(const Vector& q, const Vector& p, const Expr& t) const {
    return at(velocity_, q, p, t);
  }
  /// -dH/dq + force + (d^2H/dp^2)^-1 (dPsi/dp)^T lambda, where Psi(q, p) = Phi(q, dH/dp).
  Vector force(const Vector& q, const Vector& p, const Expr& t, const Vector& lambda) const {
    const Vector slope = at(slope_, q, p, t), v = velocity(q, p, t);
    Vector result = system_.force(q, v, t) - slope;
    if (!system_.traits().ideal) return result + system_.constraint_force(q, v, t, lambda);
    for (std::size_t k = 0; k < directions_.size(); ++k)
      result = result + lambda[k] * at(directions_[k], q, p, t);
    return result;
  }
  Vector constraint(const Vector& q, const Vector& p, const Expr& t) const {
    return at(constraint_, q, p, t);
  }

 private:
  Vector at(const Vector& expressions, const Vector& q, const Vector& p, const Expr& t) const {
    return substitute(expressions, concatenate({q_, p_, Vector{t_}}),
                      concatenate({q, p, Vector{t}}));
  }

  System system_;
  Vector q_;
  Expr t_;
  Vector p_, velocity_, slope_, constraint_;
  std::vector<Vector> directions_;
};

/// Lambda_i and mu_i: those of stage 1 that are carried are known.
Vector stage_multipliers(const System& s, const State& a, Unknowns& u, const Stages& stage,
                         std::size_t i) {
  const std::string index = std::to_string(i + 1);
  const Vector carried = slice(a.lambda, 0, s.nonholonomic_count());
  return concatenate({i == 0 ? carried : u.multiplier("Lambda_" + index, carried),
                      stage.holonomic_multiplier("h*mu_" + index, u)});
}

/// Coordinates above which the equations of a step are eliminated in a sparse order, along the mass
/// matrix: an equation between multipliers alone has no place there.
constexpr std::size_t few_coordinates = 16;

/// Lambda_1 where it follows from the others. In small systems it is an unknown with an equation of
/// its own, which is returned, since a sum in its place would make every force of the first stage
/// depend on all multipliers, and the system that is left to solve twice as large.
Vector close_multipliers(const LobattoTableaux& lobatto, const System& s, Unknowns& u,
                         std::vector<Vector>& lambda) {
  const std::size_t count = s.nonholonomic_count();
  if (lobatto.closing.empty() || count == 0) return {};
  Vector sums(count, Expr(0.0));
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < lobatto.closing.size(); ++i)
      sums[k] += Expr(lobatto.closing[i]) * lambda[i + 1][k];
  const bool stands_alone = lobatto.closing.size() > 1 && s.dof() <= few_coordinates;
  const Vector first = stands_alone ? u.multiplier("Lambda_1", slice(lambda[0], 0, count)) : sums;
  std::ranges::copy(first, lambda[0].begin());
  return stands_alone ? first - sums : Vector{};
}

}  // namespace

LobattoStages lagrangian_stages(const LobattoTableaux& lobatto, const System& s, const State& a,
                                Unknowns& u, const Expr& h, Retraction retraction, ChartBase base) {
  const Stages stage(s, a, h);
  const std::size_t count = lobatto.c.size();
  LobattoStages all;
  std::vector<Vector> chart_velocity, place, force, chart_force;
  for (std::size_t i = 0; i < count; ++i) {
    chart_velocity.push_back(u.vector("V_" + std::to_string(i + 1), a.v));
    all.lambda.push_back(stage_multipliers(s, a, u, stage, i));
  }
  all.zero = close_multipliers(lobatto, s, u, all.lambda);
  StepChart chart(s, a, stage, lobatto.b, chart_velocity, retraction, base);
  for (std::size_t i = 0; i < count; ++i) {
    place.push_back(stage.sum(lobatto.a[i], chart_velocity));
    all.position.push_back(chart.point(place[i]));
    all.velocity.push_back(chart.velocity(place[i], chart_velocity[i]));
    const Expr t = stage.time(lobatto.c[i]);
    // One after the other: in one sum, each compiler would build them in an order of its own, and
    // the order of nodes decides the last bits.
    const Vector reaction = stage.reaction(all.position[i], all.velocity[i], t, all.lambda[i]);
    const Vector total = stage.active_force(all.position[i], all.velocity[i], t) + reaction;
    force.push_back(chart.at_base(place[i], total));
    chart_force.push_back(chart.force(place[i], chart_velocity[i], total, t));
  }
  chart.close(lobatto.b, force, chart_force);
  for (std::size_t i = 0; i < count; ++i) {
    const Vector change =
        chart.momentum_change(place[i], chart_velocity[i], stage.time(lobatto.c[i]));
    all.zero = concatenate({all.zero, change - stage.sum(lobatto.a_hat[i], chart_force)});
  }
  all.node_velocity.push_back(a.v);
  for (std::size_t i = 1; i < count; ++i) {
    const Expr t = stage.time(lobatto.c[i]);
    const Vector impulse = stage.sum(lobatto.a[i], force);
    all.node_velocity.push_back(stage.velocity_of(all.position[i], t,
                                                  chart.change_by(impulse, place[i]),
                                                  "vtilde_" + std::to_string(i + 1), u, all.zero));
    all.zero = concatenate({all.zero, stage.holonomic(all.position[i], t)});
    const Vector conditions = s.constraint(all.position[i], all.node_velocity[i], t);
    if (i + 1 < count) {
      all.zero = concatenate({all.zero, slice(conditions, 0, s.nonholonomic_count())});
    } else {
      all.constraint = conditions;
    }
  }
  return all;
}

LobattoStages hamiltonian_stages(const LobattoTableaux& lobatto, const System& s, const State& a,
                                 Unknowns& u, const Expr& h) {
  const Stages stage(s, a, h);
  const CanonicalForm form(s, h);
  const std::size_t count = lobatto.c.size();
  const Vector p0 = s.momentum(a.q, a.v, a.t);
  LobattoStages all;
  std::vector<Vector> momentum, force;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string index = std::to_string(i + 1);
    all.position.push_back(i == 0 ? a.q : u.vector("Q_" + index, a.q));
    momentum.push_back(u.vector("P_" + index, p0));
    all.lambda.push_back(stage_multipliers(s, a, u, stage, i));
  }
  all.zero = close_multipliers(lobatto, s, u, all.lambda);
  for (std::size_t i = 0; i < count; ++i) {
    const Expr t = stage.time(lobatto.c[i]);
    all.velocity.push_back(form.velocity(all.position[i], momentum[i], t));
    force.push_back(form.force(all.position[i], momentum[i], t, all.lambda[i]));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Vector path = all.position[i] - a.q - stage.sum(lobatto.a[i], all.velocity);
    const Vector balance = (momentum[i] - p0) - stage.sum(lobatto.a_hat[i], force);
    all.zero = concatenate({all.zero, i == 0 ? Vector{} : path, balance});
  }
  all.node_velocity.push_back(a.v);
  for (std::size_t i = 1; i < count; ++i) {
    const Expr t = stage.time(lobatto.c[i]);
    const Vector node = p0 + stage.sum(lobatto.a[i], force);
    const Vector conditions = form.constraint(all.position[i], node, t);
    all.zero = concatenate({all.zero, stage.holonomic(all.position[i], t)});
    if (i + 1 < count) {
      all.zero = concatenate({all.zero, slice(conditions, 0, s.nonholonomic_count())});
    } else {
      all.constraint = conditions;
    }
    // As a change of the velocity: rounding of the mass and its inverse would multiply it by the
    // same factor next to 1 in every step.
    const Vector change = node - s.momentum(all.position[i], a.v, t);
    all.node_velocity.push_back(a.v + solve_linear(s.mass(all.position[i], a.v, t), change));
  }
  return all;
}

}  // namespace dalembert
