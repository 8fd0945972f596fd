#pragma once
// What processes that mpirun has started do together.

#include <cstddef>
#include <string>

#include "app/stored/stored_outputs.hpp"
#include "dalembert/run/ranks.hpp"

namespace dalembert::app {

struct StudyArguments;

/// Runs a study with [ensemble]: each rank its part of the members, rank 0 with all outputs.
/// Collective; returns the exit code.
int run_on_ranks(Ranks& ranks, const StudyArguments& arguments);

/// A result file to go on with, and how.
struct RankedResume {
  std::string file, until, instruction_set;
  std::size_t threads = 1;
  StoredRequest outputs;
};

/// The same for the ensembles in a result file, whatever computed it. Only rank 0 reads and writes
/// the file.
int resume_on_ranks(Ranks& ranks, const RankedResume& request);

}  // namespace dalembert::app
