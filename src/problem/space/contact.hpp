#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "problem/space/body.hpp"

namespace dalembert::study {

/// Where the shape of a body is above a surface.
struct Surface {
  Vector normal;       ///< unit vector, [3]
  Expr height, depth;  ///< of the centre of mass above it, and of the lowest point below the centre
  Vector axis;         ///< of a wheel, a unit vector along the axes of space, [3]; else empty
};

/// What a contact adds to a system, with the names of its constraints.
struct Contact {
  std::string name;
  Vector point;                         ///< where it touches, along the axes of space, [3]
  Vector constraints, holonomic;        ///< expressions that vanish
  std::vector<std::string> names;       ///< of the constraints, then of the holonomic one
  std::optional<Surface> surface = {};  ///< of a contact by a shape
};

/// Whether an expression of positions vanishes wherever it is evaluated, or on one side of a
/// switch: a height that is built into the coordinates.
using VanishesFunction = std::function<bool(const Expr&)>;

/// A table [[contact]]. RequestError with the place.
Contact read_contact(const DocumentNode& table, const std::vector<Body>& bodies, const Scope& scope,
                     const Motion& motion, const VanishesFunction& vanishes);

}  // namespace dalembert::study
