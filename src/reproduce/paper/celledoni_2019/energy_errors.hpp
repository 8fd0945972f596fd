#pragma once
// Energy and constraint errors of the runs of a study, for Celledoni et al. 2019. Only for the
// sources of this folder.

#include <string>

#include "dalembert/picture/picture.hpp"
#include "reproduce/study_runs.hpp"

namespace dalembert::reproduce {

/// Round-off of a constraint of terms of size 1, and of an energy after many steps.
constexpr double constraint_round_off = 1e-13, energy_round_off = 1e-11;

/// The largest |constraint| of a method, and the largest energy error of a run relative to the
/// energy at the start.
double constraint_error(const StudyRuns& runs, const std::string& method);
double relative_error(const StudyRuns& runs, std::size_t run);

/// Two panels against time, on logarithmic axes: energy error and constraint.
study::Picture energy_and_constraint(const StudyRuns& runs, const std::string& title);

}  // namespace dalembert::reproduce
