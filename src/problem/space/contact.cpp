#include "problem/space/contact.hpp"

#include <algorithm>

#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/vectors_in_space.hpp"
#include "dalembert/problem/expressions.hpp"
#include "problem/space/shape.hpp"

namespace dalembert::study {
namespace {

struct Plane {
  Vector point = zeros(3), normal{0.0, 0.0, 1.0};
};

Vector unit(const Vector& x) {
  const Expr length = sqrt(dot(x, x));
  Vector result;
  for (const Expr& entry : x) result.push_back(entry / length);
  return result;
}

Plane read_plane(const DocumentNode* node, const Scope& scope, const Motion& motion) {
  if (node == nullptr) return {};
  TableReader table(*node);
  Plane plane{read_vector(table.require("point"), scope), {}};
  const DocumentNode& normal = table.require("normal");
  table.finish();
  const Vector direction = read_vector(normal, scope);
  if (motion.has_velocity(direction) || motion.has_velocity(plane.point))
    node->refuse("contains a velocity; a plane that moves is given by its place and a velocity");
  if (dot(direction, direction).is_constant(0.0))
    normal.refuse("is zero; a normal has a direction");
  plane.normal = unit(direction);
  return plane;
}

/// Two unit vectors in the plane: x and y for the normal z. Where no axis of space lies in all
/// planes they are those that the shortest turn of a fixed direction into the normal brings from
/// across it. There is no choice without an exception: this one's is the direction against the
/// fixed one, which no symmetric motion meets as it would an axis of space. Constraints and motions
/// do not know of the choice, multipliers along the plane do.
std::pair<Vector, Vector> tangents(const Vector& normal) {
  for (const std::size_t axis : {1, 0, 2}) {
    if (!normal[axis].is_constant(0.0)) continue;
    const Vector second = Matrix::identity(3).column(axis);
    return {cross(second, normal), second};
  }
  const auto sevenths = [](double x, double y, double z) {
    return (Expr(1.0) / 7.0) * Vector{x, y, z};
  };
  const Vector fixed = sevenths(2.0, 3.0, 6.0);
  const Vector middle = fixed + normal;
  const Expr share = 1.0 / (1.0 + dot(fixed, normal));
  const auto turned = [&](const Vector& across) {
    return across - (share * dot(across, normal)) * middle;
  };
  return {turned(sevenths(3.0, -6.0, 2.0)), turned(sevenths(6.0, 2.0, -3.0))};
}

const Body& body_of(const DocumentNode& node, const std::vector<Body>& bodies) {
  const std::string& name = as_text(node);
  std::vector<std::string> names;
  for (const Body& body : bodies) {
    if (body.name == name) return body;
    names.push_back(body.name);
  }
  node.refuse("names \"" + name + "\", which is not a body" + suggestion(name, names));
}

/// The keys of a contact.
struct ContactKeys {
  explicit ContactKeys(const DocumentNode& node) : table(node) {
    name = as_text(table.require("name"));
    body = &table.require("body");
    kind = &table.require("kind");
    point = table.find("point");
    shape = table.find("shape");
    plane = table.find("plane");
    velocity = table.find("velocity");
    along = table.find("along");
    spin = table.find("spin");
    radius = table.find("radius");
    table.finish();
    const std::vector<std::string> kinds{"rolling", "blade", "wheel"};
    if (std::ranges::find(kinds, as_text(*kind)) == kinds.end())
      kind->refuse("is \"" + as_text(*kind) + "\"" + suggestion(as_text(*kind), kinds));
    if (point == nullptr && shape == nullptr)
      node.refuse("needs a point of the body, or a shape that says where it touches");
    if ((spin == nullptr) != (radius == nullptr))
      node.refuse("needs both spin and radius of a wheel, or neither");
    if (spin != nullptr && is("blade")) spin->refuse("has no place here: a blade does not turn");
  }
  bool is(const char* word) const { return as_text(*kind) == word; }

  TableReader table;
  std::string name;
  const DocumentNode *body = nullptr, *kind = nullptr, *point = nullptr, *shape = nullptr,
                     *plane = nullptr, *velocity = nullptr, *along = nullptr, *spin = nullptr,
                     *radius = nullptr;
};

/// The components of the sliding velocity that vanish.
Vector sliding(const ContactKeys& keys, const Body& body, const Touch& touch, const Vector& normal,
               const Vector& velocity, const Scope& scope, const Motion& motion) {
  const bool has_heading = keys.along != nullptr || keys.spin != nullptr || !keys.is("rolling");
  if (!has_heading) {
    const auto [first, second] = tangents(normal);
    const Expr across = dot(second, velocity);
    return {dot(first, velocity), across};
  }
  const Vector along = keys.along != nullptr ? read_vector(*keys.along, scope)
                       : touch.along.empty() ? body.orientation.body.matrix.column(0)
                                             : touch.along;
  const Expr across = dot(cross(normal, along), velocity);
  if (keys.is("blade")) return {across};
  Expr forwards = dot(along, velocity);
  if (keys.spin != nullptr) {
    const Expr spin = motion.rate(parse_expression(*keys.spin, scope));
    forwards -= parse_expression(*keys.radius, scope) * spin;
    if (keys.is("rolling")) return {forwards};
  }
  return {forwards, across};
}

}  // namespace

Contact read_contact(const DocumentNode& node, const std::vector<Body>& bodies, const Scope& scope,
                     const Motion& motion, const VanishesFunction& vanishes) {
  const ContactKeys keys(node);
  const Body& body = body_of(*keys.body, bodies);
  const Plane plane = read_plane(keys.plane, scope, motion);
  const Touch touch = read_touch(body, keys.shape, keys.point, plane.normal, scope);
  Contact contact{keys.name, {}, {}, {}, {}, {}};
  const Vector from_centre = touch.frame.matrix * touch.point;
  contact.point = body.position + from_centre;

  const Vector turning = touch.frame.matrix * cross(touch.frame.rate, touch.point);
  Vector velocity = body.velocity + turning;
  if (keys.velocity != nullptr) {
    Scope with_point = scope;
    with_point.vectors.emplace(keys.name + ".point", contact.point);
    velocity = velocity - read_vector(*keys.velocity, with_point);
  }
  contact.constraints = sliding(keys, body, touch, plane.normal, velocity, scope, motion);
  std::erase_if(contact.constraints, [](const Expr& entry) { return entry.is_constant(0.0); });

  const Vector above = body.position - plane.point;
  const Expr centre = dot(plane.normal, above);
  const Expr height = centre - touch.depth;
  if (keys.shape != nullptr)
    contact.surface = Surface{plane.normal, centre, touch.depth, touch.axis};
  if (!vanishes(height)) {
    if (height.is_constant()) {
      node.refuse("never touches the plane: its height above it is " +
                  to_string(height.constant().high) + " at all positions");
    }
    contact.holonomic.push_back(height);
  }
  const std::size_t count = contact.constraints.size() + contact.holonomic.size();
  for (std::size_t i = 1; i <= count; ++i)
    contact.names.push_back(contact.name + "_" + std::to_string(i));
  return contact;
}

}  // namespace dalembert::study
