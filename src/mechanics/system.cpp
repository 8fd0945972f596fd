#include "dalembert/mechanics/system.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/query.hpp"

namespace dalembert {

struct System::Data {
  SystemDescription description;
  std::shared_ptr<Graph> graph;
  Symbols symbols;
  Mechanics mechanics;
  SystemTraits traits;
  Vector parameters;
  Expr lagrangian, potential;
  Vector momentum, lagrangian_gradient, potential_gradient;
  Vector constraints;                              // Phi, then dphi/dt
  Vector constraint_change;                        // dPhi/dq v + dPhi/dt
  Matrix mass, constraint_matrix, momentum_slope;  // slope: d(dL/dv)/dq
  Vector momentum_rate;                            // d(dL/dv)/dt at fixed q and v
  mutable std::recursive_mutex mutex;

  /// Everything that follows from a Lagrangian.
  void derive(const SystemDescription& about, const Mechanics& equations, const Symbols& s);
  void derive_constraints(const SystemDescription& about, const Mechanics& equations,
                          const Symbols& s);
  /// dL/dq + force - d/dt (dL/dv) without the part M v'.
  Vector driving_force(const Vector& q, const Vector& v, const Expr& t) const {
    const Vector external =
        mechanics.force.empty() ? zeros(symbols.q.size()) : at(mechanics.force, q, v, t);
    return at(lagrangian_gradient, q, v, t) + external - at(momentum_slope, q, v, t) * v -
           at(momentum_rate, q, v, t);
  }

  Vector at(const Vector& expressions, const Vector& q, const Vector& v, const Expr& t) const {
    return substitute(expressions, concatenate({symbols.q, symbols.v, Vector{symbols.t}}),
                      concatenate({q, v, Vector{t}}));
  }
  Matrix at(const Matrix& matrix, const Vector& q, const Vector& v, const Expr& t) const {
    Matrix result = matrix;
    result.entries() = at(matrix.entries(), q, v, t);
    return result;
  }
};

namespace {

SignFacts facts_of(const Parameter& parameter) {
  SignFacts facts;
  facts.nonnegative = parameter.min >= 0.0;
  facts.nonpositive = parameter.max <= 0.0;
  facts.nonzero = parameter.min > 0.0 || parameter.max < 0.0 ||
                  (parameter.min == 0.0 && parameter.min_exclusive) ||
                  (parameter.max == 0.0 && parameter.max_exclusive);
  return facts;
}

bool is_zero(const Vector& entries) {
  return std::all_of(entries.begin(), entries.end(),
                     [](const Expr& entry) { return entry.is_constant(0.0); });
}

bool any_depends(const Vector& entries, const Vector& symbols) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Expr& entry) { return depends_on(entry, symbols); });
}

LagrangianKind lagrangian_kind(const Matrix& mass, const Vector& momentum_at_rest,
                               const Symbols& symbols) {
  // A mass that changes with time is not of the form v.M(q)v/2 either.
  if (any_depends(mass.entries(), symbols.v) || any_depends(mass.entries(), {symbols.t}) ||
      !is_zero(momentum_at_rest))
    return LagrangianKind::general;
  return any_depends(mass.entries(), symbols.q) ? LagrangianKind::configuration_mass
                                                : LagrangianKind::constant_mass;
}

ConstraintKind constraint_kind(const Vector& constraints, const Matrix& slope,
                               const Symbols& symbols) {
  if (constraints.empty()) return ConstraintKind::none;
  if (any_depends(slope.entries(), symbols.v)) return ConstraintKind::nonlinear;
  const Vector at_rest = substitute(constraints, symbols.v, zeros(symbols.v.size()));
  return is_zero(at_rest) ? ConstraintKind::linear : ConstraintKind::affine;
}

void check_constraints(const SystemDescription& description, const Mechanics& mechanics,
                       const Symbols& symbols, const Matrix& slope) {
  for (std::size_t i = 0; i < mechanics.constraints.size(); ++i) {
    const std::string which =
        "system \"" + description.name + "\": constraint " + std::to_string(i + 1);
    if (mechanics.constraints[i].is_constant(0.0)) {
      throw std::invalid_argument(which + " is identically zero; remove it or correct it");
    }
    if (!depends_on(mechanics.constraints[i], symbols.v) || is_zero(slope.row(i))) {
      throw std::invalid_argument(
          which + " (" + to_string(mechanics.constraints[i]) +
          ") contains no velocity; a constraint on positions alone is holonomic");
    }
  }
}

