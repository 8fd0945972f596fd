#include "problem/space/shape.hpp"

#include <algorithm>
#include <string>

#include "dalembert/expression/vectors_in_space.hpp"
#include "dalembert/problem/expressions.hpp"

namespace dalembert::study {
namespace {

Touch of_point(const Body& body, const Vector& point, const Vector& normal) {
  const Orientation::Frame& frame = body.orientation.body;
  const Vector below = frame.matrix * point;
  return {frame, point, -dot(normal, below)};
}

/// The vectors of the space frame need no rotation: a ball about its centre.
Touch of_sphere(const Body& body, const Vector& centre, const Expr& radius, const Vector& normal) {
  const Vector down = radius * normal;
  const Vector offset = body.orientation.body.matrix * centre;
  return {{Matrix::identity(3), body.orientation.space_rate},
          offset - down,
          radius - dot(normal, offset)};
}

Touch of_ellipsoid(const Body& body, const Vector& centre, const Vector& axes,
                   const Vector& normal) {
  const Orientation::Frame& frame = body.orientation.body;
  const Vector upwards = transpose(frame.matrix) * normal;
  Vector squares, stretched;
  for (const Expr& axis : axes) squares.push_back(square(axis));
  for (std::size_t i = 0; i < 3; ++i) stretched.push_back(squares[i] * upwards[i]);
  const Expr height = sqrt(dot(stretched, upwards));
  Vector point = centre;
  for (std::size_t i = 0; i < 3; ++i) point[i] -= stretched[i] / height;
  return {frame, point, height - dot(upwards, centre)};
}

/// A wheel about an axis of the body: the lowest point of a circle, and below it, with a tube, the
/// lowest point of a small circle. Without its last turn the wheel looks the same.
Touch of_wheel(const Body& body, const DocumentNode& node, const Vector& centre, std::size_t axis,
               const Expr& radius, const Expr& tube, const Vector& normal) {
  const std::size_t j = (axis + 1) % 3, k = (axis + 2) % 3;
  const auto& last = body.orientation.last_turn;
  const bool on_axis = centre[j].is_constant(0.0) && centre[k].is_constant(0.0);
  const bool hides_turn = last && last->axis == axis && on_axis;
  const Orientation::Frame& frame = hides_turn ? last->before : body.orientation.body;
  const Vector upwards = transpose(frame.matrix) * normal;
  if (upwards[j].is_constant(0.0) && upwards[k].is_constant(0.0))
    node.refuse("lies flat on the plane: its axis is the normal, and no point is the lowest");
  const auto slope = [&] {
    if (upwards[j].is_constant(0.0)) return abs(upwards[k]);
    if (upwards[k].is_constant(0.0)) return abs(upwards[j]);
    const Expr second = square(upwards[k]);
    return sqrt(square(upwards[j]) + second);
  }();
  Vector point = centre;
  for (const std::size_t i : {j, k}) {
    const bool alone = upwards[j + k - i].is_constant(0.0);
    const Expr direction = alone ? sign(upwards[i]) : upwards[i] / slope;
    if (!upwards[i].is_constant(0.0)) point[i] -= radius * direction;
  }
  for (std::size_t i = 0; i < 3; ++i) point[i] -= tube * upwards[i];
  const Vector turned = frame.matrix.column(axis);
  Vector along = cross(turned, normal);
  for (Expr& entry : along) entry = entry / slope;
  const Expr below = radius * slope + tube;
  return {frame, point, below - dot(upwards, centre), along, turned};
}

Vector numbers_of(const DocumentNode& node, std::size_t count, const Scope& scope) {
  Vector entries = parse_expressions(as_list(node), scope);
  if (entries.size() != count) {
    node.refuse("has " + std::to_string(entries.size()) +
                (entries.size() == 1 ? " entry" : " entries") + "; it needs " +
                std::to_string(count));
  }
  return entries;
}

}  // namespace

Touch read_touch(const Body& body, const DocumentNode* shape, const DocumentNode* point,
                 const Vector& normal, const Scope& scope) {
  const Vector centre = point != nullptr ? read_vector(*point, scope) : zeros(3);
  if (shape == nullptr) return of_point(body, centre, normal);
  TableReader table(*shape);
  const DocumentNode *disk = table.find("disk"), *sphere = table.find("sphere"),
                     *ellipsoid = table.find("ellipsoid"), *torus = table.find("torus"),
                     *axis_node = table.find("axis");
  table.finish();
  const auto shapes = {disk, sphere, ellipsoid, torus};
  if (std::ranges::count(shapes, nullptr) != 3) {
    shape->refuse(
        "must be one of { disk = \"r\" }, { sphere = \"r\" }, { ellipsoid = [\"a\", \"b\", \"c\"] "
        "} "
        "and { torus = [\"R\", \"r\"] }");
  }
  if (axis_node != nullptr && disk == nullptr && torus == nullptr)
    axis_node->refuse("is the axis of a disk or a torus; this shape has none");
  if (!body.orientation.turns)
    shape->refuse("needs a rotation, which the body \"" + body.name + "\" does not have");
  const std::size_t axis = axis_node != nullptr ? read_axis(*axis_node) : 2;
  if (sphere != nullptr) return of_sphere(body, centre, parse_expression(*sphere, scope), normal);
  if (ellipsoid != nullptr)
    return of_ellipsoid(body, centre, numbers_of(*ellipsoid, 3, scope), normal);
  const Vector radii =
      disk != nullptr ? Vector{parse_expression(*disk, scope), 0.0} : numbers_of(*torus, 2, scope);
  return of_wheel(body, *shape, centre, axis, radii[0], radii[1], normal);
}

}  // namespace dalembert::study
