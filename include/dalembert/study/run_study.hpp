#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/run/integrate.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert {

/// What the columns of a record are: t, q, v, lambda, energy, constraint, integrals, quantities of
/// the study, in this order.
struct RecordColumns {
  std::size_t dof = 0, velocity_count = 0,
              lambda_count = 0;    ///< no velocities in skew-gradient form
  std::vector<std::string> names;  ///< of all columns: t, x, x_dot, lambda_1, energy, constraint, …

  std::size_t width() const { return names.size(); }
  /// t, q and v: what a crossing of a section consists of.
  std::span<const std::string> motion_names() const {
    return std::span(names).first(lambda_begin());
  }
  std::size_t q_begin() const { return 1; }
  std::size_t v_begin() const { return 1 + dof; }
  std::size_t lambda_begin() const { return v_begin() + velocity_count; }
  std::size_t energy() const { return lambda_begin() + lambda_count; }
  std::size_t constraint() const { return energy() + 1; }
  std::size_t integrals_begin() const { return energy() + 2; }
  std::size_t integral_count() const { return width() - integrals_begin(); }
  /// Names of integrals and quantities.
  std::span<const std::string> integral_names() const {
    return std::span(names).subspan(integrals_begin());
  }
};

/// One run of a study, with everything decided.
struct RunPlan {
  std::size_t index = 0;
  std::string label;  ///< start, varied parameters and step: what distinguishes it from the other
                      ///< runs beside its method
  std::string start;  ///< name of the start, or ""
  Sizes sizes;
  System system;
  std::vector<double> parameters;
  MethodChoice method;
  double step = 0.0;
  std::uint64_t steps = 0, record_every = 1;
  std::vector<double> q, v;
  std::optional<std::vector<double>> lambda;
  std::shared_ptr<const StepProgram> program;
  RecordColumns columns;
  std::vector<QuantityChoice> quantities = {};
  std::vector<ReportChoice> reports = {};
  std::vector<SectionChoice> sections = {};
};

/// A state as results show it: angles unwrapped, forces as multipliers.
struct StateValues {
  double t = 0.0;
  std::vector<double> q, v, lambda;
};

/// How far a conserved quantity has moved.
struct IntegralSummary {
  std::string name;
  double initial = 0.0, final = 0.0, max_error = 0.0;
};

/// The crossings of one Poincare section.
struct SectionResult {
  std::string name;
  std::vector<Crossing> crossings = {};
};

/// Largest errors over every step, whether recorded or not.
struct RunDiagnostics {
  IntegralSummary energy{"energy"};
  double constraint_max = 0.0;  ///< largest |Phi_i|, and |phi_i| of constraints on positions
  std::vector<IntegralSummary> integrals;  ///< and quantities of the study
  std::vector<DiagnosticReport> reports;   ///< on the records of this execution
  std::vector<SectionResult> sections;     ///< in the order of the plan
};

/// What came of a run. A run that the numbers refused keeps everything up to there.
struct RunResult {
  enum class Status { ok, failed, interrupted } status = Status::interrupted;
  std::string message;
  std::uint64_t steps = 0;  ///< completed, from the start of the run
  StateValues initial, final;
  RunDiagnostics diagnostics;
  std::uint64_t newton_iterations = 0;
  double seconds = 0.0;           ///< wall time with diagnostics and records
  double seconds_per_step = 0.0;  ///< of the step alone, measured on steps from the same start
  Point point;                    ///< the last state as the stepper holds it
  std::vector<double> records;    ///< rows of the plan's columns, if they were to be kept

  std::uint64_t evaluations() const {
    return steps + newton_iterations;
  }  ///< passes through the equations of a step
};

/// "ok", "failed" or "interrupted".
const char* status_text(RunResult::Status status);

/// Receives records block by block while runs go on. Calls for different runs may come from
/// different threads.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  /// Rows of the plan's columns, with the result so far, whose point is the state after the last
  /// completed step.
  virtual void append(const RunPlan& plan, std::span<const double> rows,
                      const RunResult& so_far) = 0;
  virtual void finish(const RunPlan& plan, const RunResult& result) = 0;
};

/// How the runs of a study are executed.
struct ExecutionOptions {
  std::size_t threads = 1;
  bool keep_records = false;  ///< in memory, in the results
  std::vector<RecordSink*> sinks = {};
  std::atomic<bool>* cancelled = nullptr;  ///< set it to stop all runs after the current step
  std::atomic<std::uint64_t>* steps_done = nullptr;  ///< counts steps of all runs
  std::vector<RunResult> resume_from = {};  ///< by run: where to go on; empty for a fresh start
};

/// All runs of a study: starts x parameters x methods x steps. Compiles each method for each system
/// and checks each start; RequestError, naming the pair, for a method that does not fit and for a
/// start that violates its constraints.
std::vector<RunPlan> plan_runs(const Study& study);

/// Executes runs on one or more threads. The results are in the order of the plans and do not
/// depend on the number of threads.
std::vector<RunResult> execute_runs(const std::vector<RunPlan>& plans,
                                    const ExecutionOptions& options);

}  // namespace dalembert
