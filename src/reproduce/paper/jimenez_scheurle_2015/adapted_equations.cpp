// Jimenez and Scheurle 2015, Sects. 2, 4.2 and 6.1: the algebra of the eliminated equations, as
// printed and as it is, evaluated at a state.
#include "adapted_equations.hpp"

#include <cmath>

#include "dalembert/audit/embedding.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/measure/slope.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// An identity in 113 bits, and a number that no round-off explains.
constexpr double identity = 1e-30, difference = 1e-3;

Vector selected(const Vector& entries, const std::vector<std::size_t>& indices) {
  Vector result;
  for (const std::size_t index : indices) result.push_back(entries[index]);
  return result;
}

/// A problem at its start, whose dependent velocities are those of the constraint to 113 bits.
class State {
 public:
  explicit State(const std::string& name) : State(load_problem(name)) {}

  const System& system() const { return system_; }
  const Symbols& symbols() const { return symbols_; }
  const ConstraintChart& chart() const { return chart_; }
  const std::vector<Extended>& q() const { return q_; }
  const std::vector<Extended>& v() const { return v_; }
  std::vector<Extended> values(const Vector& expressions) const {
    StateFunction<Extended> function(system_, symbols_, expressions);
    const auto found = function(Extended(0), q_, v_);
    return {found.begin(), found.end()};
  }
  double largest(const Vector& expressions) const {
    double most = 0.0;
    for (const Extended& value : values(expressions))
      most = numeric::larger(most, std::fabs(static_cast<double>(value)));
    return most;
  }

 private:
  explicit State(const Problem& problem)
      : system_(problem.system),
        symbols_(system_.symbols()),
        chart_(system_, problem.start().q),
        q_(problem.start().q.begin(), problem.start().q.end()),
        v_(problem.start().v.begin(), problem.start().v.end()) {
    const std::vector<Extended> others = values(dependent_velocities(system_, symbols_, chart_));
    for (std::size_t i = 0; i < others.size(); ++i) v_[chart_.dependent[i]] = others[i];
  }

  System system_;
  Symbols symbols_;
  ConstraintChart chart_;
  std::vector<Extended> q_, v_;
};

/// mu^T C mu with C the inverse of mu M^-1 mu^T, for any covectors mu in rows.
Matrix metric_of(const Matrix& covectors, const Matrix& mass) {
  const Matrix transposed = transpose(covectors);
  const Matrix raised = solve_linear(mass, transposed);
  const Matrix product = covectors * raised;
  const Matrix inverse = solve_linear(product, covectors);
  return transposed * inverse;
}

/// The covectors of the constraints with those of coordinates, up to as many as coordinates.
Matrix completed(const Matrix& covectors, const ConstraintChart& chart) {
  Matrix square(covectors.columns(), covectors.columns());
  for (std::size_t row = 0; row < covectors.rows(); ++row) {
    for (std::size_t j = 0; j < covectors.columns(); ++j) square(row, j) = covectors(row, j);
  }
  for (std::size_t i = 0; i < chart.free.size(); ++i)
    square(covectors.rows() + i, chart.free[i]) = 1.0;
  return square;
}

std::vector<Evidence> lemma_4_4() {
  const State state("witness-coupled-mass");
  const Symbols& s = state.symbols();
  const Matrix mass = state.system().mass(s.q), covectors = state.system().constraint_matrix(s.q);
  const Matrix part = metric_of(covectors, mass);
  const Matrix projector = solve_linear(mass, part);
  const Matrix twice = projector * projector;
  const Matrix square = metric_of(completed(covectors, state.chart()), mass);
  Expr trace = 0.0;
  for (std::size_t i = 0; i < projector.rows(); ++i) trace += projector(i, i);
  return {
      {"largest entry of mu^T C mu - m, one constraint on three coordinates",
       state.largest((part - mass).entries()), 0.0, 0.0, identity, EvidenceRole::published},
      {"the same with as many independent covectors as coordinates",
       state.largest((square - mass).entries()), 0.0, 0.0, identity},
      {"largest entry of P^2 - P, P = m^{-1} mu^T C mu",
       state.largest((twice - projector).entries()), 0.0, 0.0, identity, EvidenceRole::qualified},
      {"trace of P less the number of constraints",
       state.largest({trace - static_cast<double>(covectors.rows())}), 0.0, 0.0, identity,
       EvidenceRole::qualified}};
}

