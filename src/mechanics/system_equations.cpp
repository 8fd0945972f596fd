// The equations of a system at given symbols.
#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/expression/sparse/sparse_solve.hpp"
#include "dalembert/mechanics/system_error.hpp"
#include "system_data.hpp"

namespace dalembert {

/// The matrix [M, -A^T; A, 0] of the equations for accelerations (or velocities) and multipliers.
Matrix saddle_point_matrix(const Matrix& mass, const Matrix& constraint, const Matrix& reaction) {
  const std::size_t n = mass.rows(), m = constraint.rows();
  Matrix result(n + m, n + m);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) result(i, j) = mass(i, j);
    for (std::size_t k = 0; k < m; ++k) {
      result(i, n + k) = -reaction(k, i);
      result(n + k, i) = constraint(k, i);
    }
  }
  return result;
}

Vector solve_saddle_point(const Matrix& mass, const Matrix& constraint, const Matrix& reaction,
                          const Vector& right_side) {
  const std::size_t n = mass.rows(), m = constraint.rows();
  // The whole matrix of a large system would be hundreds of megabytes of zeros.
  SparseRows<Expr> rows(n + m);
  const auto put = [&](std::size_t row, std::size_t column, const Expr& entry) {
    if (!entry.is_constant(0.0)) rows[row].emplace_hint(rows[row].end(), column, entry);
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) put(i, j, mass(i, j));
    for (std::size_t k = 0; k < m; ++k) put(i, n + k, -reaction(k, i));
  }
  for (std::size_t k = 0; k < m; ++k)
    for (std::size_t i = 0; i < n; ++i) put(n + k, i, constraint(k, i));
  Matrix right(n + m, 1);
  right.entries() = right_side;
  if (auto solution = solve_sparsely(rows, right)) return std::move(*solution).entries();
  return solve_densely(saddle_point_matrix(mass, constraint, reaction), right).entries();
}

GraphPointer System::Data::open_graph(
    std::initializer_list<std::span<const Expr>> expressions) const {
  GraphPointer common = common_graph(expressions);
  if (common == nullptr) return std::make_shared<Graph>(graph);
  if (common->shared_size(*graph) != graph->size()) {
    throw RequestError("an expression is none of system \"" + description.name +
                       "\": it is of another system");
  }
  return common;
}

System::Data::Point System::Data::point(const char* function, const Vector& q, const Vector& v,
                                        const Expr& t) const {
  const auto check = [&](const char* name, const Vector& given, const Vector& wanted) {
    if (given.size() == wanted.size()) return;
    require_size(
        (std::string(function) + " of system \"" + description.name + "\": " + name).c_str(),
        given.size(), wanted.size());
  };
  check("q", q, symbols.q);
  check("v", v, symbols.v);
  const GraphPointer common = open_graph({q, v, {&t, 1}});
  const Vector stored = in_graph(q, common);
  return {common, stored, in_graph(v, common), in_graph(t, common),
          configuration.variables(stored)};
}

Vector System::Data::at(const Vector& expressions, const Point& point) const {
  return substitute(in_graph(expressions, point.graph),
                    concatenate({symbols.variables, symbols.v, Vector{symbols.t}}),
                    concatenate({point.variables, point.v, Vector{point.t}}));
}

Matrix System::Data::at(const Matrix& matrix, const Point& point) const {
  // Of a large system most entries are zeros.
  Matrix result = matrix;
  Vector changing;
  for (const Expr& entry : result.entries())
    if (!entry.is_constant()) changing.push_back(entry);
  changing = at(changing, point);
  auto next = changing.begin();
  for (Expr& entry : result.entries())
    if (!entry.is_constant()) entry = std::move(*next++);
  return result;
}

Vector System::Data::force(const Point& point) const {
  return mechanics.force.empty() ? zeros(configuration.dof()) : at(mechanics.force, point);
}

Vector System::Data::driving_force(const Point& point) const {
  // Each in a statement of its own, here and below: within one expression every compiler would
  // build them in an order of its own, and the order of nodes decides the last bits.
  const Vector external = force(point);
  const Vector rate = at(momentum_rate, point);
  const Vector change = at(momentum_slope, point) * point.v;
  const Vector force_on_body = at(lagrangian_gradient, point) + external - change - rate;
  if (configuration.is_flat()) return force_on_body;
  // The momentum turns with the body: ad*_v mu.
  return configuration.infinitesimal_coadjoint(point.v, at(momentum, point)) + force_on_body;
}

void System::Data::require_independent() const {
  if (!dependence.empty()) throw DependentConstraints(dependence);
}

Vector System::Data::constraint_force(const Point& point, const Vector& lambda) const {
  if (lambda.empty()) return zeros(configuration.dof());
  return transpose(at(reaction_matrix, point)) * lambda;
}

