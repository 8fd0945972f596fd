#pragma once
// Agreement of what the result file of an ensemble says more than once. Only for the sources of
// this room.

#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "result/hdf5/access/library.hpp"

namespace dalembert::study {

/// Statistics, moments, values, errors kept for growth laws, numbers of members and their states:
/// each follows from another, bit for bit. OutputError with both values where it does not. Where
/// the plan has another end than the file, its last states are not compared, which may be those of
/// a shorter last step.
void check_ensemble(hid_t run, const EnsemblePlan& plan, const EnsembleResult& result,
                    bool has_other_end);

}  // namespace dalembert::study
