#pragma once

#include <string>

#include "problem/space/orientation.hpp"

namespace dalembert::study {

/// A rigid body or a particle, as expressions: what [[body]] says.
struct Body {
  std::string name;
  Orientation orientation;
  Expr mass = 0.0;
  Matrix inertia = Matrix(3, 3);  ///< along the body's axes, about its centre of mass
  Vector position, velocity;      ///< of the centre of mass, along the axes of space, [3]

  /// m v.v/2 + w.(I w)/2.
  Expr kinetic_energy() const;
};

/// A vector along the axes of space: a text, or a list of three entries, of two in the plane.
/// RequestError with the place.
Vector read_vector(const DocumentNode& node, const Scope& scope);

/// Name and rotation of a table [[body]]; the rest is read when its position is known.
Body read_body_orientation(const DocumentNode& table, const Configuration& configuration,
                           const Scope& scope, const Motion& motion);
void read_body_position(Body& body, const DocumentNode& table, const Scope& scope,
                        const Motion& motion);

/// What expressions may call: coin.axis_1..3 and coin.angular_velocity along the axes of space, and
/// coin.body_angular_velocity along its own.
void offer_orientation(const Body& body, Scope& scope);
/// coin.position, coin.velocity, coin.point(a, b, c) and its velocity coin.velocity_of(a, b, c).
void offer_position(const Body& body, Scope& scope);

}  // namespace dalembert::study
