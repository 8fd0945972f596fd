#pragma once

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"

namespace dalembert::study {

/// A list of `count` finite constants. RequestError with the place otherwise.
Vector read_constants(const DocumentNode& node, std::size_t count, const Scope& scope);

/// The unit quaternion (scalar first, constants) of a rotation as written: by the keys axis and
/// angle, or rotation_vector, quaternion or matrix (from body to space), of a table that may have
/// more. With `project`, a quaternion of any length and the rotation nearest to any matrix.
/// RequestError with the place and the residual for what is no rotation.
Vector read_rotation(TableReader& table, const Scope& scope, bool project);

}  // namespace dalembert::study
