#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/mechanics/event/event.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/sizes.hpp"

namespace dalembert::study {

struct ProblemFile;

/// An impact as written: `impact = { restitution = 0.8, grip = ["x_dot - r*phi_dot"] }`.
struct ImpactEntry {
  DocumentNode restitution;        ///< of the rate of the event's function
  std::vector<DocumentNode> grip;  ///< velocities of the contact along the wall
  DocumentNode grip_restitution;   ///< of these
  double rest = 0.0;               ///< > 0, a velocity, or 0 without the key; see Event::rest
};

/// An event as written in a table [[event]] of a problem or a study.
struct EventEntry {
  std::string name;      ///< "event" unless given
  DocumentNode of = {};  ///< an expression of t, positions, velocities and parameters
  Direction direction = Direction::both;   ///< zero crossings that count
  std::uint64_t stop_after = 0;            ///< key `terminal`; see Event::stop_after
  std::optional<ImpactEntry> impact = {};  ///< stands without `set`
  std::vector<TableEntry> set = {};        ///< coordinates and velocities, and what they become
  bool project = false;  ///< bring the new state onto the constraints; only with `set`
  Place place = {};      ///< file and line of the table

  /// True if it changes the state.
  bool acts() const { return impact.has_value() || !set.empty(); }
};

/// "rising", "falling" or "both"; RequestError for another word.
Direction read_direction(const DocumentNode& node);
/// The tables [[event]] at a node, if there is one, after those of `before`. RequestError for wrong
/// keys and values, and for a name that is taken.
std::vector<EventEntry> read_events(const DocumentNode* node, std::vector<EventEntry> before = {});

/// The events of a system of that problem; they may use what its own expressions use. RequestError
/// with the place for expressions that cannot be read, and for what is no event of the system.
std::vector<Event> make_events(const std::vector<EventEntry>& entries, const ProblemFile& problem,
                               const System& system, const Sizes& sizes);

}  // namespace dalembert::study
