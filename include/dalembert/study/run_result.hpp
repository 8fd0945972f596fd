#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/measure/watch/contact_watch.hpp"
#include "dalembert/measure/watch/departure.hpp"
#include "dalembert/run/event/event.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/execution/caution.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// A state as results show it: angles unwrapped, forces as multipliers.
struct StateValues {
  double t = 0.0;                    ///< time of the state
  std::vector<double> q, v, lambda;  ///< stored positions, velocities, multipliers
  /// The multiplier of the motion through (q, v), as `lambda`; empty where nobody computed it.
  std::vector<double> lambda_recomputed = {};
};

/// Change of a conserved quantity.
struct IntegralSummary {
  std::string name;                                    ///< of its column
  double initial = 0.0, final = 0.0, max_error = 0.0;  ///< values; largest |value - initial|
};

/// The crossings of one Poincare section.
struct SectionResult {
  std::string name;                      ///< as of SectionChoice
  std::vector<Crossing> crossings = {};  ///< in the order of time
};

/// Occurrences of an event.
struct EventResult {
  std::string name;                               ///< of the event
  std::vector<EventOccurrence> occurrences = {};  ///< of this event
};

/// The error of q and v in a run for which a tolerance was asked, relative to one plus their size,
/// as a second run with other steps shows it.
struct ErrorEstimate {
  double asked = 0.0;       ///< the tolerance
  double largest = 0.0;     ///< up to the end; infinite where runs with other steps fail
  double kept_until = 0.0;  ///< the last time that was looked at before the first error above it

  /// True of an error that is further off than estimates are.
  bool is_missed() const { return largest > 10.0 * asked; }
};

/// Errors that a run has seen up to its last state, over every step, whether recorded or not: what
/// it needs of them to go on.
struct RunHistory {
  IntegralSummary energy{"energy"};  ///< also of a motion that does not keep it
  double constraint_max = 0.0;       ///< largest |Phi_i|, and |phi_i| of constraints on positions
  std::vector<IntegralSummary> integrals = {};  ///< and quantities of the study
  CautionTimes cautions = {};                   ///< reasons to distrust the numbers
  Departures departures = {};  ///< of energy and constraints, against the size of their terms
  /// Departures of multipliers that the method carries from those of the motion, one per constraint
  /// on velocities; empty where none is carried. See MultiplierWatch.
  std::vector<Departure> multipliers = {};
  std::vector<ContactHistory> contacts = {};       ///< one per contact that the plan watches
  std::vector<EventHistory> event_histories = {};  ///< in the order of the plan
};

/// Errors, events and reports of a run.
struct RunDiagnostics : RunHistory {
  std::optional<ErrorEstimate> error = {};     ///< of a finished run with a tolerance
  std::vector<DiagnosticReport> reports = {};  ///< on the records of this execution
  std::vector<SectionResult> sections = {};    ///< in the order of the plan
  std::vector<EventResult> events = {};        ///< likewise
};

/// The place that a run has reached. With its history it is all that it takes to go on.
struct RunProgress {
  std::uint64_t steps = 0;     ///< completed, from the start of the run
  StateValues initial, final;  ///< the start, and the last state
  Point point;                 ///< the last state as the stepper holds it
  /// The event that has ended the run, "" if none has: `final` is then the state at the event, as
  /// is `point`, and the run does not go on.
  std::string ended_by = {};
};

/// Outcome of a run so far. A run in which the solver fails keeps everything up to there.
struct RunOutcome : RunProgress {
  enum class Status { ok, failed, interrupted } status = Status::interrupted;  ///< outcome so far
  std::string message;                  ///< one sentence when it failed
  RunDiagnostics diagnostics;           ///< errors, events, sections and reports
  std::uint64_t newton_iterations = 0;  ///< or substeps beyond one for each step
  std::uint64_t rejected_substeps = 0;  ///< of a method that divides its steps
  bool native = false;                  ///< true if it ended with compiled steps
  std::string native_refusal = {};      ///< reason for not doing so, where it was to
  double seconds = 0.0;                 ///< wall time with diagnostics and records
  double seconds_per_step = 0.0;        ///< processor time of the whole run, by its steps

  /// The number of passes through the equations of a step.
  std::uint64_t evaluations() const { return steps + newton_iterations; }
};

/// Outcome of a run with its records.
struct RunResult : RunOutcome {
  std::vector<double> records;  ///< rows of the plan's columns, if they were to be kept
};

/// True if something of a run is left to be done.
inline bool goes_on(const RunPlan& plan, const RunResult& result) {
  return result.ended_by.empty() && plan.goes_on_from(result.steps, result.final.t);
}

/// "native" or "interpreter", with which the last steps of a run were taken.
inline const char* code_text(bool native) { return native ? "native" : "interpreter"; }

/// "ok", "failed" or "interrupted".
const char* status_text(RunResult::Status status);

}  // namespace dalembert::study