void check_holonomic(const SystemDescription& description, const Mechanics& mechanics,
                     const Symbols& symbols) {
  for (std::size_t i = 0; i < mechanics.holonomic.size(); ++i) {
    const Expr& phi = mechanics.holonomic[i];
    const std::string which =
        "system \"" + description.name + "\": holonomic constraint " + std::to_string(i + 1);
    if (phi.is_constant(0.0))
      throw std::invalid_argument(which + " is identically zero; remove it or correct it");
    if (depends_on(phi, symbols.v)) {
      throw std::invalid_argument(which + " (" + to_string(phi) +
                                  ") contains a velocity; it belongs to the constraints on "
                                  "velocities");
    }
    if (!depends_on(phi, symbols.q))
      throw std::invalid_argument(which + " (" + to_string(phi) + ") contains no coordinate");
  }
  const std::size_t count = mechanics.constraints.size() + mechanics.holonomic.size();
  if (count > symbols.q.size()) {
    throw std::invalid_argument("system \"" + description.name + "\" has " + std::to_string(count) +
                                " constraints for " + std::to_string(symbols.q.size()) +
                                " coordinates; they cannot be independent");
  }
}

/// The matrix [M, -A^T; A, 0] of the equations for accelerations (or velocities) and multipliers.
Matrix saddle_point_matrix(const Matrix& mass, const Matrix& constraint) {
  const std::size_t n = mass.rows(), m = constraint.rows();
  Matrix result(n + m, n + m);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) result(i, j) = mass(i, j);
    for (std::size_t k = 0; k < m; ++k) {
      result(i, n + k) = -constraint(k, i);
      result(n + k, i) = constraint(k, i);
    }
  }
  return result;
}

/// Throws unless the matrix could be regular for some state.
void check_not_singular(const Matrix& matrix, const std::string& problem) {
  try {
    static_cast<void>(solve_linear(matrix, zeros(matrix.rows())));
  } catch (const std::domain_error&) {
    throw std::invalid_argument(problem);
  }
}

void check_mass(const SystemDescription& description, const Matrix& mass) {
  for (std::size_t i = 0; i < mass.rows(); ++i) {
    if (is_zero(mass.row(i))) {
      throw std::invalid_argument(
          "system \"" + description.name + "\": the Lagrangian has no kinetic energy in " +
          description.coordinates[i].name + "_dot, so the mass matrix is singular");
    }
  }
}

void check_skew(const SystemDescription& description, const SkewGradient& form) {
  const std::size_t n = description.coordinates.size();
  const Matrix& pi = form.structure;
  const std::string which =
      "system \"" + description.name + "\": the matrix of the skew-gradient form ";
  if (pi.rows() != n || pi.columns() != n) {
    throw std::invalid_argument(which + "must be " + std::to_string(n) + " x " + std::to_string(n));
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if ((pi(i, j) + pi(j, i)).is_constant(0.0)) continue;
      throw std::invalid_argument(which + "is not skew in entry (" + std::to_string(i + 1) + ", " +
                                  std::to_string(j + 1) + ")");
    }
  }
}

}  // namespace

bool Parameter::admits(double candidate) const {
  const bool above = min_exclusive ? candidate > min : candidate >= min;
  const bool below = max_exclusive ? candidate < max : candidate <= max;
  return above && below;
}

std::string Parameter::range_text() const {
  const bool has_min = min > -std::numeric_limits<double>::infinity();
  const bool has_max = max < std::numeric_limits<double>::infinity();
  if (has_min && has_max) {
    return std::string("in ") + (min_exclusive ? "(" : "[") + to_string(min) + ", " +
           to_string(max) + (max_exclusive ? ")" : "]");
  }
  if (has_min) return (min_exclusive ? "> " : ">= ") + to_string(min);
  if (has_max) return (max_exclusive ? "< " : "<= ") + to_string(max);
  return "any real number";
}

const Expr& Symbols::operator[](std::string_view parameter) const {
  const auto found = parameters.find(parameter);
  if (found == parameters.end()) {
    throw std::out_of_range("the system has no parameter \"" + std::string(parameter) + "\"");
  }
  return found->second;
}

std::pair<std::shared_ptr<Graph>, Symbols> System::make_symbols(
    const SystemDescription& description) {
  auto graph = std::make_shared<Graph>();
  Symbols symbols;
  std::set<std::string> names{"t"};
  const auto add = [&](const std::string& name, SignFacts facts, bool steady) {
    if (!names.insert(name).second) {
      throw std::invalid_argument("system \"" + description.name + "\": the name \"" + name +
                                  "\" is used twice");
    }
    return make_symbol(*graph, name, facts, steady);
  };
  symbols.t = make_symbol(*graph, "t");
  for (const Parameter& parameter : description.parameters) {
    symbols.parameters.emplace(parameter.name, add(parameter.name, facts_of(parameter), true));
  }
  for (const Coordinate& coordinate : description.coordinates)
    symbols.q.push_back(add(coordinate.name, {}, false));
  for (const Coordinate& coordinate : description.coordinates)
    symbols.v.push_back(add(coordinate.name + "_dot", {}, false));
  return {std::move(graph), std::move(symbols)};
}

