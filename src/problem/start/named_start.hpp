#pragma once

#include <string>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/mechanics/group/configuration.hpp"
#include "problem/scope/extents.hpp"

namespace dalembert::study {

/// What a start by name is about: the entries of the problem's coordinates in order, the
/// configuration space that they make, and the names that expressions may use.
struct NamedStart {
  std::vector<Extent> extents;
  const Configuration& configuration;
  const Scope& scope;
  std::vector<std::string> free = {};  ///< what may be left out, zero until it is solved for

  /// The stored numbers (constants, [storage_count]) of a table with one key per entry of the
  /// coordinates. With `project`, elements of groups are the nearest ones. RequestError with the
  /// place for missing and unknown names and for values that make no sense.
  Vector position(const DocumentNode& table, bool project) const;
  /// The velocities, [dof], at stored numbers q.
  Vector velocity(const DocumentNode& table, const Vector& q) const;
};

}  // namespace dalembert::study
