#include "problem/space/body.hpp"

#include "dalembert/expression/vectors_in_space.hpp"
#include "dalembert/problem/expressions.hpp"

namespace dalembert::study {
namespace {

constexpr const char* inertia_forms =
    "must be three principal moments, three rows of three, or one moment (of a body in the plane, "
    "or "
    "of a sphere)";

Matrix diagonal(const Vector& entries) {
  Matrix result(3, 3);
  for (std::size_t i = 0; i < 3; ++i) result(i, i) = entries[i];
  return result;
}

Matrix inertia_by_rows(const DocumentNode& node, const Scope& scope) {
  Matrix result(3, 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector row = parse_expressions(as_list(node.array()[i]), scope);
    if (row.size() != 3) node.refuse(inertia_forms);
    for (std::size_t j = 0; j < 3; ++j) result(i, j) = row[j];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!same(result(i, j), result(j, i))) {
        node.refuse("is not symmetric in entry (" + std::to_string(i + 1) + ", " +
                    std::to_string(j + 1) + ")");
      }
    }
  }
  return result;
}

Matrix read_inertia(const DocumentNode& node, const Scope& scope, bool one_angle) {
  if (!node.is_array()) {
    const Expr moment = parse_expression(node, scope);
    return diagonal(one_angle ? Vector{0.0, 0.0, moment} : Vector{moment, moment, moment});
  }
  const auto& entries = node.array();
  if (entries.size() == 3 && entries.front().is_array()) return inertia_by_rows(node, scope);
  const Vector moments = parse_expressions(entries, scope);
  if (moments.size() != 3) node.refuse(inertia_forms);
  return diagonal(moments);
}

bool is_diagonal(const Matrix& matrix) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      if (i != j && !matrix(i, j).is_constant(0.0)) return false;
    }
  }
  return true;
}

/// The frame in which the energy is written: without the last turn where the inertia is symmetric
/// about its axis.
const Orientation::Frame& energy_frame(const Body& body) {
  const Orientation& orientation = body.orientation;
  if (!orientation.last_turn || !is_diagonal(body.inertia)) return orientation.body;
  const std::size_t axis = orientation.last_turn->axis;
  const std::size_t j = (axis + 1) % 3, k = (axis + 2) % 3;
  return same(body.inertia(j, j), body.inertia(k, k)) ? orientation.last_turn->before
                                                      : orientation.body;
}

}  // namespace

Expr Body::kinetic_energy() const {
  const Vector& w = energy_frame(*this).rate;
  const Expr square_of_velocity = dot(velocity, velocity);
  Expr twice = mass * square_of_velocity;
  for (std::size_t i = 0; i < 3; ++i) {
    twice += inertia(i, i) * square(w[i]);
    for (std::size_t j = i + 1; j < 3; ++j) {
      const Expr product = w[i] * w[j];
      twice += 2.0 * inertia(i, j) * product;
    }
  }
  return twice / 2.0;
}

Vector read_vector(const DocumentNode& node, const Scope& scope) {
  if (!node.is_array()) return parse_vector_expression(node, scope);
  Vector entries = parse_expressions(node.array(), scope);
  if (entries.size() == 2) entries.push_back(0.0);
  if (entries.size() != 3) {
    node.refuse("has " + std::to_string(entries.size()) +
                " entries; a vector has three, or two in the plane");
  }
  return entries;
}

Body read_body_orientation(const DocumentNode& node, const Configuration& configuration,
                           const Scope& scope, const Motion& motion) {
  TableReader table(node);
  Body body;
  body.name = as_text(table.require("name"));
  if (const DocumentNode* rotation = table.find("rotation"))
    body.orientation = read_orientation(*rotation, configuration, scope, motion);
  return body;
}

void read_body_position(Body& body, const DocumentNode& node, const Scope& scope,
                        const Motion& motion) {
  TableReader table(node);
  for (const char* known : {"name", "rotation"}) table.find(known);
  body.mass = parse_expression(table.require("mass"), scope);
  const DocumentNode& position = table.require("position");
  body.position = read_vector(position, scope);
  if (motion.has_velocity(body.position)) position.refuse("contains a velocity");
  body.velocity = motion.rate(body.position);
  const DocumentNode* inertia = table.find("inertia");
  table.finish();
  if (inertia != nullptr && !body.orientation.turns)
    inertia->refuse("has no effect: the body \"" + body.name + "\" has no rotation");
  if (inertia == nullptr && body.orientation.turns)
    node.refuse("has a rotation but no inertia; a particle has neither");
  if (inertia != nullptr) body.inertia = read_inertia(*inertia, scope, body.orientation.one_angle);
}

void offer_orientation(const Body& body, Scope& scope) {
  const Orientation& orientation = body.orientation;
  for (std::size_t i = 0; i < 3; ++i)
    scope.vectors.emplace(body.name + ".axis_" + std::to_string(i + 1),
                          orientation.body.matrix.column(i));
  scope.vectors.emplace(body.name + ".angular_velocity", orientation.space_rate);
  scope.vectors.emplace(body.name + ".body_angular_velocity", orientation.body.rate);
}

void offer_position(const Body& body, Scope& scope) {
  scope.vectors.emplace(body.name + ".position", body.position);
  scope.vectors.emplace(body.name + ".velocity", body.velocity);
  const Matrix& axes = body.orientation.body.matrix;
  scope.maps.emplace(body.name + ".point", AffineMap{body.position, axes});
  const Vector& w = body.orientation.body.rate;
  Matrix spin(3, 3);  // spin u = w x u
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    spin(j, i) = w[k];
    spin(k, i) = -w[j];
  }
  scope.maps.emplace(body.name + ".velocity_of", AffineMap{body.velocity, axes * spin});
}

}  // namespace dalembert::study
