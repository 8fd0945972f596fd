#include "dalembert/mechanics/group/group.hpp"

#include <algorithm>
#include <initializer_list>

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/query.hpp"
#include "mechanics/group/by_factor.hpp"
#include "mechanics/group/form/flat_groups.hpp"
#include "mechanics/group/form/heisenberg_group.hpp"
#include "mechanics/group/form/motion_groups.hpp"
#include "mechanics/group/form/rotation_group.hpp"

namespace dalembert {
namespace {

/// Which of the sizes of a group a vector has to have.
enum class Kind { element, velocity, variables };

struct Argument {
  const char* name;
  const Vector& entries;
  Kind kind;
};

Argument element(const Vector& g) { return {"the group element", g, Kind::element}; }
Argument velocity(const Vector& u) { return {"the velocity", u, Kind::velocity}; }
Argument momentum(const Vector& m) { return {"the momentum", m, Kind::velocity}; }
Argument displacement(const Vector& x) { return {"the displacement", x, Kind::velocity}; }

std::size_t wanted_size(const GroupShape& shape, Kind kind) {
  if (kind == Kind::element) return shape.storage.size();
  return kind == Kind::velocity ? shape.dimension : shape.variables.size();
}

/// Checks the sizes and brings all arguments into one graph.
std::vector<Vector> together(const GroupForm& form, std::initializer_list<Argument> arguments) {
  std::vector<Vector> result;
  for (const Argument& argument : arguments) {
    const std::string what = form.shape().name + ": " + argument.name;
    require_size(what.c_str(), argument.entries.size(), wanted_size(form.shape(), argument.kind));
    result.push_back(argument.entries);
  }
  return in_one_graph(result);
}

std::vector<std::string> with_endings(const std::string& element,
                                      const std::vector<std::string>& endings) {
  std::vector<std::string> result;
  for (const std::string& ending : endings) result.push_back(element + ending);
  return result;
}

}  // namespace

Group Group::line() {
  static const Group group(flat_group(false));
  return group;
}

Group Group::angle() {
  static const Group group(flat_group(true));
  return group;
}

Group Group::rotations() {
  static const Group group(rotation_group());
  return group;
}

Group Group::plane_motions() {
  static const Group group(plane_motion_group());
  return group;
}

Group Group::space_motions() {
  static const Group group(space_motion_group());
  return group;
}

Group Group::heisenberg() {
  static const Group group(heisenberg_group());
  return group;
}

Group Group::named(std::string_view name) {
  std::vector<std::string> known;
  for (const Group& group :
       {rotations(), plane_motions(), space_motions(), heisenberg(), line(), angle()}) {
    if (group.name() == name) return group;
    known.push_back(group.name());
  }
  throw RequestError("unknown group \"" + std::string(name) + "\"" + suggestion(name, known));
}

const std::string& Group::name() const { return form_->shape().name; }
std::size_t Group::dimension() const { return form_->shape().dimension; }
bool Group::is_flat() const { return form_->shape().flat; }
bool Group::is_stored_as_quaternion() const {
  return *this == rotations() || *this == space_motions();
}
std::size_t Group::storage_size() const { return form_->shape().storage.size(); }
std::size_t Group::variable_count() const { return form_->shape().variables.size(); }
Group::MatrixVariables Group::matrix_variables() const { return form_->shape().matrix; }

std::vector<Coordinate> Group::storage(const std::string& element) const {
  std::vector<Coordinate> result = form_->shape().storage;
  for (Coordinate& stored : result) stored.name = element + stored.name;
  return result;
}

std::vector<std::string> Group::variable_names(const std::string& element) const {
  return with_endings(element, form_->shape().variables);
}

std::vector<std::string> Group::velocity_names(const std::string& element) const {
  if (is_flat()) return {element + "_dot"};
  std::vector<std::string> endings;
  for (std::size_t i = 1; i <= dimension(); ++i)
    endings.push_back("_dot[" + std::to_string(i) + "]");
  return with_endings(element, endings);
}

Vector Group::identity() const { return form_->identity(); }

Vector Group::product(const Vector& g, const Vector& k) const {
  const std::vector<Vector> a = together(*form_, {element(g), element(k)});
  return form_->product(a[0], a[1]);
}

Vector Group::inverse(const Vector& g) const {
  return form_->inverse(together(*form_, {element(g)})[0]);
}

Vector Group::variables(const Vector& g) const {
  return form_->variables(together(*form_, {element(g)})[0]);
}

Matrix Group::rates(const Vector& variables) const {
  return form_->rates(together(*form_, {{"the list of variables", variables, Kind::variables}})[0]);
}

Vector Group::normalised(const Vector& g) const {
  return form_->normalised(together(*form_, {element(g)})[0]);
}

Vector Group::difference(const Vector& g, const Vector& k) const {
  const std::vector<Vector> a = together(*form_, {element(g), element(k)});
  return form_->difference(a[0], a[1]);
}

Vector Group::adjoint(const Vector& g, const Vector& eta) const {
  const std::vector<Vector> a = together(*form_, {element(g), velocity(eta)});
  return form_->adjoint(a[0], a[1]);
}

Vector Group::coadjoint(const Vector& g, const Vector& mu) const {
  const std::vector<Vector> a = together(*form_, {element(g), momentum(mu)});
  return form_->coadjoint(a[0], a[1]);
}

Vector Group::infinitesimal_coadjoint(const Vector& eta, const Vector& mu) const {
  const std::vector<Vector> a = together(*form_, {velocity(eta), momentum(mu)});
  return form_->infinitesimal_coadjoint(a[0], a[1]);
}

Vector Group::retract(Retraction kind, const Vector& x) const {
  return form_->retract(kind, together(*form_, {displacement(x)})[0]);
}

Vector Group::tangent(Retraction kind, const Vector& x, const Vector& u) const {
  const std::vector<Vector> a = together(*form_, {displacement(x), velocity(u)});
  return form_->tangent(kind, a[0], a[1]);
}

Vector Group::tangent_transpose(Retraction kind, const Vector& x, const Vector& m) const {
  const std::vector<Vector> a = together(*form_, {displacement(x), momentum(m)});
  return form_->tangent_transpose(kind, a[0], a[1]);
}

Vector Group::tangent_inverse(Retraction kind, const Vector& x, const Vector& eta) const {
  const std::vector<Vector> a = together(*form_, {displacement(x), velocity(eta)});
  return form_->tangent_inverse(kind, a[0], a[1]);
}

Vector Group::ray_tangent_transpose(Retraction kind, const Vector& x, const Vector& m) const {
  const std::vector<Vector> a = together(*form_, {displacement(x), momentum(m)});
  return form_->ray_tangent_transpose(kind, a[0], a[1]);
}

Vector Group::tangent_gradient(Retraction kind, const Vector& x, const Vector& u,
                               const Vector& m) const {
  const std::vector<Vector> a = together(*form_, {displacement(x), velocity(u), momentum(m)});
  if (is_flat()) return zeros(1);
  GraphPointer graph = common_graph({a[0], a[1], a[2]});
  if (graph == nullptr) graph = std::make_shared<Graph>();
  Vector place;
  for (std::size_t i = 1; i <= dimension(); ++i)
    place.push_back(make_symbol(graph, "displacement_" + std::to_string(i)));
  const Vector velocity = form_->tangent(kind, place, a[1]);
  return substitute(gradient(dot(a[2], velocity), place), place, a[0]);
}

Vector Group::coadjoint_along(Retraction kind, const Vector& x, const Vector& mu) const {
  const std::vector<Vector> a = together(*form_, {displacement(x), momentum(mu)});
  return form_->transport(kind, a[0], a[1], 1);
}

Vector Group::coadjoint_against(Retraction kind, const Vector& x, const Vector& mu) const {
  const std::vector<Vector> a = together(*form_, {displacement(x), momentum(mu)});
  return form_->transport(kind, a[0], a[1], -1);
}

}  // namespace dalembert
