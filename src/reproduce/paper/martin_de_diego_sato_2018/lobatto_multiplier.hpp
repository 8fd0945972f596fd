#pragma once
// The multiplier that Lobatto methods carry, against that of the motion. Only for the sources of
// this room.

#include <cstddef>

#include "dalembert/picture/curve.hpp"
#include "reproduce/experiment.hpp"
#include "reproduce/study_runs.hpp"

namespace dalembert::reproduce {

/// lambda - lambda_exact at the nodes of a run of a system with one constraint, weighted by
/// sqrt(A M^-1 A^T): the acceleration that the error makes. In this weight the mode of the
/// multiplier that the methods do not damp keeps its size while the constraint turns.
study::Curve multiplier_error(const StudyRuns& runs, std::size_t run);

/// Claim 002-B.3: what becomes of it over the runs of Figs. 4 and 5.
ClaimFinding carried_multiplier(const StudyRuns& runs);

}  // namespace dalembert::reproduce