System System::define(SystemDescription description, const Equations& equations) {
  auto [graph, symbols] = make_symbols(description);
  Mechanics mechanics = equations(symbols);
  return define(std::move(description), std::move(graph), std::move(symbols), std::move(mechanics));
}

System System::define(SystemDescription description, std::shared_ptr<Graph> graph, Symbols symbols,
                      Mechanics mechanics) {
  const std::size_t n = description.coordinates.size();
  if (n == 0) throw std::invalid_argument("system \"" + description.name + "\" has no coordinates");
  if (!mechanics.force.empty() && mechanics.force.size() != n) {
    throw std::invalid_argument("system \"" + description.name +
                                "\": the force needs one entry per coordinate");
  }
  if (mechanics.reversal && mechanics.reversal->size() != n) {
    throw std::invalid_argument("system \"" + description.name +
                                "\": the reversal map needs one sign per coordinate");
  }
  auto data = std::make_shared<Data>();
  for (const Parameter& parameter : description.parameters) {
    data->parameters.push_back(symbols[parameter.name]);
  }
  if (mechanics.skew_gradient) {
    check_skew(description, *mechanics.skew_gradient);
    data->traits.lagrangian = LagrangianKind::skew_gradient;
    symbols.v.clear();
  } else {
    data->derive(description, mechanics, symbols);
  }
  data->description = std::move(description);
  data->graph = std::move(graph);
  data->symbols = std::move(symbols);
  data->mechanics = std::move(mechanics);
  return System(std::move(data));
}

void System::Data::derive(const SystemDescription& about, const Mechanics& equations,
                          const Symbols& s) {
  const Vector rest = zeros(s.q.size());

  lagrangian =
      equations.lagrangian ? *equations.lagrangian : equations.kinetic - equations.potential;
  momentum = gradient(lagrangian, s.v);
  lagrangian_gradient = gradient(lagrangian, s.q);
  mass = jacobian(momentum, s.v);
  check_mass(about, mass);
  momentum_slope = jacobian(momentum, s.q);
  potential = -substitute(lagrangian, s.v, rest);
  potential_gradient = gradient(potential, s.q);
  momentum_rate = jacobian(momentum, {s.t}).entries();
  derive_constraints(about, equations, s);
  const std::string which = "system \"" + about.name + "\": ";
  check_not_singular(mass, which + "the mass matrix is singular for every state");
  check_not_singular(saddle_point_matrix(mass, constraint_matrix),
                     which + "the constraints are dependent for every state");
  traits.lagrangian = lagrangian_kind(mass, substitute(momentum, s.v, rest), s);
  traits.constraints = constraint_kind(constraints, constraint_matrix, s);
  traits.nonholonomic = !equations.constraints.empty();
  traits.holonomic = !equations.holonomic.empty();
  traits.forced = !is_zero(equations.force);
  traits.time_dependent = depends_on(lagrangian, {s.t}) || any_depends(constraints, {s.t}) ||
                          any_depends(equations.force, {s.t});
}

void System::Data::derive_constraints(const SystemDescription& about, const Mechanics& equations,
                                      const Symbols& s) {
  check_constraints(about, equations, s, jacobian(equations.constraints, s.v));
  check_holonomic(about, equations, s);
  const Vector rates =
      jacobian(equations.holonomic, s.q) * s.v + jacobian(equations.holonomic, {s.t}).entries();
  constraints = concatenate({equations.constraints, rates});
  constraint_matrix = jacobian(constraints, s.v);
  constraint_change = jacobian(constraints, s.q) * s.v + jacobian(constraints, {s.t}).entries();
}

const SystemDescription& System::description() const { return data_->description; }
std::size_t System::dof() const { return data_->symbols.q.size(); }
std::size_t System::constraint_count() const { return data_->constraints.size(); }
std::size_t System::holonomic_count() const { return data_->mechanics.holonomic.size(); }
const SystemTraits& System::traits() const { return data_->traits; }
const Symbols& System::symbols() const { return data_->symbols; }
const Mechanics& System::mechanics() const { return data_->mechanics; }
Graph& System::graph() const { return *data_->graph; }
std::recursive_mutex& System::mutex() const { return data_->mutex; }
const Vector& System::parameter_symbols() const { return data_->parameters; }

std::vector<double> System::default_parameters() const {
  std::vector<double> values;
  for (const Parameter& parameter : description().parameters) values.push_back(parameter.value);
  return values;
}

