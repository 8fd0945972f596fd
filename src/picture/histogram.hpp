#pragma once
// Histograms of the members of ensembles. Only for the sources of this room.

#include <string>
#include <vector>

#include "dalembert/picture/picture.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// RequestError for a quantity that is neither energy, an integral, the error of one of them, nor
/// an expression of the state.
void check_histogram(const std::string& quantity, const EnsemblePlan& plan);
/// How many members end in each of equal intervals, which all methods of a panel share: a panel for
/// each quantity and each choice of parameters and step, an outline for each method. Members that
/// did not get to the end are left out, with a note.
Picture picture_of_histograms(const PlotRequest& request, const std::vector<EnsemblePlan>& plans,
                              const std::vector<EnsembleResult>& results);

}  // namespace dalembert::study
