#pragma once
// What a result file says more than once must agree. Each function throws OutputError with both
// values where it does not. Only for the sources of this room.

#include <cstdint>
#include <string>

#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "result/hdf5/access/library.hpp"

namespace dalembert::study {

/// OutputError: `what` is `value` in one place, and `other` in another.
[[noreturn]] void contradict(const std::string& what, const std::string& value,
                             const std::string& place, const std::string& other,
                             const std::string& other_place);

/// The attributes of a run, and the study in the file, whose plan it is. Those that version 0.1 did
/// not write may lack.
void check_request(hid_t run, const RunPlan& plan);

/// The steps of the state of a run that is planned as the study says, without another end, and what
/// the run says of its steps and its status. Version 0.1 rounded ends to whole steps.
void check_end(hid_t run, const RunPlan& plan, std::uint64_t steps, bool is_ended_by_event);

/// A whole number among the attributes of a run, if it is there, and what another place has.
void check_count(hid_t run, const char* name, std::uint64_t expected, const char* place);

/// The time of a state is that of its steps.
void check_time_of_steps(double t, const RunPlan& plan, std::uint64_t steps);

/// The names of the columns of records and of their dimensions.
void check_names(hid_t run, const RunPlan& plan);

/// Times of records increase, and the first `regular` are `record_every` steps apart.
void check_times(hid_t run, const RunPlan& plan, std::uint64_t regular);

/// The state of a run: its time and its steps, its positions with their turns and velocities, with
/// the first record and the last. `is_old`: of version 0.1, whose records may go beyond the state.
void check_state(hid_t run, const RunPlan& plan, const RunResult& result, bool is_old);

}  // namespace dalembert::study
