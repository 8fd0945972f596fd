#pragma once
// Identities that simplification does not see. Only for the sources of this room.

#include <vector>

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// Points at which expressions are compared with zero: coordinates (and velocities, if they are
/// among the symbols) and parameters at a few generic values. A function that is analytic and
/// vanishes at all of them vanishes everywhere, but for a coincidence. One that may only just
/// vanish, or is undefined there, is taken for one that does not.
class GenericPoints {
 public:
  /// `position`: symbols for the coordinates in expressions, as many as there are, in the graph of
  /// `reference`.
  GenericPoints(const System& system, const Vector& reference, Vector position);

  /// Which expressions, sums of terms, are zero for all positions and parameters.
  std::vector<bool> vanishing(const Vector& expressions) const;
  /// Zero in place of those, and the value at the origin, a steady factor, of those that do not
  /// change with the position.
  Vector simplified(const Vector& expressions) const;

 private:
  System system_;
  Symbols symbols_;
  Vector position_;
};

}  // namespace dalembert
