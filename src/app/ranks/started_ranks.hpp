#pragma once
// Whether mpirun has started this process, and the others that it has.

#include <functional>
#include <memory>

#include "dalembert/run/ranks.hpp"

namespace dalembert::app {

/// The ranks among which this process is; nothing where it was not started by mpirun. OutputError
/// where it was and the module for MPI is not there.
std::unique_ptr<Ranks> started_ranks();

/// The exit code of an action of all ranks. An exception at rank 0 is complained of and ends all
/// of them, as one elsewhere does.
int on_ranks(Ranks& ranks, const std::function<int()>& action);

}  // namespace dalembert::app
