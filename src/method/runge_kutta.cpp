#include "dalembert/method/runge_kutta.hpp"

#include "dalembert/expression/pieces.hpp"
#include "dalembert/mechanics/frame.hpp"
#include "dalembert/mechanics/group/chart.hpp"
#include "method/stage/dop853_tableau.hpp"
#include "method/stage/explicit_tableau.hpp"
#include "method/stage/first_order_system.hpp"
#include "method/stage/retraction_words.hpp"
#include "method/stage/weighted_sum.hpp"

namespace dalembert {
namespace {

template <class M>
Option<M> projection_option() {
  return {"projection", &M::projection,
          "what of the new state is projected onto the constraints, in the metric of the mass",
          Words<Projection>{{Projection::none, "none"},
                            {Projection::velocity, "velocity"},
                            {Projection::position_velocity, "position-velocity"}}};
}

/// The options that all baselines have.
template <class M>
std::vector<Option<M>> common_options() {
  return {projection_option<M>(),
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

/// Completes a step that has arrived at q and velocity coordinates y: the new state, projected if
/// asked.
Equations finish(const System& s, const FirstOrderSystem& motion, Projection projection,
                 const Vector& q, const Vector& y, const Expr& t, Unknowns& u, Vector zero) {
  if (s.is_skew_gradient()) return {std::move(zero), {}, {q, {}}};
  const Vector v = motion.velocity(q, y);
  if (projection == Projection::none) return {std::move(zero), {}, {q, v}};
  if (projection == Projection::velocity || !s.traits().holonomic)
    return {std::move(zero), {}, {q, s.projected_velocity(q, v, t)}};
  const bool moves = s.traits().has_groups;
  const Vector found = u.vector("projected", moves ? zeros(s.dof()) : q);
  const Vector on = moves ? s.configuration().move(Retraction::cayley, q, found) : found;
  const Vector mu = u.multiplier("mu", zeros(s.holonomic_count()));
  const Vector directions =
      transpose(s.constraint_matrix(on, v, t)) * concatenate({zeros(s.nonholonomic_count()), mu});
  const Vector shift = moves ? found : on - q;
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
  if (const std::string name = system.nonideal_constraint(); !name.empty())
    return "quasi-velocities leave out reactions, and that of \"" + name +
           "\" has a direction of its own; use coordinates = \"full\"";
  return Frame::misfit(system, coordinates == EliminatedCoordinates::adapted
                                   ? FrameKind::adapted
                                   : FrameKind::automatic);
}

Requirements baseline_requirements(Projection projection) {
  const bool plain = projection == Projection::none;
  return {.lagrangian = plain ? LagrangianKind::general : LagrangianKind::configuration_mass,
          .constraints = plain ? ConstraintKind::nonlinear : ConstraintKind::affine,
          .handles_time = true,
          .handles_skew_gradient = plain,
          .handles_force = true,
          .handles_holonomic = true,
          .handles_groups = true,
          .handles_reactions = true};
}

/// The sizes to which errors of these numbers are compared: an absolute one and a part of theirs.
Vector error_scales(const Vector& before, const Vector& after, double absolute, double relative) {
  Vector scales;
  for (std::size_t i = 0; i < before.size(); ++i)
    scales.push_back(absolute + relative * max(abs(before[i]), abs(after[i])));
  return scales;
}

/// h E5^2 / sqrt(E5^2 + E3^2 / 100) in the mean over all numbers, in parts of their scales. Source:
/// [HairerNorsettWanner1993], Sect. II.10, (10.17).
Expr combined_error(const Vector& fine, const Vector& coarse, const Vector& scales) {
  // Nothing is divided by zero where there is no error at all.
  constexpr double least = 1e-300;
  Expr fine_square = 0.0, coarse_square = 0.0;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    fine_square += square(fine[i] / scales[i]);
    coarse_square += square(coarse[i] / scales[i]);
  }
  const auto count = static_cast<double>(scales.size());
  return fine_square / sqrt(count * (fine_square + 0.01 * coarse_square) + least);
}

/// Bounds of errors: `relative` to sizes, `absolute` near zero.
struct ErrorBounds {
  double relative = 0.0, absolute = 0.0;
};

/// One step of an explicit method, on groups for the displacement in the chart of the start; where
/// the tableau has an embedded method the difference is the estimate of the error, and where it has
/// two, both together in parts of the bounds.
Equations explicit_step(const System& s, const State& a, Unknowns& u, const Expr& h,
                        const ExplicitTableau& tableau, Projection projection,
                        EliminatedCoordinates coordinates, const ErrorBounds& bounds = {}) {
  const FirstOrderSystem motion(s, coordinates, a);
  const Vector y0 = motion.velocity_coordinates();
  const Chart chart(s.configuration(), a.q, zeros(s.dof()), Retraction::cayley, ChartBase::start);
  std::vector<Vector> q_rate, y_rate;
  const auto moved = [&](const std::vector<Constant>& weights) {
    return weighted_sum(h, weights, q_rate, s.dof());
  };
  const auto kicked = [&](const std::vector<Constant>& weights) {
    return weighted_sum(h, weights, y_rate, y0.size());
  };
  for (std::size_t i = 0; i < tableau.b.size(); ++i) {
    const Vector place = moved(tableau.a[i]), q = chart.point(place);
    const Vector y = y0 + kicked(tableau.a[i]);
    q_rate.push_back(chart.rate(place, motion.velocity(q, y)));
    y_rate.push_back(motion.rate(q, y, a.t + Expr(tableau.c[i]) * h));
  }
  const Vector q = chart.point(moved(tableau.b)), y = y0 + kicked(tableau.b);
  Equations step = finish(s, motion, projection, q, y, a.t + h, u, {});
  const auto change = [&](const std::vector<Constant>& weights) {
    return concatenate({moved(weights), kicked(weights)});
  };
  if (!tableau.coarse_error.empty()) {
    if (bounds.relative == 0.0) return step;
    // What moves on a group is compared with one.
    const bool moves = s.traits().has_groups;
    const Vector ones(s.dof(), Expr(1.0));
    const Vector before = concatenate({moves ? ones : a.q, y0}),
                 after = concatenate({moves ? ones : q, y});
    const Expr error =
        combined_error(change(tableau.error), change(tableau.coarse_error),
                       error_scales(before, after, bounds.absolute, bounds.relative));
    step.after.error_estimate = {bounds.relative * error};
  } else if (!tableau.error.empty()) {
    step.after.error_estimate = change(tableau.error);
  }
  return step;
}

/// True if sweeps find the stages faster than Newton's iteration, whose linear systems grow with
/// both numbers, and on groups with the chart.
bool is_swept(const System& s, std::size_t stages) {
  constexpr std::size_t smallest_size = 16;
  return stages > 1 && (s.traits().has_groups || stages * s.dof() >= smallest_size);
}

/// The stages of a collocation method as a fixed point; `rates` of the positions and the velocity
/// coordinates are unknowns.
StageIteration stages_of(const System& s, const FirstOrderSystem& motion, const State& a,
                         const Expr& h, const QuadratureRule& rule, ChartBase base,
                         const std::vector<Vector>& position_rate,
                         const std::vector<Vector>& rate) {
  const GraphPointer& graph = h.graph();
  const bool moves = s.traits().has_groups, is_centred = moves && base == ChartBase::middle;
  const Vector y0 = motion.velocity_coordinates();
  StageIteration stages;
  const auto symbols = [&](const std::string& name, std::size_t count) {
    Vector result;
    for (std::size_t i = 0; i < count; ++i)
      result.push_back(make_symbol(graph, name + "_" + std::to_string(i + 1)));
    return result;
  };
  const Vector place = symbols("stage_position", s.dof()), y = symbols("stage_velocity", y0.size());
  stages.state = concatenate({place, y});
  stages.positions = place.size();
  stages.time = make_symbol(graph, "stage_time");
  if (is_centred) stages.end = symbols("step_displacement", s.dof());
  stages.end_weights = rule.weights;
  // Without groups the place is q itself.
  const Chart chart(s.configuration(), moves ? a.q : zeros(s.dof()),
                    is_centred ? stages.end : zeros(s.dof()), Retraction::cayley, base);
  const Vector q = chart.point(place);
  const Vector moving = chart.rate(place, motion.velocity(q, y));
  stages.rate = concatenate({moving, motion.rate(q, y, stages.time)});
  stages.before = concatenate({moves ? zeros(s.dof()) : a.q, y0});
  stages.start_time = a.t;
  stages.step = h;
  stages.nodes = rule.nodes;
  stages.weights = collocation_coefficients(rule.nodes);
  for (std::size_t i = 0; i < rate.size(); ++i)
    stages.rates.push_back(concatenate({position_rate[i], rate[i]}));
  return stages;
}

/// An implicit collocation method with the given nodes and coefficients, on groups for the
/// displacement in the chart of the step.
Equations collocation(const System& s, const State& a, Unknowns& u, const Expr& h,
                      const QuadratureRule& rule, ChartBase base, Projection projection,
                      EliminatedCoordinates coordinates) {
  const FirstOrderSystem motion(s, coordinates, a);
  const auto coefficients = collocation_coefficients(rule.nodes);
  const std::size_t stages = rule.nodes.size();
  const bool swept = is_swept(s, stages);
  const bool positions_unknown = coordinates != EliminatedCoordinates::full ||
                                 s.is_skew_gradient() || s.traits().has_groups || swept;
  const auto unknown = [&](const std::string& name, const Vector& guess) {
    return swept ? u.whole(name, guess) : u.vector(name, guess);
  };
  const Vector y0 = motion.velocity_coordinates();
  std::vector<Vector> rate, position_rate;
  for (std::size_t i = 0; i < stages; ++i) {
    rate.push_back(unknown("rate_" + std::to_string(i + 1), zeros(y0.size())));
    // In coordinates of D the positions are unknown too; else they follow from the rates.
    if (positions_unknown)
      position_rate.push_back(unknown("velocity_" + std::to_string(i + 1),
                                      s.is_skew_gradient() ? zeros(s.dof()) : a.v));
  }
  const auto sum = [&](const std::vector<Constant>& weights, const std::vector<Vector>& terms) {
    return weighted_sum(h, weights, terms);
  };
  Vector zero;
  std::vector<Vector> velocities;
  for (std::size_t i = 0; i < stages; ++i) velocities.push_back(y0 + sum(coefficients[i], rate));
  const std::vector<Vector>& moves = positions_unknown ? position_rate : velocities;
  const Vector total = s.traits().has_groups ? sum(rule.weights, moves) : zeros(s.dof());
  const Chart chart(s.configuration(), a.q, total, Retraction::cayley, base);
  for (std::size_t i = 0; i < stages; ++i) {
    const Vector place = sum(coefficients[i], moves), q = chart.point(place);
    const Expr t = a.t + Expr(rule.nodes[i]) * h;
    const Vector lambda = motion.multipliers() > 0
                              ? u.multiplier("lambda_" + std::to_string(i + 1), a.lambda)
                              : Vector{};
    zero = concatenate({zero, motion.residual(q, velocities[i], t, rate[i], lambda)});
    if (positions_unknown)
      zero = concatenate(
          {zero, position_rate[i] - chart.rate(place, motion.velocity(q, velocities[i]))});
  }
  const Vector q = chart.point(sum(rule.weights, moves)), y = y0 + sum(rule.weights, rate);
  Equations step = finish(s, motion, projection, q, y, a.t + h, u, zero);
  if (swept) step.stages = stages_of(s, motion, a, h, rule, base, position_rate, rate);
  return step;
}

Facts baseline_facts(int order, bool symmetric, Projection projection,
                     EliminatedCoordinates coordinates) {
  const bool plain = projection == Projection::none;
  return {.order = order,
          .multiplier_order = order,
          .continuous_multiplier = true,
          .symmetric = symmetric && plain,
          .reversible = symmetric && plain,
          .maps_constraint_set = !plain || coordinates != EliminatedCoordinates::full,
          .drifts_from_positions = projection != Projection::position_velocity,
          .keeps_fibration = true};
}

}  // namespace

MethodPage<RungeKutta4> RungeKutta4::page() {
  return {
      .name = "runge-kutta-4",
      .title = "classical Runge-Kutta method on the eliminated equations",
      .use = {"the classical method is wanted for comparison, or a few digits of a short motion",
              "the motion is long: energy and constraints drift"},
      .description = "What a user would do without a structure-preserving method.",
      .source = "HairerNorsettWanner1993, Sect. II.1",
      .formula = {"x = (q, v), x' = f(x): M v' = -dV(q) + A(q)^T lambda, lambda such that "
                  "A(q) v' + dA(q)(v, v) = 0",
                  "k_1 = f(x0), k_2 = f(x0 + h/2*k_1), k_3 = f(x0 + h/2*k_2), k_4 = f(x0 + h*k_3)",
                  "x1 = x0 + h/6*(k_1 + 2 k_2 + 2 k_3 + k_4)"},
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
      .use = {"a short smooth motion is to have many digits in the least time",
              "the motion takes millions of steps, where energy and constraints drift, or "
              "meets switches, where its order is lost"},
      .description =
          "Substeps of its own between the nodes of the grid, as small as the tolerance asks for. "
          "Its estimate compares stages at equal times: it cannot see forces of time alone, nor "
          "switches; dop853 does.",
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

MethodPage<Dop853> Dop853::page() {
  std::vector<Option<Dop853>> options = options_after<Dop853>(
      {"absolute", &Dop853::absolute,
       "largest estimated error of a number near zero; 0: as the tolerance", 0.0, 1.0});
  options.insert(
      options.begin(),
      {"tolerance", &Dop853::tolerance,
       "largest estimated error of a substep, relative to sizes; 0: fixed steps", 0.0, 1.0});
  return {
      .name = "dop853",
      .title = "adaptive explicit method of order 8(5,3) of Dormand and Prince",
      .use = {"a smooth motion is to have the digits that a tolerance asks for, also with forces "
              "of time or switches, and nothing is known of its step",
              "the motion takes millions of steps, where energy and constraints drift, or forces "
              "damp stiffly, where radau-iia takes longer steps"},
      .description =
          "On the eliminated equations. Substeps of its own between the nodes of the "
          "grid, as small as the tolerance asks for; its estimate has stages at "
          "different times, and sees forces of time.",
      .source = "HairerNorsettWanner1993, Sect. II.10",
      .formula = {"x = (q, v) or (q, y) with v = X(q) y; x' = f(x) the eliminated equations; a, b, "
                  "c of 12 stages, error weights e, f",
                  "k_i = f(x0 + h*sum_j a_ij k_j), i = 1..12", "x1 = x0 + h*sum_i b_i k_i",
                  "E5 = sum_i e_i k_i, E3 = sum_i f_i k_i, in parts of absolute + tolerance*size, "
                  "in the mean",
                  "estimated error of x1: h*E5^2/sqrt(E5^2 + E3^2/100)"},
      .facts = &Dop853::facts,
      .requirements = &Dop853::requirements,
      .equations = &Dop853::equations,
      .error_tolerance = &Dop853::tolerance,
      .error_is_scaled = true,
      .options = std::move(options),
      .misfit = &Dop853::misfit};
}

Facts Dop853::facts() const { return baseline_facts(8, false, projection, coordinates); }
Requirements Dop853::requirements() const { return baseline_requirements(projection); }
std::optional<std::string> Dop853::misfit(const System& system) const {
  return coordinates_misfit(system, coordinates);
}

Equations Dop853::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  return explicit_step(s, a, u, h, dop853_tableau(), projection, coordinates,
                       {tolerance, absolute > 0.0 ? absolute : tolerance});
}

MethodPage<Gauss> Gauss::page() {
  return {.name = "gauss",
          // With the forces of the motion, on the image of the constraints under a step.
          .aliases = {{"exact-discrete-gauss",
                       "AnahorySimoesMarreroMartin2022",
                       {{"projection", "velocity"}},
                       LagrangianKind::constant_mass}},
          .title = "Gauss collocation on the eliminated equations",
          .use = {"a smooth motion is to have many digits with large steps; projection = velocity "
                  "keeps the constraints to machine precision",
                  "energies must not drift at all over millions of steps, or the motion meets "
                  "switches, where its order is lost"},
          .description = "Symmetric, implicit, order twice the number of stages.",
          .source = "HairerLubichWanner2006, Sect. II.1.3",
          .facts = &Gauss::facts,
          .requirements = &Gauss::requirements,
          .equations = &Gauss::equations,
          .options = options_after<Gauss>(
              {"stages", &Gauss::stages, "number of stages; the order is twice as high", 1, 16}),
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
  return collocation(s, a, u, h, gauss_rule(stages), ChartBase::middle, projection, coordinates);
}

MethodPage<RadauIIA> RadauIIA::page() {
  return {.name = "radau-iia",
          .title = "Radau IIA collocation on the eliminated equations",
          .use = {"stiff forces are to be damped, or results are compared with solvers of DAEs",
                  "energies matter over long times: it takes them away"},
          .description = "Stiffly accurate, implicit, order 2 s - 1.",
          .source = "HairerWanner1996, Sect. IV.5",
          .facts = &RadauIIA::facts,
          .requirements = &RadauIIA::requirements,
          .equations = &RadauIIA::equations,
          .options = options_after<RadauIIA>(
              {"stages", &RadauIIA::stages, "number of stages s; the order is 2 s - 1", 1, 16}),
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
  return collocation(s, a, u, h, radau_rule(stages), ChartBase::start, projection, coordinates);
}

MethodPage<LieMidpoint> LieMidpoint::page() {
  return {.name = "lie-midpoint",
          .title = "midpoint rule on Lie groups",
          .use = {"a symmetric baseline of order 2 on Lie groups is wanted",
                  "the constraints must hold at the nodes: the new velocity satisfies them only "
                  "nearly; lobatto keeps them"},
          .description =
              "The midpoint rule for velocities in the body frame, half a step on the group to the "
              "middle and half from there. Without groups gauss with one stage.",
          .source = "HairerLubichWanner2006, Sect. IV.8",
          .formula = {"w = (v0 + v1)/2, g = g0*tau(h*w/2), g1 = g*tau(h*w/2)",
                      "v1 = v0 + h*v' with the eliminated equations at (g, w)"},
          .facts = &LieMidpoint::facts,
          .requirements = &LieMidpoint::requirements,
          .equations = &LieMidpoint::equations,
          .options = {projection_option<LieMidpoint>(),
                      {"retraction", &LieMidpoint::retraction, "by which a step moves on groups",
                       retraction_words()}}};
}

Facts LieMidpoint::facts() const {
  Facts facts = baseline_facts(2, true, projection, EliminatedCoordinates::full);
  facts.symplectic = LagrangianKind::constant_mass;
  return facts;
}
Requirements LieMidpoint::requirements() const {
  Requirements requirements = baseline_requirements(projection);
  requirements.handles_skew_gradient = false;
  return requirements;
}

Equations LieMidpoint::equations(const System& s, const State& a, Unknowns& u,
                                 const Expr& h) const {
  const FirstOrderSystem motion(s, EliminatedCoordinates::full, a);
  const Vector acceleration = u.vector("acceleration", zeros(s.dof()));
  const Vector half_kick = 0.5 * h * acceleration, velocity = a.v + half_kick;
  const Vector half = 0.5 * h * velocity;
  const Vector middle = s.configuration().move(retraction, a.q, half);
  const Vector lambda = u.multiplier("lambda", a.lambda);
  const Vector zero = motion.residual(middle, velocity, a.t + 0.5 * h, acceleration, lambda);
  const Vector q = s.configuration().move(retraction, middle, half), kick = h * acceleration;
  const Vector v = a.v + kick;
  return finish(s, motion, projection, q, v, a.t + h, u, zero);
}

}  // namespace dalembert
