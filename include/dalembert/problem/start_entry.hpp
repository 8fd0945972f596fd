#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/problem/sizes.hpp"

namespace dalembert::study {

struct ProblemFile;

/// An initial condition as written: numbers, or expressions of the parameters, as lists (q, v) or
/// by the names of the coordinates (position, velocity).
struct StartEntry {
  std::string name, description = {}, source = {};  ///< as the keys; the name may be empty
  std::vector<DocumentNode> q = {}, v = {};         ///< the key zeta is the same as q
  /// Momenta instead of velocities; multipliers.
  std::optional<std::vector<DocumentNode>> p = {}, lambda = {};
  std::optional<DocumentNode> position = {}, velocity = {};  ///< by name, instead of q and v
  std::optional<DocumentNode> free = {};  ///< names of what follows from the constraints
  bool project = false;  ///< bring the state onto the constraints; see Start::project
  std::map<std::string, DocumentNode> parameters = {};  ///< other values than the defaults, by name
  Sizes sizes = {};  ///< it belongs to systems of these sizes; empty: the defaults
  Place place = {};  ///< file and line of the table

  bool gives_position() const { return !q.empty() || position; }       ///< q, or by name
  bool gives_velocity() const { return !v.empty() || velocity || p; }  ///< v, by name, or momenta
};

/// Reads one initial condition: a table [initial.name] of a problem, or [initial] of a study, whose
/// further keys the caller has asked for already.
StartEntry read_start(TableReader& table, const std::string& name);

/// A start of the problem by name, or one in a table, whole; RequestError for anything else.
StartEntry read_named_or_own_start(const ProblemFile& problem, const DocumentNode& node);

/// RequestError unless a start gives positions and, but for skew-gradient systems, velocities or
/// momenta.
void check_start_complete(const StartEntry& start, TableReader& table, bool skew_gradient);

/// The numbers of a start for given parameters (in the order of the system's description); v is
/// empty if p is given. RequestError where their number is wrong or one is not finite.
Start evaluate_start(const ProblemFile& problem, const StartEntry& start, const System& system,
                     const Sizes& sizes, const std::vector<double>& parameters);

/// Names of the entries of q for messages, " (x, y)".
std::string position_names(const System& system);
/// Names of the entries of v for messages; without groups those of the coordinates.
std::string velocity_names(const System& system);

/// The parameters of a start: the system's defaults, then what the start sets. RequestError for
/// unknown names and values out of range.
std::vector<double> start_parameters(const ProblemFile& problem, const StartEntry& start);

/// Checks one value of a parameter; RequestError at the node's place otherwise.
void check_parameter(const Parameter& parameter, double value, const DocumentNode& node);

}  // namespace dalembert::study
