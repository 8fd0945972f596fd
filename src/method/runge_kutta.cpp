#include "dalembert/method/runge_kutta.hpp"

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/frame.hpp"
#include "weighted_sum.hpp"

namespace dalembert {
namespace {

/// The options that all baselines have.
template <class M>
std::vector<Option<M>> common_options() {
  return {{"projection", &M::projection,
           "what of the new state is projected onto the constraints, in the metric of the mass",
           Words<Projection>{{Projection::none, "none"},
                             {Projection::velocity, "velocity"},
                             {Projection::position_velocity, "position-velocity"}}},
          {"coordinates", &M::coordinates,
           "the eliminated equations in (q, v), or coordinates of D: quasi-velocities of a frame, "
           "or adapted to a connection",
           Words<EliminatedCoordinates>{{EliminatedCoordinates::full, "full"},
                                        {EliminatedCoordinates::quasi_velocity, "quasi-velocity"},
                                        {EliminatedCoordinates::adapted, "adapted"}}}};
}

/// These options after one more.
template <class M>
std::vector<Option<M>> options_after(Option<M> first) {
  std::vector<Option<M>> options = common_options<M>();
  options.insert(options.begin(), std::move(first));
  return options;
}

/// The equations of motion as a first-order system x' = f(x) in one of the three sets of
/// coordinates. The rate of the second part of x can be an expression, or an unknown with its own
/// equation.
class FirstOrderSystem {
 public:
  FirstOrderSystem(const System& system, EliminatedCoordinates coordinates, const State& start)
      : system_(system), start_(start) {
    if (coordinates != EliminatedCoordinates::full) {
      const bool supplied =
          coordinates == EliminatedCoordinates::quasi_velocity && !system.mechanics().frame.empty();
      const FrameKind kind = coordinates == EliminatedCoordinates::adapted ? FrameKind::adapted
                             : supplied                                    ? FrameKind::given
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
      const Vector zeta = system_.symbols(q).q;
      const Vector slope = gradient(system_.energy(zeta, {}), zeta);
      const Vector slope_here = substitute(slope, zeta, q);
      return system_.structure(q) * slope_here;
    }
    return frame_ ? frame_->at(q) * y : y;
  }

