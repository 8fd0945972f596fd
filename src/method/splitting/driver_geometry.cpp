#include "driver_geometry.hpp"

#include <algorithm>

#include "dalembert/expression/linear_solve.hpp"

namespace dalembert {
namespace {

Matrix block(const Matrix& all, const std::vector<std::size_t>& which) {
  Matrix part(which.size(), which.size());
  for (std::size_t i = 0; i < which.size(); ++i) {
    for (std::size_t j = 0; j < which.size(); ++j) part(i, j) = all(which[i], which[j]);
  }
  return part;
}

}  // namespace

DriverGeometry::DriverGeometry(const System& system, const Vector& reference)
    : system_(system), blocks_(DriverBlocks::of(system)) {
  const Matrix mass = system.mass(reference);
  mass_ = block(mass, blocks_.passengers);
  for (const std::size_t i : blocks_.drivers) driver_mass_.push_back(mass(i, i));
}

DriverGeometry::Parts DriverGeometry::parts(const State& state) const {
  return {blocks_.of_drivers(state.q), blocks_.of_passengers(state.q), blocks_.of_drivers(state.v),
          blocks_.of_passengers(state.v)};
}

State DriverGeometry::state(const Parts& parts, const State& before) const {
  State after = before;
  after.q = blocks_.joined(parts.w, parts.x);
  after.v = blocks_.joined(parts.w_dot, parts.x_dot);
  return after;
}

Matrix DriverGeometry::constraint(const Parts& parts, const Expr& t) const {
  const Vector q = blocks_.joined(parts.w, parts.x), v = blocks_.joined(parts.w_dot, parts.x_dot);
  const Matrix all = system_.constraint_matrix(q, v, t);
  Matrix result(all.rows(), blocks_.passengers.size());
  for (std::size_t i = 0; i < all.rows(); ++i) {
    for (std::size_t j = 0; j < blocks_.passengers.size(); ++j)
      result(i, j) = all(i, blocks_.passengers[j]);
  }
  return result;
}

Matrix DriverGeometry::normals(const Parts& parts, const Expr& t) const {
  return unit_normals(constraint(parts, t), mass_);
}

Vector DriverGeometry::carried(const Parts& from, const Expr& t_from, const Parts& to,
                               const Expr& t_to, const Vector& x_dot) const {
  const Vector before = constraint(from, t_from).entries(), after = constraint(to, t_to).entries();
  if (std::equal(before.begin(), before.end(), after.begin(),
                 [](const Expr& a, const Expr& b) { return same(a, b); }))
    return x_dot;  // what moved does not occur in the constraints
  // Of one admissible direction the speed along it stays.
  const Vector k0 = direction(from, t_from);
  if (!k0.empty()) {
    const Expr speed = dot(k0, mass_ * x_dot);
    return speed * direction(to, t_to);
  }
  const Matrix n1 = normals(to, t_to), n0 = normals(from, t_from);
  return carried_velocity(n0, n1, mass_, x_dot);
}

Expr DriverGeometry::potential(const Parts& parts) const {
  return system_.potential(blocks_.joined(parts.w, parts.x));
}

Vector DriverGeometry::slope_in_drivers(const Parts& parts) const {
  return blocks_.of_drivers(system_.potential_gradient(blocks_.joined(parts.w, parts.x)));
}

Vector DriverGeometry::slope_in_passengers(const Parts& parts) const {
  return blocks_.of_passengers(system_.potential_gradient(blocks_.joined(parts.w, parts.x)));
}

Vector DriverGeometry::direction(const Parts& parts, const Expr& t) const {
  return unit_direction(constraint(parts, t), mass_);
}

}  // namespace dalembert
