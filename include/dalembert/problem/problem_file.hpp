#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/mechanics/problem.hpp"
#include "dalembert/problem/event/event_entry.hpp"
#include "dalembert/problem/scene/scene_entry.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/problem/space/space_entry.hpp"
#include "dalembert/problem/start_entry.hpp"

namespace dalembert::study {

/// A coordinate as written, "x", an array of coordinates, "w[1..n]", which stands for w_1, ...,
/// w_n, or an element of a group, "R in SO(3)".
struct CoordinateEntry {
  std::string name;        ///< without "[1..n]" and "in SO(3)"
  std::string count = {};  ///< an expression of sizes; empty for a single coordinate
  bool is_angle = false;   ///< named in the list "angles"
  Place place = {};        ///< file and line
  std::string group = {};  ///< see Group::named; empty for coordinates

  /// As written: "x", "w[1..n]", "R in SO(3)".
  std::string text() const;
};

/// A system zeta' = Pi(zeta) dH(zeta) as written.
struct SkewGradientEntry {
  DocumentNode hamiltonian;          ///< expression H(zeta)
  std::vector<DocumentNode> matrix;  ///< rows of Pi
};

/// A constraint as written: an expression, perhaps with a name for its multiplier. That of an entry
/// each(i, 1, n, ...) stands for name_1, ..., name_n.
struct ConstraintEntry {
  DocumentNode expression;      ///< a term that vanishes, or "left = right"
  std::string name = {};        ///< empty: lambda_i
  DocumentNode name_node = {};  ///< node of the name, for messages
  /// Generalized force of a multiplier of 1, as the table [force]; nothing for an ideal constraint.
  std::optional<DocumentNode> reaction = {};
};

/// Units as written: one text for all quantities, or texts by name of a coordinate, a parameter, an
/// integral, `t` or `energy`. Unknown where nothing says them.
struct UnitsEntry {
  std::string whole = {};  ///< "SI", "nondimensional" or ""
  /// Pairs of a name and its unit.
  std::vector<std::pair<std::string, std::string>> by_name = {};

  /// True if there are units.
  bool are_known() const { return !whole.empty() || !by_name.empty(); }
};

/// A table [reduction] as written; see `chaplygin_reduction`.
struct ReductionEntry {
  std::vector<std::string> symmetry = {};       ///< names of coordinates
  std::optional<DocumentNode> multiplier = {};  ///< a reducing multiplier, if it is known
};

/// A problem as data that becomes a system when its sizes are chosen. From a file, expressions are
/// kept as written, with their places, so that every complaint names file and line; from code, see
/// `problem_in_code`, the system is there already.
struct ProblemFile {
  std::string name, description, source;     ///< texts of these keys
  std::string conserves;                     ///< "energy", "moving-energy", "nothing" or ""
  std::vector<CoordinateEntry> coordinates;  ///< those of zeta in skew-gradient form
  std::vector<Parameter> parameters;         ///< in order, which is that of all lists of values
  std::vector<SizeEntry> sizes;              ///< in order
  std::vector<TablePointer> tables;          ///< tables of points, for expressions
  /// By name; a force by its element, or the key `dissipation`.
  std::vector<std::pair<std::string, DocumentNode>> definitions, integrals, force;
  /// Table [lagrangian]; its `expression` excludes the others.
  std::optional<DocumentNode> kinetic, potential, lagrangian;
  std::vector<ConstraintEntry> constraints, holonomic;  ///< on velocities, on positions
  std::vector<DocumentNode> frame;       ///< vector fields that span the constraint distribution
  std::optional<DocumentNode> reversal;  ///< a sign for each coordinate
  std::optional<SkewGradientEntry> skew_gradient;  ///< instead of a Lagrangian
  std::vector<StartEntry> starts;                  ///< tables [initial.NAME]
  UnitsEntry units = {};                           ///< key or table `units`
  SpaceEntry space = {};                           ///< bodies and contacts
  std::vector<EventEntry> events = {};             ///< tables [[event]], in order
  std::optional<SceneEntry> scene = {};            ///< table [picture]
  std::optional<ReductionEntry> reduction = {};    ///< table [reduction]
  std::optional<System> system = {};  ///< made in code; then there are no sizes and expressions
  DocumentNode document;  ///< all of it, as read, with the points of tables that came from files
  std::vector<std::filesystem::path> files = {};  ///< files that it was read from
  Place place;                                    ///< file and line of the table

  /// True if the system is given in skew-gradient form, without velocities.
  bool is_skew_gradient() const;
  /// The start of that name; nullptr if there is none.
  const StartEntry* find_start(const std::string& start) const;
  std::vector<std::string> start_names() const;      ///< in order
  std::vector<std::string> parameter_names() const;  ///< in order
};

/// True if a word of an expression can be the name of a multiplier of the problem, as "normal", or
/// "ground_1" with a contact "ground"; sizes decide how many there are.
bool may_name_multiplier(const std::string& word, const ProblemFile& problem);

/// Reads a problem from a TOML table: a problem file, or the table [system] of a study.
/// RequestError for unknown keys, missing ones and values of the wrong kind.
ProblemFile read_problem(const DocumentNode& document, const std::string& default_name);
/// Reads a problem file; OutputError if it cannot be read.
ProblemFile read_problem_file(const std::filesystem::path& path);
}  // namespace dalembert::study
