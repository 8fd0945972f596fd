#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/expression/parser.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/document/document.hpp"

namespace dalembert {

/// Whole numbers that fix the size of a family of systems, by name.
using Sizes = std::map<std::string, long, std::less<>>;

/// A size with its admissible range.
struct SizeEntry {
  std::string name;
  long value = 1, min = 1, max = 1000;
  std::string description = {};
};

/// A coordinate as written, "x", or an array of coordinates, "w[1..n]", which stands for w_1, ...,
/// w_n.
struct CoordinateEntry {
  std::string name;
  std::string count = {};  ///< an expression of sizes; empty for a single coordinate
  bool is_angle = false;
  Place place = {};
};

/// An initial condition as written: numbers, or expressions of the parameters.
struct StartEntry {
  std::string name, description = {}, source = {};
  std::vector<Item> q = {}, v = {};  ///< the key zeta is the same as q
  std::optional<std::vector<Item>> p = {},
                                   lambda = {};  ///< momenta instead of velocities; multipliers
  bool project = false;
  std::map<std::string, Item> parameters = {};
  Sizes sizes = {};
  Place place = {};
};

/// A system zeta' = Pi(zeta) dH(zeta) as written.
struct SkewGradientEntry {
  Item hamiltonian;
  std::vector<Item> matrix;  ///< rows of Pi
};

/// A problem file as read: data that becomes a system when its sizes are chosen. Expressions are
/// kept as written, with their places, so that every complaint names file and line.
struct ProblemFile {
  std::string name, description, source;
  std::string conserves;  ///< "energy", "moving-energy" or "nothing"
  std::vector<CoordinateEntry> coordinates;
  std::vector<Parameter> parameters;
  std::vector<SizeEntry> sizes;
  std::vector<std::pair<std::string, Item>> definitions, integrals, force;
  std::optional<Item> kinetic, potential, lagrangian;
  std::vector<Item> constraints, holonomic, frame;
  std::optional<Item> reversal;
  std::optional<SkewGradientEntry> skew_gradient;
  std::vector<StartEntry> starts;
  Item document;  ///< all of it, as read
  Place place;

  const StartEntry* find_start(const std::string& start) const;
  std::vector<std::string> start_names() const;
  std::vector<std::string> parameter_names() const;
};

/// Reads a problem from a TOML table: a problem file, or the table [system] of a study.
/// RequestError for unknown keys, missing ones and values of the wrong kind.
ProblemFile read_problem(const Item& document, const std::string& default_name);
/// Reads a problem file; OutputError if it cannot be read.
ProblemFile read_problem_file(const std::filesystem::path& path);
/// Reads one initial condition: a table [initial.name] of a problem, or [initial] of a study, whose
/// further keys the caller has asked for already.
StartEntry read_start(TableReader& table, const std::string& name);

/// RequestError unless a start gives positions and, but for skew-gradient systems, velocities or
/// momenta.
void check_start_complete(const StartEntry& start, TableReader& table, bool skew_gradient);

/// The chosen sizes completed by defaults; RequestError for unknown ones and those out of range.
Sizes complete_sizes(const ProblemFile& problem, const Sizes& chosen = {});

/// The system for the chosen sizes. RequestError with file and line where an expression cannot be
/// read or the equations make no sense. Its description holds the starts that have these sizes.
System make_system(const ProblemFile& problem, const Sizes& chosen = {});

/// The numbers of a start for given parameters (in the order of the system's description); v is
/// empty if p is given. RequestError where their number is wrong or one is not finite.
Start evaluate_start(const ProblemFile& problem, const StartEntry& start, const System& system,
                     const Sizes& sizes, const std::vector<double>& parameters);

/// The parameters of a start: the system's defaults, then what the start sets. RequestError for
/// unknown names and values out of range.
std::vector<double> start_parameters(const ProblemFile& problem, const StartEntry& start);

/// Checks one value of a parameter; RequestError at the node's place otherwise.
void check_parameter(const Parameter& parameter, double value, const Item& node);

/// An expression at a node, which may be a number or text. RequestError with the place.
Expr parse_expression(const Item& node, const Scope& scope);
/// The expressions that the entries of a list stand for; an entry "each(i, 1, n, term)" stands for
/// several.
Vector parse_expressions(const std::vector<Item>& nodes, const Scope& scope);
/// A whole number from an expression of sizes, as "2*n + 1". RequestError with the place.
long parse_whole_number(const Item& node, const Scope& scope);
/// The same for a constant expression such as "pi/10"; must be finite.
double parse_constant(const Item& node, const Scope& scope = {});

}  // namespace dalembert
