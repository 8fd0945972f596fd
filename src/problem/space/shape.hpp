#pragma once

#include <optional>

#include "problem/space/body.hpp"

namespace dalembert::study {

/// Where a body touches a plane, as expressions.
struct Touch {
  Orientation::Frame frame;  ///< the axes in which the point is given
  Vector point;              ///< from the centre of mass, along these axes, [3]
  Expr depth = 0.0;          ///< how far the point lies below the centre of mass, along the normal
  Vector along = {};         ///< the direction in which a wheel rolls, [3]; empty if it is no wheel
  Vector axis = {};          ///< of a wheel along the axes of space, [3]; empty if it is no wheel
};

/// The lowest point of a body above a plane with that unit normal: of a disk, a torus (about an
/// axis of the body), a sphere or an ellipsoid (along the axes of the body), whose centre is given
/// along the body's axes, or that point itself without a shape. RequestError with the place.
Touch read_touch(const Body& body, const DocumentNode* shape, const DocumentNode* point,
                 const Vector& normal, const Scope& scope);

}  // namespace dalembert::study
