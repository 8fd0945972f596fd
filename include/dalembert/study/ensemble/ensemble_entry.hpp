#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/start_entry.hpp"
#include "dalembert/study/ensemble/ensemble_part.hpp"

namespace dalembert::study {

/// A random variable that the expressions of starts may use.
struct RandomVariable {
  enum class Law { uniform, normal } law = Law::uniform;  ///< law of its distribution
  std::string name;                  ///< in the expressions; no parameter has it
  double first = 0.0, second = 1.0;  ///< the ends of the interval, or mean and standard deviation
};

/// The table [ensemble] of a study: how the starts of many members are drawn. doc/ensembles.md says
/// it in full.
///
/// Positions come from one of: `around` (a start, with normal spreads), `box` (uniform in
/// intervals), `start` (expressions of random variables, or a row of numbers for each member), or
/// the default box, [-1, 1] for each
/// coordinate and [-pi, pi] for angles. Velocities come from `around`, from the expressions, or are
/// drawn isotropically in the metric of the mass within what the constraints allow. With an energy,
/// the part of the velocity that the constraints leave free is scaled until the energy has it.
struct EnsembleEntry {
  std::uint64_t size = 0, seed = 0;  ///< number of members, at most 1e7; seed of RandomStream
  std::optional<DocumentNode> energy = {};  ///< a number or an expression of the parameters
  /// q and perhaps v or p, expressions of random variables; or q and v as lists, one for each
  /// member.
  std::optional<StartEntry> start = {};
  std::vector<RandomVariable> variables = {};  ///< names in the expressions of `start`
  std::optional<StartEntry> around = {};       ///< the mean of normally spread starts
  /// Standard deviations of positions and of velocities: one for all entries, or one for each.
  std::optional<DocumentNode> spread_q = {}, spread_v = {};
  std::optional<DocumentNode> box = {};   ///< an interval for all coordinates, or one for each
  std::uint64_t attempts = 1000;          ///< draws of a member until one is admissible, at most
  bool project = false;                   ///< bring velocities onto the constraints
  std::optional<EnsemblePart> part = {};  ///< of the members those that are run; all without it
  Place place = {};                       ///< of the table
};

/// Reads a table [ensemble]; RequestError with the place for anything wrong.
EnsembleEntry read_ensemble(const ProblemFile& problem, const DocumentNode& node);

}  // namespace dalembert::study