void require_coordinates(const System& system, const std::string& what) {
  if (!system.traits().has_groups) return;
  throw RequestError(what + " needs coordinates, and system \"" + system.name() + "\" is one on " +
                     system.configuration().text());
}

const SystemDescription& System::description() const { return data_->description; }
const Configuration& System::configuration() const { return data_->configuration; }
std::size_t System::dof() const { return data_->configuration.dof(); }
std::size_t System::velocity_count() const { return data_->symbols.v.size(); }
std::size_t System::constraint_count() const { return data_->constraints.size(); }
std::size_t System::holonomic_count() const { return data_->mechanics.holonomic.size(); }
const SystemTraits& System::traits() const { return data_->traits; }
const Mechanics& System::mechanics() const { return data_->mechanics; }

Symbols System::symbols() const { return symbols(Vector{}); }

Symbols System::symbols(const Vector& beside) const {
  const GraphPointer graph = data_->open_graph({beside});
  Symbols result = data_->symbols;
  for (Vector* list : {&result.q, &result.v, &result.variables, &result.parameter_list})
    *list = in_graph(*list, graph);
  for (auto& [name, element] : result.elements) {
    for (Vector* list : {&element.variables, &element.velocity, &element.matrix.entries()})
      *list = in_graph(*list, graph);
  }
  result.t = in_graph(result.t, graph);
  for (auto& [name, parameter] : result.parameters) parameter = in_graph(parameter, graph);
  return result;
}

Vector System::at(const Vector& expressions, const Vector& q, const Vector& v,
                  const Expr& t) const {
  return data_->at(expressions, data_->point("an expression", q, v, t));
}

Matrix System::left_jacobian(const Vector& expressions, const Vector& q, const Vector& v,
                             const Expr& t) const {
  const Data::Point point = data_->point("a derivative", q, v, t);
  const Vector variables = in_graph(data_->symbols.variables, point.graph);
  return data_->at(data_->left_jacobian(in_graph(expressions, point.graph), variables), point);
}

std::optional<System::Reversal> System::reversal() const {
  if (!mechanics().reversal) return std::nullopt;
  Reversal result;
  for (std::size_t i = 0; i < configuration().factors().size(); ++i) {
    const Group& group = configuration().factors()[i].group;
    const double sign = (*mechanics().reversal)[i];
    result.stored.insert(result.stored.end(), group.storage_size(), sign);
    result.position.insert(result.position.end(), group.dimension(), sign);
  }
  return result;
}

std::vector<double> System::default_parameters() const {
  std::vector<double> values;
  for (const Parameter& parameter : description().parameters) values.push_back(parameter.value);
  return values;
}

Expr System::lagrangian(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(data_->lagrangian, data_->point("lagrangian", q, v, t));
}
Expr System::lagrangian(const Vector& q, const Vector& v) const {
  return lagrangian(q, v, data_->symbols.t);
}
Vector System::lagrangian_gradient(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(data_->lagrangian_gradient, data_->point("lagrangian_gradient", q, v, t));
}
Vector System::lagrangian_gradient(const Vector& q, const Vector& v) const {
  return lagrangian_gradient(q, v, data_->symbols.t);
}
Vector System::momentum(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(data_->momentum, data_->point("momentum", q, v, t));
}
Vector System::momentum(const Vector& q, const Vector& v) const {
  return momentum(q, v, data_->symbols.t);
}
Matrix System::mass(const Vector& q) const { return mass(q, zeros(velocity_count())); }
Matrix System::mass(const Vector& q, const Vector& v) const { return mass(q, v, data_->symbols.t); }
Matrix System::mass(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(data_->mass, data_->point("mass", q, v, t));
}
Expr System::potential(const Vector& q, const Expr& t) const {
  return data_->at(data_->potential, data_->point("potential", q, data_->symbols.v, t));
}
Expr System::potential(const Vector& q) const { return potential(q, data_->symbols.t); }
Vector System::potential_gradient(const Vector& q, const Expr& t) const {
  return data_->at(data_->potential_gradient,
                   data_->point("potential_gradient", q, data_->symbols.v, t));
}
Vector System::potential_gradient(const Vector& q) const {
  return potential_gradient(q, data_->symbols.t);
}

Vector System::force(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->force(data_->point("force", q, v, t));
}

Matrix System::structure(const Vector& zeta) const {
  if (!is_skew_gradient())
    throw RequestError("system \"" + name() + "\" is not given in skew-gradient form");
  return data_->at(mechanics().skew_gradient->structure, data_->point("structure", zeta));
}

Expr System::energy(const Vector& q, const Vector& v, const Expr& t) const {
  const Data::Point point = data_->point("energy", q, v, t);
  if (is_skew_gradient()) return data_->at(mechanics().skew_gradient->hamiltonian, point);
  const Expr lagrangian = data_->at(data_->lagrangian, point);
  return dot(point.v, data_->at(data_->momentum, point)) - lagrangian;
}
Expr System::energy(const Vector& q, const Vector& v) const {
  return energy(q, v, data_->symbols.t);
}