  /// The rate of the velocity coordinates.
  Vector rate(const Vector& q, const Vector& y, const Expr& t) const {
    if (system_.is_skew_gradient()) return {};
    if (!frame_) return system_.eliminated(q, y, t).acceleration;
    const Vector force = frame_residual(q, y, t, zeros(y.size()), -1.0);
    return solve_linear(metric(q, y), force);
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
  /// X^T M X, where M may depend on the velocity.
  Matrix metric(const Vector& q, const Vector& y) const {
    if (system_.traits().lagrangian != LagrangianKind::general) return frame_->metric(q);
    const Matrix x = frame_->at(q);
    return transpose(x) * (system_.mass(q, x * y) * x);
  }
  /// sign * X^T (M (X rate + dX[v] y) - forces).
  Vector frame_residual(const Vector& q, const Vector& y, const Expr& t, const Vector& rate,
                        double sign) const {
    const Matrix x = frame_->at(q);
    const Vector v = x * y;
    const Vector turning = frame_->derivative_along(q, v) * y;
    const Vector acceleration = x * rate + turning;
    const Vector none = zeros(system_.constraint_count());
    const Vector free =
        slice(system_.motion_residual(q, v, t, acceleration, none), 0, system_.dof());
    return Expr(sign) * (transpose(x) * free);
  }

  System system_;
  State start_;
  std::optional<Frame> frame_;
};

/// Completes a step that has arrived at q and velocity coordinates y: the new state, projected if
/// asked.
Equations finish(const System& s, const FirstOrderSystem& motion, Projection projection,
                 const Vector& q, const Vector& y, const Expr& t, Unknowns& u, Vector zero) {
  if (s.is_skew_gradient()) return {std::move(zero), {}, {q, {}}};
  const Vector v = motion.velocity(q, y);
  if (projection == Projection::none) return {std::move(zero), {}, {q, v}};
  if (projection == Projection::velocity || !s.traits().holonomic)
    return {std::move(zero), {}, {q, s.projected_velocity(q, v, t)}};
  const Vector on = u.vector("projected", q), mu = u.multiplier("mu", zeros(s.holonomic_count()));
  const Vector directions =
      s.constraint_force(on, v, t, concatenate({zeros(s.nonholonomic_count()), mu}));
  const Vector shift = on - q;
  zero = concatenate({zero, s.mass(q, v, t) * shift - directions, s.holonomic(on, t)});
  return {std::move(zero), {}, {on, s.projected_velocity(on, v, t)}};
}

std::optional<std::string> coordinates_misfit(const System& system,
                                              EliminatedCoordinates coordinates) {
  if (system.is_skew_gradient() && coordinates != EliminatedCoordinates::full) {
    return "system \"" + system.name() +
           "\" is in skew-gradient form and has no frame; use coordinates = \"full\"";
  }
  if (coordinates == EliminatedCoordinates::full) return std::nullopt;
  return Frame::misfit(
      system, coordinates == EliminatedCoordinates::adapted ? FrameKind::adapted : FrameKind::qr);
}

Requirements baseline_requirements(Projection projection) {
  const bool plain = projection == Projection::none;
  return {.lagrangian = plain ? LagrangianKind::general : LagrangianKind::configuration_mass,
          .constraints = plain ? ConstraintKind::nonlinear : ConstraintKind::affine,
          .handles_time = true,
          .handles_skew_gradient = plain,
          .handles_force = true,
          .handles_holonomic = true};
}

struct ExplicitTableau {
  std::vector<std::vector<Constant>> a;  ///< row i: the i coefficients of stage i
  std::vector<Constant> b, c;
  std::vector<Constant> error;  ///< weights of the difference to the embedded method, or none
};

using Fraction = std::pair<int, int>;
std::vector<Constant> fractions(std::initializer_list<Fraction> list) {
  std::vector<Constant> result;
  for (const auto& [above, below] : list)
    result.push_back(Constant{double(above)} / Constant{double(below)});
  return result;
}

ExplicitTableau with_nodes(std::vector<std::vector<Constant>> a, std::vector<Constant> b,
                           std::vector<Constant> error) {
  ExplicitTableau tableau{std::move(a), std::move(b), {}, std::move(error)};
  for (const auto& row : tableau.a) {
    Constant sum{0.0};
    for (const Constant& entry : row) sum = sum + entry;
    tableau.c.push_back(sum);
  }
  return tableau;
}

ExplicitTableau classical_tableau() {
  return with_nodes(
      {{}, fractions({{1, 2}}), fractions({{0, 1}, {1, 2}}), fractions({{0, 1}, {0, 1}, {1, 1}})},
      fractions({{1, 6}, {1, 3}, {1, 3}, {1, 6}}), {});
}

/// Source of the coefficients: [Fehlberg1968], Table X.
ExplicitTableau fehlberg_tableau() {
  const Fraction z{0, 1};
  return with_nodes(
      {{},
       fractions({{2, 27}}),
       fractions({{1, 36}, {1, 12}}),
       fractions({{1, 24}, z, {1, 8}}),
       fractions({{5, 12}, z, {-25, 16}, {25, 16}}),
       fractions({{1, 20}, z, z, {1, 4}, {1, 5}}),
       fractions({{-25, 108}, z, z, {125, 108}, {-65, 27}, {125, 54}}),
       fractions({{31, 300}, z, z, z, {61, 225}, {-2, 9}, {13, 900}}),
       fractions({{2, 1}, z, z, {-53, 6}, {704, 45}, {-107, 9}, {67, 90}, {3, 1}}),
       fractions(
           {{-91, 108}, z, z, {23, 108}, {-976, 135}, {311, 54}, {-19, 60}, {17, 6}, {-1, 12}}),
       fractions({{2383, 4100},
                  z,
                  z,
                  {-341, 164},
                  {4496, 1025},
                  {-301, 82},
                  {2133, 4100},
                  {45, 82},
                  {45, 164},
                  {18, 41}}),
       fractions({{3, 205}, z, z, z, z, {-6, 41}, {-3, 205}, {-3, 41}, {3, 41}, {6, 41}, z}),
       fractions({{-1777, 4100},
                  z,
                  z,
                  {-341, 164},
                  {4496, 1025},
                  {-289, 82},
                  {2193, 4100},
                  {51, 82},
                  {33, 164},
                  {12, 41},
                  z,
                  {1, 1}})},
      fractions({z,
                 z,
                 z,
                 z,
                 z,
                 {34, 105},
                 {9, 35},
                 {9, 35},
                 {9, 280},
                 {9, 280},
                 z,
                 {41, 840},
                 {41, 840}}),
      fractions({{-41, 840}, z, z, z, z, z, z, z, z, z, {-41, 840}, {41, 840}, {41, 840}}));
}

/// One step of an explicit method; where the tableau has an embedded method the difference is the
/// estimate of the error.
Equations explicit_step(const System& s, const State& a, Unknowns& u, const Expr& h,
                        const ExplicitTableau& tableau, Projection projection,
                        EliminatedCoordinates coordinates) {
  const FirstOrderSystem motion(s, coordinates, a);
  const Vector y0 = motion.velocity_coordinates();
  std::vector<Vector> q_rate, y_rate;
  const auto moved = [&](const std::vector<Constant>& weights) {
    return weighted_sum(h, weights, q_rate, a.q.size());
  };
  const auto kicked = [&](const std::vector<Constant>& weights) {
    return weighted_sum(h, weights, y_rate, y0.size());
  };
  for (std::size_t i = 0; i < tableau.b.size(); ++i) {
    const Vector q = a.q + moved(tableau.a[i]), y = y0 + kicked(tableau.a[i]);
    q_rate.push_back(motion.velocity(q, y));
    y_rate.push_back(motion.rate(q, y, a.t + Expr(tableau.c[i]) * h));
  }
  const Vector q = a.q + moved(tableau.b), y = y0 + kicked(tableau.b);
  Equations step = finish(s, motion, projection, q, y, a.t + h, u, {});
  if (!tableau.error.empty())
    step.after.error_estimate = concatenate({moved(tableau.error), kicked(tableau.error)});
  return step;
}

/// An implicit collocation method with the given nodes and coefficients.
Equations collocation(const System& s, const State& a, Unknowns& u, const Expr& h,
                      const QuadratureRule& rule, Projection projection,
                      EliminatedCoordinates coordinates) {
  const FirstOrderSystem motion(s, coordinates, a);
  const auto coefficients = collocation_coefficients(rule.nodes);
  const std::size_t stages = rule.nodes.size();
  const bool positions_unknown = coordinates != EliminatedCoordinates::full || s.is_skew_gradient();
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
    return weighted_sum(h, weights, terms);
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
  return finish(s, motion, projection, q, y, a.t + h, u, zero);
}

Facts baseline_facts(int order, bool symmetric, Projection projection,
                     EliminatedCoordinates coordinates) {
  const bool plain = projection == Projection::none;
  return {.order = order,
          .multiplier_order = order,
          .symmetric = symmetric && plain,
          .reversible = symmetric && plain,
          .maps_constraint_set = !plain || coordinates != EliminatedCoordinates::full,
          .keeps_fibration = true};
}

}  // namespace

MethodPage<RungeKutta4> RungeKutta4::page() {
  return {.name = "runge-kutta-4",
          .title = "classical Runge-Kutta method on the eliminated equations",
          .description = "What a user would do without a structure-preserving method.",
          .source = "HairerNorsettWanner1993, Sect. II.1",
          .facts = &RungeKutta4::facts,
          .requirements = &RungeKutta4::requirements,
          .equations = &RungeKutta4::equations,
          .options = common_options<RungeKutta4>(),
          .misfit = &RungeKutta4::misfit};
}

Facts RungeKutta4::facts() const { return baseline_facts(4, false, projection, coordinates); }
Requirements RungeKutta4::requirements() const { return baseline_requirements(projection); }
std::optional<std::string> RungeKutta4::misfit(const System& system) const {
  return coordinates_misfit(system, coordinates);
}

Equations RungeKutta4::equations(const System& s, const State& a, Unknowns& u,
                                 const Expr& h) const {
  return explicit_step(s, a, u, h, classical_tableau(), projection, coordinates);
}

MethodPage<Fehlberg78> Fehlberg78::page() {
  return {
      .name = "fehlberg-78",
      .title = "adaptive explicit method of order 8 on the eliminated equations",
      .description =
          "Substeps of its own between the nodes of the grid, as small as the tolerance asks for.",
      .source = "Fehlberg1968, Table X",
      .formula = {"x = (q, v) or (q, y) with v = X(q) y; x' = f(x) the eliminated equations; a, b, "
                  "c of 13 stages, error weights e",
                  "k_i = f(x0 + h*sum_j a_ij k_j), i = 1..13", "x1 = x0 + h*sum_i b_i k_i",
                  "estimated error of x1: h*sum_i e_i k_i = 41/840*h*(k_12 + k_13 - k_1 - k_11)"},
      .facts = &Fehlberg78::facts,
      .requirements = &Fehlberg78::requirements,
      .equations = &Fehlberg78::equations,
      .error_tolerance = &Fehlberg78::tolerance,
      .options = options_after<Fehlberg78>(
          {"tolerance", &Fehlberg78::tolerance,
           "largest estimated error of a substep, relative to 1 + size; 0: fixed steps", 0.0, 1.0}),
      .misfit = &Fehlberg78::misfit};
}

Facts Fehlberg78::facts() const { return baseline_facts(8, false, projection, coordinates); }
Requirements Fehlberg78::requirements() const { return baseline_requirements(projection); }
std::optional<std::string> Fehlberg78::misfit(const System& system) const {
  return coordinates_misfit(system, coordinates);
}

Equations Fehlberg78::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  return explicit_step(s, a, u, h, fehlberg_tableau(), projection, coordinates);
}

MethodPage<Gauss> Gauss::page() {
  return {.name = "gauss",
          .title = "Gauss collocation on the eliminated equations",
          .description = "Symmetric, implicit, order twice the number of stages.",
          .source = "HairerLubichWanner2006, Sect. II.1.3",
          .facts = &Gauss::facts,
          .requirements = &Gauss::requirements,
          .equations = &Gauss::equations,
          .options = options_after<Gauss>(
              {"stages", &Gauss::stages, "number of stages; the order is twice as high", 1, 8}),
          .misfit = &Gauss::misfit};
}

Facts Gauss::facts() const {
  Facts facts = baseline_facts(2 * stages, true, projection, coordinates);
  facts.symplectic = LagrangianKind::constant_mass;
  return facts;
}
Requirements Gauss::requirements() const { return baseline_requirements(projection); }
std::optional<std::string> Gauss::misfit(const System& system) const {
  return coordinates_misfit(system, coordinates);
}

Equations Gauss::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  return collocation(s, a, u, h, gauss_rule(stages), projection, coordinates);
}

MethodPage<RadauIIA> RadauIIA::page() {
  return {.name = "radau-iia",
          .title = "Radau IIA collocation on the eliminated equations",
          .description = "Stiffly accurate, implicit, order 2 s - 1.",
          .source = "HairerWanner1996, Sect. IV.5",
          .facts = &RadauIIA::facts,
          .requirements = &RadauIIA::requirements,
          .equations = &RadauIIA::equations,
          .options = options_after<RadauIIA>(
              {"stages", &RadauIIA::stages, "number of stages s; the order is 2 s - 1", 1, 8}),
          .misfit = &RadauIIA::misfit};
}

Facts RadauIIA::facts() const {
  return baseline_facts(2 * stages - 1, false, projection, coordinates);
}
Requirements RadauIIA::requirements() const { return baseline_requirements(projection); }
std::optional<std::string> RadauIIA::misfit(const System& system) const {
  return coordinates_misfit(system, coordinates);
}

Equations RadauIIA::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  return collocation(s, a, u, h, radau_rule(stages), projection, coordinates);
}

}  // namespace dalembert
