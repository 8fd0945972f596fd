#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/measure/watch/contact_watch.hpp"
#include "dalembert/measure/watch/departure.hpp"
#include "dalembert/measure/watch/multiplier_watch.hpp"
#include "dalembert/measure/watch/rank_watch.hpp"
#include "dalembert/mechanics/rank/full_multipliers.hpp"
#include "dalembert/run/event/event_advance.hpp"
#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "study/execution/records_between.hpp"
#include "study/execution/row_writer.hpp"

namespace dalembert::study {

/// Watches one run: errors at every step, records at some, blocks of records to the sinks.
class Recorder {
 public:
  /// `point` is the state from which the run goes on, in steps of the stepper; `events` are null if
  /// there are none.
  Recorder(const RunPlan& plan, const ExecutionOptions& options, const Point& point,
           Stepper& stepper, EventAdvance* events, RunResult& result);

  /// Whether the run goes on.
  bool operator()(const Sample& sample);
  /// The number of the next step whose state is to be seen, after one that was; those between are
  /// watched by the stepper.
  std::uint64_t next(std::uint64_t step) const;
  /// A state in between, where the rank of the constraints or a contact may be lost; every so many
  /// steps, or never if that is 0. False if it is to be seen at once.
  bool glance(const Point& point);
  std::uint64_t glance_every() const;
  /// Why the run cannot go on although the numbers took every step; empty if it can.
  const std::string& refusal() const { return refusal_; }
  /// The reports that the study asks for on the records of this execution.
  void report();
  /// The last block. A failed run also shows its last state.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  /// What an earlier execution of this run has found stays.
  /// Keeps the time of a caution, if it is the first.
  void keep_first(Caution caution, const std::optional<double>& t);
  void look_for_rank(const Point& point, bool with_mass);
  void look_for_departures(const Sample& sample);
  void look_for_broken_promises(const Sample& sample);
  void look_at_contacts(double t, const Point& point, std::span<double> row);
  void look_at_multipliers(const Sample& sample);
  /// Whether constraints that are left out still follow from the others.
  void look_at_redundancy(const Sample& sample);
  /// A record between two nodes.
  void record_between(const Sample& sample);
  void keep_row(std::span<const double> row);
  bool is_finite_row() const;
  void follow_errors(bool first);
  /// What the stepper has watched while nothing was seen.
  void follow_watched();
  /// Tells the stepper when something is to be seen before its time.
  void set_bounds();
  bool sees_every_step() const;
  /// A state that is finite with a multiplier, an energy or an integral that is not: nothing that
  /// follows means anything.
  void refuse_values(const Sample& sample);
  /// What a strict study does not let pass.
  void refuse_contact(const Sample& sample);
  void refuse(const Sample& sample, const std::string& reason);
  void take_events();
  StateValues state() const;
  void look_around();
  void hand_on();

  const RunPlan& plan_;
  const ExecutionOptions& options_;
  const Point& point_;
  Stepper& stepper_;
  EventAdvance* events_;
  RunResult& result_;
  RowWriter writer_;
  RankWatch watch_;
  DepartureWatch departure_watch_;
  std::optional<std::size_t> moving_energy_;
  ContactWatch contacts_;
  MultiplierWatch multipliers_;            ///< where the method carries them
  std::optional<FullMultipliers> full_;    ///< where constraints follow from others
  std::optional<RecordsBetween> between_;  ///< if records stand at times of their own
  std::vector<double> row_, between_row_, rows_;
  std::vector<Section> sections_;
  std::vector<double> times_;                  ///< of the records, if there is something to report
  std::vector<std::vector<double>> reported_;  ///< by report: its column
  std::string refusal_;
  bool sees_every_step_ = true;
  bool has_state_ = false, recorded_ = true, due_ = false, all_finite_ = true;
  std::uint64_t counted_ = 0;
  Clock::time_point handed_on_ = Clock::now(), looked_ = handed_on_;
  std::uint64_t next_look_ = 0, unseen_ = 1;  ///< steps between looks at the clock
  double longest_wait_ = 1.0;                 ///< seconds, before records are handed on
};

}  // namespace dalembert::study
