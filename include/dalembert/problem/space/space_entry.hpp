#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/document/node.hpp"

namespace dalembert::study {

/// Bodies in space and what they touch, as written.
struct SpaceEntry {
  std::optional<DocumentNode> gravity = {};  ///< acceleration, a vector in space
  std::vector<std::pair<std::string, DocumentNode>> vectors = {};  ///< by name
  std::vector<DocumentNode> bodies = {}, contacts = {};            ///< tables
  std::vector<std::pair<DocumentNode, DocumentNode>> joints = {};  ///< points that are the same

  /// True if the problem has none of these keys.
  bool is_empty() const {
    return !gravity && vectors.empty() && bodies.empty() && contacts.empty() && joints.empty();
  }
};

/// Reads the keys gravity, vectors, body and contact of a problem, and joint of its constraints.
/// RequestError for values of the wrong kind.
SpaceEntry read_space_entry(TableReader& problem);
/// One pair of points, or several.
std::vector<std::pair<DocumentNode, DocumentNode>> read_joints(const DocumentNode& node);

/// RequestError unless the name is a letter followed by letters, digits and underscores.
void require_name(const std::string& name, const DocumentNode& node);

}  // namespace dalembert::study
