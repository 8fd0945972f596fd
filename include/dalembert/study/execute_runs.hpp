#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dalembert/step/instruction_set.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {

/// Receives records block by block while runs go on. Calls for different runs may come from
/// different threads.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  /// Seconds after which it wants what there is, however little.
  virtual double longest_wait() const { return 0.25; }
  /// Rows of the plan's columns, with the result so far, whose point is the state after the last
  /// completed step.
  virtual void append(const RunPlan& plan, std::span<const double> rows,
                      const RunResult& so_far) = 0;
  /// Called when a run has ended, been interrupted or failed, with its result.
  virtual void finish(const RunPlan& plan, const RunResult& result) = 0;
};

/// Options for the execution of the runs of a study.
struct ExecutionOptions {
  std::size_t threads = 1;                             ///< runs at a time, at most
  std::optional<InstructionSet> instruction_set = {};  ///< of steps; results are bitwise identical
  bool keep_records = false;                           ///< in memory, in the results
  std::vector<RecordSink*> sinks = {};                 ///< receivers of the records, not owned
  std::atomic<bool>* cancelled = nullptr;  ///< set it to stop all runs after the current step
  std::atomic<std::uint64_t>* steps_done = nullptr;  ///< counts steps of all runs
  std::vector<RunResult> resume_from = {};  ///< by run: where to go on; empty for a fresh start
};

/// Executes runs on one or more threads. The results are in the order of the plans and do not
/// depend on the number of threads.
std::vector<RunResult> execute_runs(const std::vector<RunPlan>& plans,
                                    const ExecutionOptions& options);

}  // namespace dalembert::study
