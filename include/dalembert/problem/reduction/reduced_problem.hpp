#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/mechanics/problem.hpp"
#include "dalembert/mechanics/reduction/chaplygin_reduction.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::study {

/// Choices for the reduction of a problem, beside its table [reduction].
struct ReductionChoice {
  std::vector<std::string> symmetry = {};  ///< in the place of [reduction] symmetry
  std::string multiplier = {};             ///< in the place of [reduction] multiplier
  bool hamiltonize = false;                ///< in the time of the multiplier
  bool reconstruct = false;                ///< see ReductionRequest::reconstruct
};

/// The reduction that is meant; see `chaplygin_reduction`. RequestError where neither the choice
/// nor the file names a symmetry, where a multiplier is needed and none is there, and for what
/// cannot be reduced.
ChaplyginReduction reduce_problem(const ProblemFile& file, const Problem& problem,
                                  const ReductionChoice& choice);

/// A problem file of the reduced system: Lagrangian, gyroscopic force, parameters, and the starts
/// of the problem that have the parameters for which it was reduced.
std::string reduced_problem_text(const ProblemFile& file, const Problem& problem,
                                 const ChaplyginReduction& reduction);

}  // namespace dalembert::study