Expr System::lagrangian(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(Vector{data_->lagrangian}, q, v, t).front();
}
Expr System::lagrangian(const Vector& q, const Vector& v) const {
  return lagrangian(q, v, symbols().t);
}
Vector System::lagrangian_gradient(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(data_->lagrangian_gradient, q, v, t);
}
Vector System::lagrangian_gradient(const Vector& q, const Vector& v) const {
  return lagrangian_gradient(q, v, symbols().t);
}
Vector System::momentum(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(data_->momentum, q, v, t);
}
Vector System::momentum(const Vector& q, const Vector& v) const {
  return momentum(q, v, symbols().t);
}
Matrix System::mass(const Vector& q) const { return mass(q, zeros(dof())); }
Matrix System::mass(const Vector& q, const Vector& v) const { return mass(q, v, symbols().t); }
Matrix System::mass(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(data_->mass, q, v, t);
}
Expr System::potential(const Vector& q, const Expr& t) const {
  return data_->at(Vector{data_->potential}, q, symbols().v, t).front();
}
Expr System::potential(const Vector& q) const { return potential(q, symbols().t); }
Vector System::potential_gradient(const Vector& q, const Expr& t) const {
  return data_->at(data_->potential_gradient, q, symbols().v, t);
}
Vector System::potential_gradient(const Vector& q) const {
  return potential_gradient(q, symbols().t);
}

Vector System::force(const Vector& q, const Vector& v, const Expr& t) const {
  return mechanics().force.empty() ? zeros(dof()) : data_->at(mechanics().force, q, v, t);
}

Matrix System::structure(const Vector& zeta) const {
  return data_->at(mechanics().skew_gradient->structure, zeta, {}, symbols().t);
}

Expr System::energy(const Vector& q, const Vector& v, const Expr& t) const {
  if (is_skew_gradient())
    return data_->at(Vector{mechanics().skew_gradient->hamiltonian}, q, {}, t).front();
  return dot(v, momentum(q, v, t)) - lagrangian(q, v, t);
}
Expr System::energy(const Vector& q, const Vector& v) const { return energy(q, v, symbols().t); }

Vector System::constraint(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(data_->constraints, q, v, t);
}
Vector System::constraint(const Vector& q, const Vector& v) const {
  return constraint(q, v, symbols().t);
}
Vector System::holonomic(const Vector& q, const Expr& t) const {
  return data_->at(mechanics().holonomic, q, symbols().v, t);
}

Matrix System::constraint_matrix(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(data_->constraint_matrix, q, v, t);
}
Matrix System::constraint_matrix(const Vector& q) const {
  return constraint_matrix(q, symbols().v, symbols().t);
}

Vector System::constraint_force(const Vector& q, const Vector& v, const Expr& t,
                                const Vector& lambda) const {
  if (lambda.empty()) return zeros(dof());
  return transpose(constraint_matrix(q, v, t)) * lambda;
}
Vector System::constraint_force(const Vector& q, const Vector& lambda) const {
  return constraint_force(q, symbols().v, symbols().t, lambda);
}

Vector System::unconstrained_acceleration(const Vector& q, const Vector& v, const Expr& t) const {
  return solve_linear(mass(q, v, t), data_->driving_force(q, v, t));
}
Vector System::unconstrained_acceleration(const Vector& q, const Vector& v) const {
  return unconstrained_acceleration(q, v, symbols().t);
}

Matrix System::multiplier_directions(const Vector& q, const Vector& v, const Expr& t) const {
  return solve_linear(mass(q, v, t), transpose(constraint_matrix(q, v, t)));
}
Matrix System::multiplier_directions(const Vector& q) const {
  return solve_linear(mass(q), transpose(constraint_matrix(q)));
}

System::Eliminated System::eliminated(const Vector& q, const Vector& v, const Expr& t) const {
  if (is_skew_gradient()) return {};
  const Vector right_side =
      concatenate({data_->driving_force(q, v, t), -data_->at(data_->constraint_change, q, v, t)});
  const Vector solution =
      solve_linear(saddle_point_matrix(mass(q, v, t), constraint_matrix(q, v, t)), right_side);
  return {slice(solution, 0, dof()), slice(solution, dof(), constraint_count())};
}
System::Eliminated System::eliminated(const Vector& q, const Vector& v) const {
  return eliminated(q, v, symbols().t);
}

Vector System::motion_residual(const Vector& q, const Vector& v, const Expr& t,
                               const Vector& acceleration, const Vector& lambda) const {
  return concatenate(
      {mass(q, v, t) * acceleration - data_->driving_force(q, v, t) -
           constraint_force(q, v, t, lambda),
       constraint_matrix(q, v, t) * acceleration + data_->at(data_->constraint_change, q, v, t)});
}

Vector System::projected_velocity(const Vector& q, const Vector& v, const Expr& t) const {
  const Matrix m = mass(q, v, t);
  const Vector offset = constraint(q, zeros(dof()), t);
  const Vector solution = solve_linear(saddle_point_matrix(m, constraint_matrix(q, v, t)),
                                       concatenate({m * v, -offset}));
  return slice(solution, 0, dof());
}

}  // namespace dalembert
