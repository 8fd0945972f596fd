#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/document/node.hpp"

namespace dalembert::study {

/// The kinds of shapes of which a scene consists.
enum class ShapeKind {
  line,    ///< points joined by straight lines, or pieces of so many of them
  circle,  ///< a circle, in space a disk's rim, with spokes where its turning is known
  ball,    ///< in space a ball or an ellipsoid, with lines on it that turn with its axes
  point,   ///< a dot of a size that does not depend on the scale
  trail,   ///< the path of a point up to now
};

/// A shape as written in a table [[picture.line]], [[picture.circle]], ...; its expressions are
/// read when the system is there.
struct ShapeEntry {
  ShapeKind kind;      ///< of the word of the table: segments and wheels are lines
  DocumentNode table;  ///< its keys are those of the word
};

/// Picture of a problem, as written in its table [picture].
struct SceneEntry {
  bool is_in_space = false;                 ///< view = "space"
  bool is_up_reversed = false;              ///< the third axis of space points down
  std::optional<DocumentNode> follow = {};  ///< the point that stays in the middle
  std::vector<ShapeEntry> shapes = {};      ///< in the order of the file
};

/// Reads a table [picture]. RequestError for unknown keys and words, and for a scene without
/// shapes.
SceneEntry read_scene(const DocumentNode& node);

}  // namespace dalembert::study
