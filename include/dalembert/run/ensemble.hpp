#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/mechanics/event/event.hpp"
#include "dalembert/run/record_times.hpp"
#include "dalembert/step/batch_stepper.hpp"
#include "dalembert/step/later_kernel.hpp"
#include "dalembert/step/member_points.hpp"

namespace dalembert {

/// A member that takes no further part: its step was refused, and it keeps the state before that
/// step, or an event has ended it, and it has the state then.
struct MemberFailure {
  std::size_t member = 0;  ///< its number, from 0
  std::uint64_t step = 0;  ///< number of the refused step, from 1
  double t = 0.0;          ///< time before it, or of the event
  double residual = 0.0;   ///< of the refused step; 0 where an event has ended the member
  StepStatus status = StepStatus::ok;        ///< reason of the refusal; ok where that is not known
  std::string message = {};                  ///< one sentence: method, system, step, time, residual
  std::optional<std::size_t> ended_by = {};  ///< the event, by its number, that has ended it
};

/// The members of an ensemble after `step` steps: enough to go on bit for bit.
struct EnsembleState {
  std::uint64_t step = 0;  ///< steps since the start
  MemberPoints points;     ///< states of all members; those that have failed keep theirs
  std::vector<MemberFailure> failures = {};  ///< in the order of the members
};

/// Values that the members measure at some consecutive records.
struct EnsembleWindow {
  /// Record r is taken after min(r record_every, steps) steps, or at times of its own.
  std::uint64_t first_record = 0;
  std::size_t records = 0, quantities = 0, members = 0;  ///< dimensions of `values`
  std::span<const double> times;                         ///< of these records
  /// Quantity j (energy, largest |Phi_i|, then the integrals of the system) of every member at
  /// record first_record + i begins at (i quantities + j) members; nan for members that have
  /// failed.
  std::span<const double> values;
  /// After the last of these records; where records stand at times of their own, at the node that
  /// follows or beyond.
  const EnsembleState* state = nullptr;

  /// Values of quantity j at record first_record + `record`, as [members].
  std::span<const double> quantity(std::size_t record, std::size_t j) const {
    return values.subspan((record * quantities + j) * members, members);
  }
};

/// Options of integrate_ensemble. Lanes and threads change no bit of the results.
struct EnsembleOptions {
  std::uint64_t steps = 0;         ///< from the start, also when a state is continued
  double start_time = 0.0;         ///< of step 0
  std::uint64_t steps_before = 0;  ///< taken before step 0, for messages that count all of them
  std::uint64_t record_every = 1;  ///< steps between records; the last step is recorded too
  /// Records at times of their own after that of step 0, if they are given: between two nodes as of
  /// a single run, by a step of another size from the node before, or by interpolation where the
  /// method carries data of steps of one size.
  RecordTimes record_times = {};
  /// Events of members during the run; see check_member_event. Of a program that watches them
  /// (`watched_events`) members stay in lanes.
  std::vector<Event> events = {};
  bool records_end = true;  ///< true: the last step is recorded beside these
  int lanes = 0;            ///< members in one vector register: 4, 8, or 1 for a member at a time;
                            ///< 0: the best of the instruction set
  std::optional<InstructionSet> instruction_set = {};  ///< the best of this machine unless given
  std::size_t threads = 1;  ///< number of threads that share the blocks of members
  /// Number of members from which, with the step's instructions, the number of records in a window
  /// follows, in the place of the machine's speed: for processes that show theirs together.
  std::optional<std::size_t> window_members = {};
  /// Kernel to which blocks of so many members may change over when it is ready, for steps of this
  /// size: compiled steps, as of `NativeCode`. Asked once, where members are in lanes; may give
  /// nothing.
  std::function<std::shared_ptr<const LaterKernel>(int members, InstructionSet)> later_kernel = {};
  std::atomic<bool>* cancelled = nullptr;            ///< set it to stop
  std::atomic<std::uint64_t>* steps_done = nullptr;  ///< counts steps of all members
};

/// Outcome of integrate_ensemble.
struct EnsembleReport {
  bool complete = false;  ///< false: cancelled, and the state is that of the last window shown
  std::uint64_t member_steps = 0, iterations = 0;  ///< sums over all members
  double seconds = 0.0;                            ///< in the stepper alone, summed over threads
  bool has_switched = false;                       ///< true if a thread ended with the later kernel
};

/// Advances all members of `state` record by record, and shows each window of records to the
/// observer, on the calling thread; how many records make a window (none, where they are far apart)
/// depends on the machine's speed, what is shown does not. Members whose step is refused are put
/// among the failures; the others go on. Methods that divide their steps (with a tolerance) run a
/// member at a time. RequestError for zero members, for points, parameters or options that are not
/// admissible.
///
/// Beside the state there is one more copy of its points, the values of the records of a window,
/// and what each thread needs for a block of members.
EnsembleReport integrate_ensemble(const std::shared_ptr<const StepProgram>& program,
                                  std::span<const double> parameters, double h,
                                  EnsembleState& state, const EnsembleOptions& options,
                                  const std::function<void(const EnsembleWindow&)>& observer);

}  // namespace dalembert
