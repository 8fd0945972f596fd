#include "dalembert/method/runge_kutta.hpp"

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/frame.hpp"

namespace dalembert {
namespace {

const std::vector<std::string> projections{"none", "velocity"};
const std::vector<std::string> coordinate_choices{"full", "quasi-velocity", "adapted"};

template <class M>
std::vector<Option<M>> common_options() {
  return {{"projection", &M::projection,
           "whether the new velocity is projected onto the constraints", projections},
          {"coordinates", &M::coordinates,
           "the eliminated equations in (q, v), or coordinates of D: quasi-velocities of a frame, "
           "or adapted to a connection",
           coordinate_choices}};
}

/// The equations of motion as a first-order system x' = f(x) in one of the three sets of
/// coordinates. The rate of the second part of x can be an expression, or an unknown with its own
/// equation.
class FirstOrderSystem {
 public:
  FirstOrderSystem(const System& system, const std::string& coordinates, const State& start)
      : system_(system), start_(start) {
    if (coordinates != "full") {
      const bool supplied = coordinates == "quasi-velocity" && !system.mechanics().frame.empty();
      const FrameKind kind = coordinates == "adapted" ? FrameKind::adapted
                             : supplied               ? FrameKind::given
                                                      : FrameKind::qr;
      frame_.emplace(system, kind, start.q);
    }
  }

  /// The velocity coordinates at the start of the step, and the velocity that they stand for.
  Vector velocity_coordinates() const {
    return frame_ ? frame_->components(start_.q, start_.v) : start_.v;
  }
  /// The rate of the positions: the velocity, or Pi dH in skew-gradient form.
  Vector velocity(const Vector& q, const Vector& y) const {
    if (system_.is_skew_gradient()) {
      const Vector& zeta = system_.symbols().q;
      const Vector slope = gradient(system_.energy(zeta, {}), zeta);
      return system_.structure(q) * substitute(slope, zeta, q);
    }
    return frame_ ? frame_->at(q) * y : y;
  }

  /// The rate of the velocity coordinates.
  Vector rate(const Vector& q, const Vector& y, const Expr& t) const {
    if (system_.is_skew_gradient()) return {};
    if (!frame_) return system_.eliminated(q, y, t).acceleration;
    return solve_linear(frame_->metric(q), frame_residual(q, y, t, zeros(y.size()), -1.0));
  }
  /// What vanishes for the right `rate` (and multiplier): the implicit methods' form, without
  /// divisions.
  Vector residual(const Vector& q, const Vector& y, const Expr& t, const Vector& rate,
                  const Vector& lambda) const {
    if (system_.is_skew_gradient()) return {};
    if (!frame_) return system_.motion_residual(q, y, t, rate, lambda);
    return frame_residual(q, y, t, rate, 1.0);
  }
  std::size_t multipliers() const { return frame_ ? 0 : system_.constraint_count(); }

 private:
  /// sign * X^T (M (X rate + dX[v] y) - forces).
  Vector frame_residual(const Vector& q, const Vector& y, const Expr& t, const Vector& rate,
                        double sign) const {
    const Matrix x = frame_->at(q);
    const Vector v = x * y;
    const Vector acceleration = x * rate + frame_->derivative_along(q, v) * y;
    const Vector none = zeros(system_.constraint_count());
    const Vector free =
        slice(system_.motion_residual(q, v, t, acceleration, none), 0, system_.dof());
    return Expr(sign) * (transpose(x) * free);
  }

