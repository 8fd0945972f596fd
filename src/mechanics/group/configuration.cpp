#include "dalembert/mechanics/group/configuration.hpp"

#include <algorithm>
#include <set>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"
#include "mechanics/group/by_factor.hpp"

namespace dalembert {
namespace {

std::vector<std::pair<std::string, Group>> elements_of(const std::vector<Coordinate>& coordinates) {
  std::vector<std::pair<std::string, Group>> result;
  for (const Coordinate& coordinate : coordinates) {
    const Group flat = coordinate.is_angle ? Group::angle() : Group::line();
    result.emplace_back(coordinate.name,
                        coordinate.group.empty() ? flat : Group::named(coordinate.group));
  }
  return result;
}

void require_stored(const Configuration& configuration, const Vector& q) {
  require_size("the stored point", q.size(), configuration.storage_count());
}

void require_velocity(const Configuration& configuration, const char* what, const Vector& u) {
  require_size(what, u.size(), configuration.dof());
}

/// Names of the parts of all factors, one after the other.
template <class Name, class Names>
std::vector<Name> all_names(const std::vector<Configuration::Factor>& factors, Names names) {
  std::vector<Name> result;
  for (const Configuration::Factor& factor : factors) {
    for (Name& name : names(factor)) result.push_back(std::move(name));
  }
  return result;
}

}  // namespace

Configuration::Configuration(const std::vector<std::pair<std::string, Group>>& elements) {
  std::set<std::string> names;
  for (const auto& [name, group] : elements) {
    if (!names.insert(name).second)
      throw RequestError("the name \"" + name + "\" is used twice in a configuration space");
    factors_.push_back({name, group, storage_count_, variable_count_, dof_});
    storage_count_ += group.storage_size();
    variable_count_ += group.variable_count();
    dof_ += group.dimension();
    flat_ = flat_ && group.is_flat();
  }
}

Configuration Configuration::of_coordinates(const std::vector<Coordinate>& coordinates) {
  return Configuration(elements_of(coordinates));
}

std::vector<Coordinate> Configuration::storage() const {
  return all_names<Coordinate>(
      factors_, [](const Factor& factor) { return factor.group.storage(factor.name); });
}

std::vector<std::string> Configuration::variable_names() const {
  return all_names<std::string>(
      factors_, [](const Factor& factor) { return factor.group.variable_names(factor.name); });
}

std::vector<std::string> Configuration::velocity_names() const {
  return all_names<std::string>(
      factors_, [](const Factor& factor) { return factor.group.velocity_names(factor.name); });
}

std::vector<std::string> Configuration::velocity_columns() const {
  std::vector<std::string> columns = velocity_names();
  for (std::string& column : columns) {
    std::ranges::replace(column, '[', '_');
    std::erase(column, ']');
  }
  return columns;
}

std::string Configuration::text() const {
  std::string result;
  for (std::size_t i = 0; i < factors_.size();) {
    std::size_t end = i + 1;
    while (end < factors_.size() && factors_[end].group == factors_[i].group) ++end;
    const std::size_t count = end - i;
    for (std::size_t k = 0; k < (factors_[i].group == Group::line() ? 1 : count); ++k)
      result += (result.empty() ? "" : " x ") + factors_[i].group.name();
    if (factors_[i].group == Group::line() && count > 1) result += "^" + std::to_string(count);
    i = end;
  }
  return result;
}

Vector Configuration::identity() const {
  return by_factor(*this, [](const Factor& factor) { return factor.group.identity(); });
}

Vector Configuration::variables(const Vector& q) const {
  require_stored(*this, q);
  if (flat_) return q;
  const Vector point = in_one_graph({q}).front();
  return by_factor(*this, [&](const Factor& factor) {
    return factor.group.variables(stored_part(factor, point));
  });
}

Matrix Configuration::rates(const Vector& variables) const {
  require_size("the list of variables", variables.size(), variable_count_);
  const Vector given = in_one_graph({variables}).front();
  Matrix result(variable_count_, dof_);
  for (const Factor& factor : factors_) {
    const Group& group = factor.group;
    const Matrix block = group.rates(slice(given, factor.variable, group.variable_count()));
    for (std::size_t i = 0; i < block.rows(); ++i) {
      for (std::size_t j = 0; j < block.columns(); ++j)
        result(factor.variable + i, factor.velocity + j) = block(i, j);
    }
  }
  return result;
}

Vector Configuration::left_gradient(const Expr& function, const Vector& variables) const {
  require_size("the list of variables", variables.size(), variable_count_);
  const Vector slopes = gradient(function, variables);
  if (flat_) return slopes;
  return transpose(rates(variables)) * slopes;
}

Vector Configuration::move(Retraction kind, const Vector& q, const Vector& x) const {
  require_stored(*this, q);
  require_velocity(*this, "the displacement", x);
  if (flat_) return q + x;
  const std::vector<Vector> a = in_one_graph({q, x});
  return by_factor(*this, [&](const Factor& factor) {
    const Vector step = factor.group.retract(kind, velocity_part(factor, a[1]));
    return factor.group.product(stored_part(factor, a[0]), step);
  });
}

Vector Configuration::storage_rate(const Vector& q, const Vector& eta) const {
  require_stored(*this, q);
  require_velocity(*this, "the velocity", eta);
  if (flat_) return eta;
  // The derivative of q tau(s eta) in s at 0.
  const std::vector<Vector> a = in_one_graph({q, eta});
  GraphPointer graph = common_graph({a[0], a[1]});
  if (graph == nullptr) graph = std::make_shared<Graph>();
  const Expr s = make_symbol(graph, "s");
  const Vector moved = move(Retraction::cayley, a[0], s * a[1]);
  return substitute(jacobian(moved, {s}), {s}, {Expr(0.0)}).entries();
}

Vector Configuration::difference(const Vector& q, const Vector& r) const {
  require_stored(*this, q);
  require_stored(*this, r);
  if (flat_) return q - r;
  const std::vector<Vector> a = in_one_graph({q, r});
  return by_factor(*this, [&](const Factor& factor) {
    return factor.group.difference(stored_part(factor, a[0]), stored_part(factor, a[1]));
  });
}

Vector Configuration::normalised(const Vector& q) const {
  require_stored(*this, q);
  if (flat_) return q;
  const Vector point = in_one_graph({q}).front();
  return by_factor(*this, [&](const Factor& factor) {
    return factor.group.normalised(stored_part(factor, point));
  });
}

Vector Configuration::coadjoint(const Vector& q, const Vector& mu) const {
  require_stored(*this, q);
  require_velocity(*this, "the momentum", mu);
  if (flat_) return mu;
  const std::vector<Vector> a = in_one_graph({q, mu});
  return by_factor(*this, [&](const Factor& factor) {
    return factor.group.coadjoint(stored_part(factor, a[0]), velocity_part(factor, a[1]));
  });
}

Vector Configuration::infinitesimal_coadjoint(const Vector& eta, const Vector& mu) const {
  require_velocity(*this, "the velocity", eta);
  require_velocity(*this, "the momentum", mu);
  if (flat_) return zeros(dof_);
  const std::vector<Vector> a = in_one_graph({eta, mu});
  return by_factor(*this, [&](const Factor& factor) {
    return factor.group.infinitesimal_coadjoint(velocity_part(factor, a[0]),
                                                velocity_part(factor, a[1]));
  });
}

namespace {

/// An operation of a group on a displacement and a velocity or momentum, which flat groups leave as
/// it is.
using TangentOperation = Vector (Group::*)(Retraction, const Vector&, const Vector&) const;

Vector at_displacement(const Configuration& configuration, TangentOperation operation,
                       Retraction kind, const Vector& x, const char* what, const Vector& u) {
  require_velocity(configuration, "the displacement", x);
  require_velocity(configuration, what, u);
  if (configuration.is_flat()) return u;
  const std::vector<Vector> a = in_one_graph({x, u});
  return by_factor(configuration, [&](const Configuration::Factor& factor) {
    return (factor.group.*operation)(kind, velocity_part(factor, a[0]),
                                     velocity_part(factor, a[1]));
  });
}

}  // namespace

Vector Configuration::tangent(Retraction kind, const Vector& x, const Vector& u) const {
  return at_displacement(*this, &Group::tangent, kind, x, "the velocity", u);
}

Vector Configuration::tangent_transpose(Retraction kind, const Vector& x, const Vector& m) const {
  return at_displacement(*this, &Group::tangent_transpose, kind, x, "the momentum", m);
}

Vector Configuration::tangent_inverse(Retraction kind, const Vector& x, const Vector& eta) const {
  return at_displacement(*this, &Group::tangent_inverse, kind, x, "the velocity", eta);
}

Vector Configuration::ray_tangent_transpose(Retraction kind, const Vector& x,
                                            const Vector& m) const {
  return at_displacement(*this, &Group::ray_tangent_transpose, kind, x, "the momentum", m);
}

Vector Configuration::coadjoint_along(Retraction kind, const Vector& x, const Vector& mu) const {
  return at_displacement(*this, &Group::coadjoint_along, kind, x, "the momentum", mu);
}

Vector Configuration::coadjoint_against(Retraction kind, const Vector& x, const Vector& mu) const {
  return at_displacement(*this, &Group::coadjoint_against, kind, x, "the momentum", mu);
}

Vector Configuration::tangent_gradient(Retraction kind, const Vector& x, const Vector& u,
                                       const Vector& m) const {
  require_velocity(*this, "the displacement", x);
  require_velocity(*this, "the velocity", u);
  require_velocity(*this, "the momentum", m);
  if (flat_) return zeros(dof_);
  const std::vector<Vector> a = in_one_graph({x, u, m});
  return by_factor(*this, [&](const Factor& factor) {
    return factor.group.tangent_gradient(kind, velocity_part(factor, a[0]),
                                         velocity_part(factor, a[1]), velocity_part(factor, a[2]));
  });
}

}  // namespace dalembert
