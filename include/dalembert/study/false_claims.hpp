#pragma once

#include <string>
#include <vector>

#include "dalembert/mechanics/problem.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Claims of a problem that its motion contradicts, a sentence each: an energy said to be
/// conserved, or an integral, that changes along the motion itself and not by the error of a
/// method; a kinetic energy that is negative for the velocity of one coordinate at the start. Only
/// energies and integrals that moved in a run by more than a millionth are looked at, so that this
/// costs next to nothing where all is well.
std::vector<std::string> false_claims(const Study& study, const std::vector<RunPlan>& plans,
                                      const std::vector<RunResult>& results);

/// False claims of a problem by itself, at each of its starts and, for conservation, near the first
/// with the same parameters. `problem` is what `file` makes. RequestError where a start is wrong.
std::vector<std::string> false_claims(const ProblemFile& file, const Problem& problem);

}  // namespace dalembert::study