/// What a perturbation (in q, in v) of the equations adds to the acceleration: by solving the
/// equations for acceleration and multiplier, and by the two formulas.
std::vector<Evidence> perturbed_accelerations() {
  const State state("witness-coupled-mass");
  const System& system = state.system();
  const Symbols& s = state.symbols();
  const Vector in_q{0.3, -0.5, 0.7}, in_v{-0.4, 0.6, 0.2};
  const Matrix covectors = system.constraint_matrix(s.q), mass = system.mass(s.q);
  const Vector moved = directional_derivative(system.constraint(s.q, s.v), s.q, in_q);
  const Matrix directions = system.multiplier_directions(s.q);
  // m a - mu^T l = m in_v, mu a = -moved: the change of the equations is linear.
  const std::size_t n = s.q.size(), m = covectors.rows();
  Matrix saddle(n + m, n + m);
  Vector right = mass * in_v;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) saddle(i, j) = mass(i, j);
    for (std::size_t k = 0; k < m; ++k) {
      saddle(i, n + k) = -covectors(k, i);
      saddle(n + k, i) = covectors(k, i);
    }
  }
  for (const Expr& entry : moved) right.push_back(-entry);
  const Vector solved = solve_by_pivoting(saddle, right);
  const Vector acceleration(solved.begin(), solved.begin() + static_cast<std::ptrdiff_t>(n));
  const Matrix product = covectors * directions;
  const Vector sensed = covectors * in_v;
  const Vector both = solve_linear(product, moved + sensed), only = solve_linear(product, moved);
  const Vector kept = in_v - directions * solve_linear(product, sensed);
  const Vector eq_54 = in_v - directions * both;
  const Vector eq_55 = -(directions * only);
  const double share = state.largest(kept) / state.largest(in_v);
  const double missing = state.largest(acceleration - eq_55);
  return {{"acceleration by (53) and (54) less that of the equations (51)",
           state.largest(acceleration - eq_54), 0.0, 0.0, identity},
          {"acceleration by (55) less that of the equations (51)", missing, 0.0, 0.0, identity,
           EvidenceRole::published},
          {"what (55) leaves out less the part of the perturbation along D",
           state.largest(acceleration - eq_55 - kept), 0.0, 0.0, identity, EvidenceRole::qualified},
          {"the part along D over the perturbation of the velocities", share, 0.0, difference,
           INFINITY, EvidenceRole::qualified, "share"}};
}

/// A_a^alpha of the connection, dq^alpha/dt = -A_a^alpha dq^a/dt, of a system with one constraint.
Vector connection(const State& state) {
  const Symbols& s = state.symbols();
  const Vector dependent = dependent_velocities(state.system(), s, state.chart());
  return -gradient(dependent.front(), selected(s.v, state.chart().free));
}

/// lambda and the free accelerations of (68).
struct Adapted {
  Expr lambda;
  Vector reaction, acceleration;
};

Adapted eq_68(const State& state) {
  const Symbols& s = state.symbols();
  const std::vector<std::size_t>& free = state.chart().free;
  const std::size_t dependent = state.chart().dependent.front(), n = s.q.size();
  const Vector a = connection(state);
  Vector covector(n);
  covector[dependent] = 1.0;
  for (std::size_t k = 0; k < free.size(); ++k) covector[free[k]] = a[k];
  const Matrix mass = state.system().mass(s.q);
  const Vector pull = solve_linear(mass, state.system().potential_gradient(s.q)),
               raised = solve_linear(mass, covector);
  Expr bend = 0.0, drift = 0.0;
  for (std::size_t b = 0; b < free.size(); ++b) {
    const Vector slope = gradient(a[b], s.q);
    for (std::size_t k = 0; k < free.size(); ++k) {
      const Expr speeds = s.v[free[b]] * s.v[free[k]];
      bend += slope[free[k]] * speeds;
      const Expr lifted = slope[dependent] * a[k];
      drift += lifted * speeds;
    }
  }
  const Expr weight = dot(covector, pull), size = dot(covector, raised);
  Adapted result{-(bend - drift - weight) / size, selected(raised, free), {}};
  result.acceleration = result.lambda * result.reaction - selected(pull, free);
  return result;
}

