// The equations of a system at given symbols.
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/query.hpp"
#include "system_data.hpp"

namespace dalembert {

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
