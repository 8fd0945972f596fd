#include "problem/space/orientation.hpp"

#include <algorithm>
#include <string>

#include "dalembert/problem/expressions.hpp"

namespace dalembert::study {
namespace {

/// Turns a frame about its own axis by an angle that changes at a rate.
void turn(Orientation& orientation, std::size_t axis, const Expr& angle, const Expr& angle_rate) {
  const std::size_t j = (axis + 1) % 3, k = (axis + 2) % 3;
  Orientation::Frame& frame = orientation.body;
  const Vector turned_about = angle_rate * frame.matrix.column(axis);
  orientation.space_rate = orientation.space_rate + turned_about;
  frame.rate[axis] += angle_rate;
  orientation.last_turn = {frame, axis};
  const Expr c = cos(angle), s = sin(angle);
  const auto mix = [&](Expr& x, Expr& y) {
    const Expr forward_x = c * x, forward_y = s * y;
    const Expr backward_x = s * x, backward_y = c * y;
    x = forward_x + forward_y;
    y = backward_y - backward_x;
  };
  mix(frame.rate[j], frame.rate[k]);
  for (std::size_t row = 0; row < 3; ++row) mix(frame.matrix(row, j), frame.matrix(row, k));
}

Expr read_angle(const DocumentNode& node, const Scope& scope, const Motion& motion) {
  const Expr angle = parse_expression(node, scope);
  if (motion.has_velocity({angle}))
    node.refuse("contains a velocity; an angle is one of positions");
  return angle;
}

Orientation by_turns(const DocumentNode& node, const Scope& scope, const Motion& motion) {
  Orientation orientation;
  orientation.turns = true;
  for (const DocumentNode& entry : node.array()) {
    if (!entry.is_array() || entry.array().size() != 2) {
      node.refuse(
          "must be a list of turns about new axes, as [[\"z\", \"psi\"], [\"x\", \"theta\"]], an "
          "element of SO(3) or SE(3), or one angle");
    }
    const std::size_t axis = read_axis(entry.array()[0]);
    const Expr angle = read_angle(entry.array()[1], scope, motion);
    turn(orientation, axis, angle, motion.rate(angle));
  }
  return orientation;
}

/// The orientation of an element that has a matrix of 3 rows and the body's angular velocity first
/// among its velocities.
Orientation by_element(const Configuration::Factor& factor, const Scope& scope) {
  Orientation orientation;
  orientation.turns = true;
  orientation.body.matrix = scope.matrices.at(factor.name);
  orientation.body.rate = slice(scope.arrays.at(factor.name + "_dot"), 0, 3);
  orientation.space_rate = orientation.body.matrix * orientation.body.rate;
  return orientation;
}

}  // namespace

std::size_t read_axis(const DocumentNode& node) {
  const std::string& name = as_text(node);
  if (name == "x") return 0;
  if (name == "y") return 1;
  if (name == "z") return 2;
  node.refuse("is \"" + name + "\"; an axis is \"x\", \"y\" or \"z\"");
}

Orientation read_orientation(const DocumentNode& node, const Configuration& configuration,
                             const Scope& scope, const Motion& motion) {
  if (node.is_array()) return by_turns(node, scope, motion);
  if (node.is_text()) {
    const auto element =
        std::ranges::find(configuration.factors(), as_text(node), &Configuration::Factor::name);
    if (element != configuration.factors().end() && element->group.matrix_variables().size == 3)
      return by_element(*element, scope);
  }
  Orientation orientation;
  orientation.turns = orientation.one_angle = true;
  const Expr angle = read_angle(node, scope, motion);
  turn(orientation, 2, angle, motion.rate(angle));
  return orientation;
}

}  // namespace dalembert::study