/// The left side less the right side of the equations of the reduced Lagrangian l(q, v^a),
/// d/dt dl/dv^a - dl/dq^a + A_a dl/dq^alpha = -dL/dv^alpha B_ab v^b, along the exact motion.
/// Source: [BlochKrishnaprasadMarsdenMurray1996], Sect. 2, with the curvature B of A.
Vector reduced_residual(const State& state, bool has_curvature) {
  const System& system = state.system();
  const Symbols& s = state.symbols();
  const std::vector<std::size_t>& free = state.chart().free;
  const std::size_t dependent = state.chart().dependent.front();
  const Vector a = connection(state), v = selected(s.v, free);
  Vector velocity = s.v;
  velocity[dependent] = -dot(a, v);
  const Expr reduced = substitute(system.lagrangian(s.q, s.v), s.v, velocity);
  const Expr momentum = substitute(system.momentum(s.q, s.v)[dependent], s.v, velocity);
  const Vector reduced_momentum = gradient(reduced, v), pull = gradient(reduced, s.q);
  const Vector by_q = directional_derivative(reduced_momentum, s.q, velocity);
  const Vector acceleration = selected(system.eliminated(s.q, s.v, s.t).acceleration, free);
  const Vector by_v = directional_derivative(reduced_momentum, v, acceleration);
  Vector residual = by_q + by_v;
  for (std::size_t k = 0; k < free.size(); ++k) {
    residual[k] += a[k] * pull[dependent] - pull[free[k]];
    const Vector slope = gradient(a[k], s.q);
    for (std::size_t b = 0; has_curvature && b < free.size(); ++b) {
      const Vector other = gradient(a[b], s.q);
      Expr curvature = slope[free[b]] - other[free[k]];
      curvature -= a[b] * slope[dependent];
      curvature += a[k] * other[dependent];
      residual[k] += momentum * curvature * v[b];
    }
  }
  return residual;
}

std::vector<Evidence> adapted_motion() {
  const State state("witness-constant-mass"), coupled("witness-coupled-mass");
  const Symbols& s = state.symbols();
  const Vector exact =
      selected(state.system().eliminated(s.q, s.v, s.t).acceleration, state.chart().free);
  return {{"acceleration by (68) less that of the eliminated equations, constant mass",
           state.largest(eq_68(state).acceleration - exact), 0.0, 0.0, identity},
          {"residual of the reduced Lagrangian's equations with the curvature, constant mass",
           state.largest(reduced_residual(state, true)), 0.0, 0.0, identity},
          {"the same, mass that depends on q", coupled.largest(reduced_residual(coupled, true)),
           0.0, 0.0, identity},
          {"the same without the curvature", coupled.largest(reduced_residual(coupled, false)), 0.0,
           difference, INFINITY}};
}

/// A step of (71) less its first-order form in coordinates of D, with the reaction's sign.
std::vector<double> expansion_errors(double sign) {
  const State state("witness-constant-mass");
  const Adapted equations = eq_68(state);
  const std::vector<std::size_t>& free = state.chart().free;
  const std::vector<Extended> reaction = state.values(equations.lambda * equations.reaction),
                              acceleration = state.values(equations.acceleration);
  StepMap<Extended> map(state.system(), make_method({"velocity-dla", {{"beta", 0.0}}}), {});
  const std::vector<double> rest(state.q().size(), 0.0);
  std::vector<double> errors;
  for (int k = 4; k < 10; ++k) {
    const Extended h = Extended(1) / (1 << k);
    BasicPoint<Extended> point = map.start(rest, rest);
    point.q = state.q();
    point.v = state.v();
    double worst = map.apply(point, h) ? 0.0 : NAN;
    for (std::size_t i = 0; i < free.size(); ++i) {
      const Extended change = acceleration[i] + (Extended(sign) - 1) * reaction[i];
      const Extended error = point.v[free[i]] - state.v()[free[i]] - h * change;
      worst = numeric::larger(worst, std::fabs(static_cast<double>(error)));
    }
    errors.push_back(worst);
  }
  return errors;
}

Evidence expansion(const std::string& what, double sign, EvidenceRole role) {
  const OrderSeries series = fit_order(expansion_errors(sign), 0.0);
  return {"power of h in the step of (71) less its adapted form, " + what,
          series.measured ? series.slope : NAN,
          series.uncertainty,
          1.85,
          2.15,
          role};
}

}  // namespace

ExperimentOutcome adapted_equations(const ReproductionEffort&) {
  return {{},
          {{"004-C.1", lemma_4_4()},
           {"004-C.2", perturbed_accelerations()},
           {"004-C.3", adapted_motion()},
           {"004-C.4",
            {expansion("sign - of the reaction", -1.0, EvidenceRole::published),
             expansion("sign +", 1.0, EvidenceRole::qualified)}}}};
}

}  // namespace dalembert::reproduce
