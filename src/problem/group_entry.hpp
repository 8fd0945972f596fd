#pragma once

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/mechanics/group/group.hpp"

namespace dalembert::study {

/// An element of a group as a start writes it, as its stored numbers (constants): "identity", a
/// rotation (see read_rotation), for SE(2) angle, x, y, for SE(3) a rotation with x, y, z, for H(3)
/// x, y, z. RequestError with the place for anything else.
Vector read_group_element(const DocumentNode& node, const Group& group, const Scope& scope,
                          bool project);

/// The velocity of an element in the body frame, [dimension], as a start writes it: a list, or
/// { space = [...] } along the axes of space: the angular velocity, of motions also the velocity of
/// the origin. RequestError with the place for anything else.
Vector read_group_velocity(const DocumentNode& node, const Group& group, const Vector& element,
                           const Scope& scope);

}  // namespace dalembert::study
