#pragma once

#include <optional>

#include "dalembert/mechanics/frame.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// A system on groups, written in the coordinates of a chart: positions x in R^n, which stand for
/// the points gc tau(x) around a base point gc, and their rates u, so that eta = T(x) u. Its
/// Lagrangian is l(gc tau(x), T(x) u); constraints, forces and frame follow. Multipliers and the
/// energy are those of the system itself.
struct ChartSystem {
  System system;  ///< on R^n; parameters are those of the original, and the two points below
  Vector base;    ///< the stored numbers of gc, symbols of that system, [storage_count]
  /// The stored numbers of a point at which the signs of the frame are chosen, likewise: one that
  /// is known before a step, where gc may not be.
  Vector reference;
};

/// The frame that the new system supplies is that of the group, T(x)^-1 X(gc tau(x)): X the frame
/// of that kind, with signs chosen at the reference; without a kind, the one that the original
/// supplies, if it does. RequestError for a system in skew-gradient form, and where there is no
/// frame of the kind.
ChartSystem chart_system(const System& original, Retraction retraction,
                         std::optional<FrameKind> frame = {});

}  // namespace dalembert
