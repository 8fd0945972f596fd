#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/mechanics/parameters.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert {

class Evaluator;

/// Requested initial state of a run: positions with velocities or momenta, at t = 0 unless said
/// otherwise. Shapes: q [storage_count], v, p [dof] (skew-gradient form: q alone),
/// lambda [constraint_count].
struct Start {
  std::string name = {};                      ///< name in the problem; may be empty
  std::vector<double> q = {}, v = {};         ///< position and velocity; v is empty if p is given
  std::optional<std::vector<double>> p = {};  ///< p = dL/dv instead of v
  std::optional<std::vector<double>> lambda =
      {};                        ///< for methods that carry one; else the exact multiplier
  bool project = false;          ///< bring q and v onto the constraints first
  NamedValues parameters = {};   ///< other values than the system's defaults
  std::string description = {};  ///< one line for people
};

/// Turns a start as it is asked for into an admissible one: momenta are turned into velocities;
/// with `project`, q and v become those nearest in the metric of the mass that satisfy all
/// constraints (see ConsistentStart); mass, constraints and acceleration are checked there. The
/// result has v, no p, and nothing left to project. Parameters are those of the evaluator.
/// RequestError for a size that does not fit (both numbers and the names), v and p both or neither,
/// an entry that is not finite, a mass or constraints that are singular there, a velocity or
/// position that Newton's iteration does not find, a violated constraint and by how much.
Start prepare_start(Evaluator& evaluator, const Start& start, double t = 0.0);
/// Admissible start for parameters in the order of the description; if empty, the defaults with
/// those that the start sets.
Start prepare_start(const System& system, const Start& start,
                    std::span<const double> parameters = {}, double t = 0.0);

}  // namespace dalembert
