#pragma once
// The group "state" of a run: all that it takes to go on. Only for the sources of this room.

#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "result/hdf5/access/library.hpp"

namespace dalembert::study {

/// Writes the group anew.
void write_checkpoint(hid_t run, const RunProgress& progress, const RunHistory& history);

/// Reads it, if it is there. OutputError where its numbers are not as many as the plan says.
void read_checkpoint(hid_t run, const RunPlan& plan, RunProgress& progress, RunHistory& history);

}  // namespace dalembert::study
