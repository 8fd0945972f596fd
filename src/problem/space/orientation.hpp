#pragma once

#include <optional>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "problem/space/motion.hpp"

namespace dalembert::study {

/// How a body is turned, as expressions. Shapes: matrices [3 x 3] from a frame's axes to space,
/// vectors [3].
struct Orientation {
  /// A frame in which a body can be described, and the body's angular velocity along its axes.
  struct Frame {
    Matrix matrix = Matrix::identity(3);
    Vector rate = zeros(3);
  };

  Frame body;
  Vector space_rate = zeros(3);  ///< the angular velocity along the axes of space
  /// The frame before the last turn, and the axis (0, 1, 2) of that turn: what is symmetric about
  /// this axis looks the same from there, and its equations do not contain the angle.
  struct LastTurn {
    Frame before;
    std::size_t axis;
  };
  std::optional<LastTurn> last_turn = {};
  bool turns = false;      ///< whether there is a rotation at all
  bool one_angle = false;  ///< a body in the plane, or one that turns about z alone
};

/// The rotation of a body: a list of turns [["z", "psi"], ...], each about a new axis, an element
/// of SO(3) or SE(3) by name, or one angle in the plane. RequestError with the place.
Orientation read_orientation(const DocumentNode& node, const Configuration& configuration,
                             const Scope& scope, const Motion& motion);

/// 0, 1, 2 for "x", "y", "z"; RequestError for anything else.
std::size_t read_axis(const DocumentNode& node);

}  // namespace dalembert::study