Vector System::constraint(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(data_->constraints, data_->point("constraint", q, v, t));
}
Vector System::constraint(const Vector& q, const Vector& v) const {
  return constraint(q, v, data_->symbols.t);
}
Vector System::holonomic(const Vector& q, const Expr& t) const {
  return data_->at(mechanics().holonomic, data_->point("holonomic", q, data_->symbols.v, t));
}

Matrix System::constraint_matrix(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(data_->constraint_matrix, data_->point("constraint_matrix", q, v, t));
}
Matrix System::constraint_matrix(const Vector& q) const {
  return constraint_matrix(q, data_->symbols.v, data_->symbols.t);
}

Matrix System::reaction_matrix(const Vector& q, const Vector& v, const Expr& t) const {
  return data_->at(data_->reaction_matrix, data_->point("reaction_matrix", q, v, t));
}

std::string System::nonideal_constraint() const {
  const std::vector<Vector>& reactions = mechanics().reactions;
  for (std::size_t i = 0; i < reactions.size(); ++i)
    if (!reactions[i].empty()) return multiplier_names()[i];
  return "";
}

Vector System::constraint_force(const Vector& q, const Vector& v, const Expr& t,
                                const Vector& lambda) const {
  return data_->constraint_force(data_->point("constraint_force", q, v, t), lambda);
}
Vector System::constraint_force(const Vector& q, const Vector& lambda) const {
  return constraint_force(q, data_->symbols.v, data_->symbols.t, lambda);
}

Vector System::unconstrained_acceleration(const Vector& q, const Vector& v, const Expr& t) const {
  const Data::Point point = data_->point("unconstrained_acceleration", q, v, t);
  const Vector force = data_->driving_force(point);
  return solve_linear(data_->at(data_->mass, point), force);
}
Vector System::unconstrained_acceleration(const Vector& q, const Vector& v) const {
  return unconstrained_acceleration(q, v, data_->symbols.t);
}

Matrix System::multiplier_directions(const Vector& q, const Vector& v, const Expr& t) const {
  const Data::Point point = data_->point("multiplier_directions", q, v, t);
  const Matrix directions = transpose(data_->at(data_->reaction_matrix, point));
  return solve_linear(data_->at(data_->mass, point), directions);
}
Matrix System::multiplier_directions(const Vector& q) const {
  const Data::Point point = data_->point("multiplier_directions", q);
  const Matrix directions = transpose(data_->at(data_->reaction_matrix, point));
  return solve_linear(mass(point.q), directions);
}

System::Eliminated System::eliminated(const Vector& q, const Vector& v, const Expr& t) const {
  if (is_skew_gradient()) return {};
  data_->require_independent();
  const Data::Point point = data_->point("eliminated", q, v, t);
  const Vector right_side =
      concatenate({data_->driving_force(point), -data_->at(data_->constraint_change, point)});
  const Matrix constraint = data_->at(data_->constraint_matrix, point);
  const Matrix reaction = traits().ideal ? constraint : data_->at(data_->reaction_matrix, point);
  const Vector solution =
      solve_saddle_point(data_->at(data_->mass, point), constraint, reaction, right_side);
  return {slice(solution, 0, dof()), slice(solution, dof(), constraint_count())};
}
System::Eliminated System::eliminated(const Vector& q, const Vector& v) const {
  return eliminated(q, v, data_->symbols.t);
}

Vector System::motion_residual(const Vector& q, const Vector& v, const Expr& t,
                               const Vector& acceleration, const Vector& lambda) const {
  const Data::Point point = data_->point("motion_residual", q, v, t);
  const Vector reaction = data_->constraint_force(point, lambda);
  const Vector force = data_->driving_force(point);
  const Vector balance = data_->at(data_->mass, point) * acceleration - force - reaction;
  const Vector change = data_->at(data_->constraint_change, point);
  return concatenate({balance, data_->at(data_->constraint_matrix, point) * acceleration + change});
}

Vector System::projected_velocity(const Vector& q, const Vector& v, const Expr& t) const {
  data_->require_independent();
  const Data::Point point = data_->point("projected_velocity", q, v, t);
  Data::Point at_rest = point;
  at_rest.v = zeros(dof());
  const Matrix m = data_->at(data_->mass, point);
  const Vector offset = data_->at(data_->constraints, at_rest);
  const Vector right_side = concatenate({m * point.v, -offset});
  const Matrix constraint = data_->at(data_->constraint_matrix, point);
  const Vector solution = solve_saddle_point(m, constraint, constraint, right_side);
  return slice(solution, 0, dof());
}

}  // namespace dalembert
