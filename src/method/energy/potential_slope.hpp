#pragma once
// Discrete gradients of the potential alone, on R^n and on groups. Only for the sources of this
// room.

#include "dalembert/mechanics/difference/discrete_gradient.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// A step of displacement x on a configuration space: two halves through its middle.
struct Segment {
  Retraction map;
  Vector from, middle, to;  ///< stored numbers; middle = from tau(x/2), to = middle tau(x/2)
  Vector displacement;      ///< x, [dof]; on R^n to - from
};

/// The middle and the end of a step.
Segment segment(const System& system, Retraction map, const Vector& from,
                const Vector& displacement);

/// g with g.x = V(to) - V(from), [dof], the potential taken at the time t; on groups a covector at
/// the middle, for gonzalez and mean_value only. Source: [Gonzalez1996]; [Celledoni2019], Sect. 5.
Vector potential_slope(const System& system, GradientKind kind, const Segment& along,
                       const Expr& t);

}  // namespace dalembert
