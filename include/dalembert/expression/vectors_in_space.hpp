#pragma once

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// The vector product; both have 3 entries. RequestError for other sizes.
Vector cross(const Vector& x, const Vector& y);
/// x turned by an angle in radians about an axis of any length but 0, by the right hand; x and the
/// axis have 3 entries.
Vector rotated(const Vector& axis, const Expr& angle, const Vector& x);

/// u -> offset + linear u, of vectors with 3 entries: from a body's axes to space, for one.
struct AffineMap {
  Vector offset;  ///< image of 0, [3]
  Matrix linear;  ///< 3 x 3
  Vector operator()(const Vector& u) const;
};

}  // namespace dalembert