  System system_;
  State start_;
  std::optional<Frame> frame_;
};

State finish(const System& s, const FirstOrderSystem& motion, const std::string& projection,
             const Vector& q, const Vector& y, const Expr& t) {
  const Vector v = motion.velocity(q, y);
  return {q, projection == "velocity" ? s.projected_velocity(q, v, t) : v};
}

std::optional<std::string> coordinates_misfit(const System& system,
                                              const std::string& coordinates) {
  if (system.is_skew_gradient() && coordinates != "full") {
    return "system \"" + system.name() +
           "\" is in skew-gradient form and has no frame; use coordinates = \"full\"";
  }
  if (coordinates == "full") return std::nullopt;
  return Frame::misfit(system, coordinates == "adapted" ? FrameKind::adapted : FrameKind::qr);
}

Requirements baseline_requirements(const std::string& projection) {
  const bool plain = projection == "none";
  return {.lagrangian = plain ? LagrangianKind::general : LagrangianKind::configuration_mass,
          .constraints = plain ? ConstraintKind::nonlinear : ConstraintKind::affine,
          .handles_time = true,
          .handles_skew_gradient = plain,

          .handles_force = true};
}

/// An implicit collocation method with the given nodes and coefficients.
Equations collocation(const System& s, const State& a, Unknowns& u, const Expr& h,
                      const QuadratureRule& rule, const std::string& projection,
                      const std::string& coordinates) {
  const FirstOrderSystem motion(s, coordinates, a);
  const auto coefficients = collocation_coefficients(rule.nodes);
  const std::size_t stages = rule.nodes.size();
  const bool positions_unknown = coordinates != "full" || s.is_skew_gradient();
  const Vector y0 = motion.velocity_coordinates();
  std::vector<Vector> rate, position_rate;
  for (std::size_t i = 0; i < stages; ++i) {
    rate.push_back(u.vector("rate_" + std::to_string(i + 1), zeros(y0.size())));
    // In coordinates of D the positions are unknown too; else they follow from the rates.
    if (positions_unknown)
      position_rate.push_back(u.vector("velocity_" + std::to_string(i + 1),
                                       s.is_skew_gradient() ? zeros(s.dof()) : a.v));
  }
  const auto sum = [&](const std::vector<Constant>& weights, const std::vector<Vector>& terms) {
    Vector result = zeros(terms.front().size());
    for (std::size_t j = 0; j < stages; ++j) result = result + (Expr(weights[j]) * h) * terms[j];
    return result;
  };
  Vector zero;
  std::vector<Vector> velocities;
  for (std::size_t i = 0; i < stages; ++i) velocities.push_back(y0 + sum(coefficients[i], rate));
  const std::vector<Vector>& moves = positions_unknown ? position_rate : velocities;
  for (std::size_t i = 0; i < stages; ++i) {
    const Vector q = a.q + sum(coefficients[i], moves);
    const Expr t = a.t + Expr(rule.nodes[i]) * h;
    const Vector lambda = motion.multipliers() > 0
                              ? u.multiplier("lambda_" + std::to_string(i + 1), a.lambda)
                              : Vector{};
    zero = concatenate({zero, motion.residual(q, velocities[i], t, rate[i], lambda)});
    if (positions_unknown)
      zero = concatenate({zero, position_rate[i] - motion.velocity(q, velocities[i])});
  }
  const Vector q = a.q + sum(rule.weights, moves), y = y0 + sum(rule.weights, rate);
  return {.zero = zero, .constraint = {}, .after = finish(s, motion, projection, q, y, a.t + h)};
}

Facts collocation_facts(int order, bool symmetric, const std::string& projection,
                        const std::string& coordinates) {
  const bool plain = projection == "none";
  return {.order = order,
          .multiplier_order = order,
          .symmetric = symmetric && plain,
          .reversible = symmetric && plain,
          .maps_constraint_set = !plain || coordinates != "full"};
}

}  // namespace

std::vector<Option<RungeKutta4>> RungeKutta4::options() { return common_options<RungeKutta4>(); }
Facts RungeKutta4::facts() const { return collocation_facts(4, false, projection, coordinates); }
Requirements RungeKutta4::requirements() const { return baseline_requirements(projection); }
std::optional<std::string> RungeKutta4::misfit(const System& system) const {
  return coordinates_misfit(system, coordinates);
}

Equations RungeKutta4::equations(const System& s, const State& a, Unknowns& /*unknowns*/,
                                 const Expr& h) const {
  const FirstOrderSystem motion(s, coordinates, a);
  const Vector y0 = motion.velocity_coordinates();
  const Constant half{0.5}, sixth = Constant{1.0} / Constant{6.0},
                            third = Constant{1.0} / Constant{3.0};
  const std::vector<Constant> reach{Constant{0.0}, half, half, Constant{1.0}},
      weight{sixth, third, third, sixth};
  Vector q_rate = zeros(a.q.size()), y_rate = zeros(y0.size()), q_change = q_rate,
         y_change = y_rate;
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const Expr c = Expr(reach[i]) * h;
    const Vector q = a.q + c * q_rate, y = y0 + c * y_rate;
    q_rate = motion.velocity(q, y);
    y_rate = motion.rate(q, y, a.t + c);
    q_change = q_change + Expr(weight[i]) * h * q_rate;
    y_change = y_change + Expr(weight[i]) * h * y_rate;
  }
  return {.zero = {},
          .constraint = {},
          .after = finish(s, motion, projection, a.q + q_change, y0 + y_change, a.t + h)};
}

std::vector<Option<Gauss>> Gauss::options() {
  auto options = common_options<Gauss>();
  options.insert(options.begin(),
                 {"stages", &Gauss::stages, "number of stages; the order is twice as high", 1, 8});
  return options;
}
Facts Gauss::facts() const { return collocation_facts(2 * stages, true, projection, coordinates); }
Requirements Gauss::requirements() const { return baseline_requirements(projection); }
std::optional<std::string> Gauss::misfit(const System& system) const {
  return coordinates_misfit(system, coordinates);
}
Equations Gauss::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  return collocation(s, a, u, h, gauss_rule(stages), projection, coordinates);
}

std::vector<Option<RadauIIA>> RadauIIA::options() {
  auto options = common_options<RadauIIA>();
  options.insert(options.begin(),
                 {"stages", &RadauIIA::stages, "number of stages s; the order is 2 s - 1", 1, 8});
  return options;
}
Facts RadauIIA::facts() const {
  return collocation_facts(2 * stages - 1, false, projection, coordinates);
}
Requirements RadauIIA::requirements() const { return baseline_requirements(projection); }
std::optional<std::string> RadauIIA::misfit(const System& system) const {
  return coordinates_misfit(system, coordinates);
}
Equations RadauIIA::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  return collocation(s, a, u, h, radau_rule(stages), projection, coordinates);
}

}  // namespace dalembert
