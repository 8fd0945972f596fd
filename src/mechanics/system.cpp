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
  Matrix mass, constraint_matrix, momentum_slope;  // slope: d(dL/dv)/dq
  mutable std::recursive_mutex mutex;

  /// Everything that follows from a Lagrangian.
  void derive(const SystemDescription& about, const Mechanics& equations, const Symbols& s);

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
  if (any_depends(mass.entries(), symbols.v) || !is_zero(momentum_at_rest))
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
  if (mechanics.constraints.size() > symbols.q.size()) {
    throw std::invalid_argument("system \"" + description.name + "\" has " +
                                std::to_string(mechanics.constraints.size()) + " constraints for " +
                                std::to_string(symbols.q.size()) +
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
  constraint_matrix = jacobian(equations.constraints, s.v);
  check_constraints(about, equations, s, constraint_matrix);
  const std::string which = "system \"" + about.name + "\": ";
  check_not_singular(mass, which + "the mass matrix is singular for every state");
  check_not_singular(saddle_point_matrix(mass, constraint_matrix),
                     which + "the constraints are dependent for every state");
  traits.lagrangian = lagrangian_kind(mass, substitute(momentum, s.v, rest), s);
  traits.constraints = constraint_kind(equations.constraints, constraint_matrix, s);
  traits.forced = !is_zero(equations.force);
  traits.time_dependent = depends_on(lagrangian, {s.t}) ||
                          any_depends(equations.constraints, {s.t}) ||
                          any_depends(equations.force, {s.t});
}

const SystemDescription& System::description() const { return data_->description; }
std::size_t System::dof() const { return data_->symbols.q.size(); }
std::size_t System::constraint_count() const { return data_->mechanics.constraints.size(); }
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

Expr System::lagrangian(const Vector& q, const Vector& v) const {
  return data_->at(Vector{data_->lagrangian}, q, v, symbols().t).front();
}
Vector System::lagrangian_gradient(const Vector& q, const Vector& v) const {
  return data_->at(data_->lagrangian_gradient, q, v, symbols().t);
}
Vector System::momentum(const Vector& q, const Vector& v) const {
  return data_->at(data_->momentum, q, v, symbols().t);
}
Matrix System::mass(const Vector& q) const { return mass(q, zeros(dof())); }
Matrix System::mass(const Vector& q, const Vector& v) const {
  return data_->at(data_->mass, q, v, symbols().t);
}
Expr System::potential(const Vector& q) const {
  return data_->at(Vector{data_->potential}, q, symbols().v, symbols().t).front();
}
Vector System::potential_gradient(const Vector& q) const {
  return data_->at(data_->potential_gradient, q, symbols().v, symbols().t);
}

Vector System::force(const Vector& q, const Vector& v, const Expr& t) const {
  return mechanics().force.empty() ? zeros(dof()) : data_->at(mechanics().force, q, v, t);
}

Matrix System::structure(const Vector& zeta) const {
  return data_->at(mechanics().skew_gradient->structure, zeta, {}, symbols().t);
}

Expr System::energy(const Vector& q, const Vector& v) const {
  if (is_skew_gradient()) {
    return data_->at(Vector{mechanics().skew_gradient->hamiltonian}, q, {}, symbols().t).front();
  }

  return dot(v, momentum(q, v)) - lagrangian(q, v);
}

Vector System::constraint(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(mechanics().constraints, q, v, t);
}
Vector System::constraint(const Vector& q, const Vector& v) const {
  return constraint(q, v, symbols().t);
}

Matrix System::constraint_matrix(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(data_->constraint_matrix, q, v, t);
}
Matrix System::constraint_matrix(const Vector& q) const {
  return constraint_matrix(q, symbols().v, symbols().t);
}

Vector System::constraint_force(const Vector& q, const Vector& lambda) const {
  if (lambda.empty()) return zeros(dof());
  return transpose(constraint_matrix(q)) * lambda;
}

Vector System::unconstrained_acceleration(const Vector& q, const Vector& v, const Expr& t) const {
  const Matrix slope = data_->at(data_->momentum_slope, q, v, t);
  return solve_linear(mass(q, v), lagrangian_gradient(q, v) + force(q, v, t) - slope * v);
}
Vector System::unconstrained_acceleration(const Vector& q, const Vector& v) const {
  return unconstrained_acceleration(q, v, symbols().t);
}

Matrix System::multiplier_directions(const Vector& q) const {
  return solve_linear(mass(q), transpose(constraint_matrix(q)));
}

System::Eliminated System::eliminated(const Vector& q, const Vector& v, const Expr& t) const {
  if (is_skew_gradient()) return {};

  const Vector& base_q = symbols().q;
  const Vector& phi = mechanics().constraints;
  const Vector change =
      jacobian(phi, base_q) * symbols().v + jacobian(phi, {symbols().t}).entries();
  const Matrix slope = data_->at(data_->momentum_slope, q, v, t);
  const Vector force_part = lagrangian_gradient(q, v) + force(q, v, t) - slope * v;
  const Vector right_side = concatenate({force_part, -data_->at(change, q, v, t)});
  const Vector solution =
      solve_linear(saddle_point_matrix(mass(q, v), constraint_matrix(q, v, t)), right_side);
  return {slice(solution, 0, dof()), slice(solution, dof(), constraint_count())};
}
System::Eliminated System::eliminated(const Vector& q, const Vector& v) const {
  return eliminated(q, v, symbols().t);
}

Vector System::motion_residual(const Vector& q, const Vector& v, const Expr& t,
                               const Vector& acceleration, const Vector& lambda) const {
  const Vector& phi = mechanics().constraints;
  const Vector change =
      jacobian(phi, symbols().q) * symbols().v + jacobian(phi, {symbols().t}).entries();
  const Matrix slope = data_->at(data_->momentum_slope, q, v, t);
  const Matrix a = constraint_matrix(q, v, t);
  const Vector force_part = lagrangian_gradient(q, v) + force(q, v, t) - slope * v;
  const Vector reaction = lambda.empty() ? zeros(dof()) : transpose(a) * lambda;
  return concatenate({mass(q, v) * acceleration - force_part - reaction,
                      a * acceleration + data_->at(change, q, v, t)});
}

Vector System::projected_velocity(const Vector& q, const Vector& v, const Expr& t) const {
  const Matrix m = mass(q, v);
  const Vector offset = constraint(q, zeros(dof()), t);
  const Vector solution = solve_linear(saddle_point_matrix(m, constraint_matrix(q, v, t)),
                                       concatenate({m * v, -offset}));
  return slice(solution, 0, dof());
}

}  // namespace dalembert
