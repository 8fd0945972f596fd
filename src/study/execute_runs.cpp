#include "dalembert/study/execute_runs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "dalembert/expression/printer.hpp"
#include "dalembert/measure/watch/departure.hpp"
#include "dalembert/measure/watch/rank_watch.hpp"
#include "dalembert/mechanics/conservation.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/execution/failure_cause.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "study/execution/records_between.hpp"
#include "study/execution/row_writer.hpp"

namespace dalembert::study {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t block_rows = 8192;
constexpr std::uint64_t most_steps_unseen = 1024;  // before a look at the clock
constexpr std::uint64_t steps_between_looks =
    4;  // a loss of rank or contact is noticed from some way off
constexpr double often = 0.01, seldom = 0.04;  // seconds between looks

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void follow(IntegralSummary& summary, double value, bool first) {
  if (first) summary.initial = value;
  summary.final = value;
  const double error = std::fabs(value - summary.initial);
  summary.max_error = numeric::larger(summary.max_error, error);
}

/// Watches one run: errors at every step, records at some, blocks of records to the sinks.
class Recorder {
 public:
  /// `point` is the state from which the run goes on.
  Recorder(const RunPlan& plan, const ExecutionOptions& options, const Point& point,
           RunResult& result)
      : plan_(plan),
        options_(options),
        point_(point),
        result_(result),
        writer_(plan),
        watch_(plan.system, plan.parameters),
        departure_watch_(plan.system, plan.parameters, result.diagnostics.departures),
        moving_energy_(DepartureWatch::moving_energy(plan.system)),
        contacts_(plan.contacts),
        row_(plan.columns.width()),
        reported_(plan.reports.size()) {
    contacts_.go_on_from(result.diagnostics.contacts);
    if (result_.diagnostics.integrals.empty()) {
      for (const std::string& name : plan.columns.integral_names())
        result_.diagnostics.integrals.push_back({name});
    }
    result_.diagnostics.sections.resize(plan.sections.size());
    for (std::size_t i = 0; i < plan.sections.size(); ++i) {
      result_.diagnostics.sections[i].name = plan.sections[i].name;
      sections_.push_back(make_section(plan.sections[i], plan.system, plan.parameters));
      const StateValues& last = result_.final;
      if (result_.steps > 0) sections_.back().add(last.t, last.q, last.v);
    }
    counted_ = result_.steps;
    for (const RecordSink* sink : options.sinks)
      longest_wait_ = numeric::smaller(longest_wait_, sink->longest_wait());
    if (plan.record_times.are_given()) {
      between_.emplace(plan, options.instruction_set, point);
      between_row_ = row_;
    }
  }

  bool operator()(const Sample& sample) {
    const bool is_last_step = sample.step > plan_.steps;
    if (between_)
      between_->visit(sample, [this](const Sample& at) {
        record_between(at);
        return true;
      });
    recorded_ = is_last_step || plan_.records_node(sample.step) ||
                (sample.step == plan_.steps && plan_.last_step == 0.0);
    writer_.fill(sample, row_, recorded_);
    has_state_ = true;
    follow_errors(sample.step == 0);
    if (recorded_ || sample.step % steps_between_looks == 0) look_for_rank(sample);
    look_for_departures(sample);
    if (recorded_ || sample.step % steps_between_looks == 0)
      look_at_contacts(sample.t, *sample.point, row_);
    for (Section& section : sections_) section.add(sample.t, sample.q, sample.v);
    result_.steps = std::min<std::uint64_t>(sample.step, plan_.steps);
    if (recorded_) keep_row(row_);
    if (sample.step >= next_look_) look_around();
    due_ = due_ || (recorded_ && longest_wait_ == 0.0);
    if (due_ || rows_.size() >= block_rows * row_.size()) hand_on();
    if (!all_finite_) refuse_values(sample);
    if (plan_.strict && contacts_.has_ended()) refuse_contact(sample);
    const bool cancelled =
        options_.cancelled != nullptr && options_.cancelled->load(std::memory_order_relaxed);
    return refusal_.empty() && !cancelled;
  }

  /// Why the run cannot go on although the numbers took every step; empty if it can.
  const std::string& refusal() const { return refusal_; }

  /// The reports that the study asks for on the records of this execution.
  void report() {
    result_.diagnostics.reports.clear();
    for (std::size_t i = 0; i < plan_.reports.size(); ++i)
      result_.diagnostics.reports.push_back(make_report(plan_.reports[i], times_, reported_[i]));
  }

  /// The last block. A failed run also shows its last state.
  void finish() {
    if (!recorded_ && result_.status == RunResult::Status::failed) {
      look_at_contacts(row_[0], point_, row_);
      rows_.insert(rows_.end(), row_.begin(), row_.end());
    }
    hand_on();
    look_around();
  }

 private:
  /// What an earlier execution of this run has found stays.
  void look_for_rank(const Sample& sample) {
    watch_.see(sample.t, sample.point->q, sample.point->v, recorded_);
    RunDiagnostics& found = result_.diagnostics;
    if (!found.dependent_constraints) found.dependent_constraints = watch_.dependent_constraints();
    if (!found.singular_mass) found.singular_mass = watch_.singular_mass();
  }

  void look_for_departures(const Sample& sample) {
    const double* values = row_.data() + plan_.columns.energy();
    const double energy = moving_energy_ ? values[2 + *moving_energy_] : values[0];
    if (recorded_ || departure_watch_.asks(energy, values[1]))
      departure_watch_.see(sample.t, sample.point->q, sample.point->v);
  }

  void look_at_contacts(double t, const Point& point, std::span<double> row) {
    if (contacts_.is_empty()) return;
    contacts_.see(t, point.q, point.v);
    std::ranges::copy(contacts_.values(), row.subspan(plan_.columns.contacts_begin()).begin());
  }

  /// A record between two nodes.
  void record_between(const Sample& sample) {
    writer_.fill(sample, between_row_, true);
    look_at_contacts(sample.t, *sample.point, between_row_);
    keep_row(between_row_);
  }

  void keep_row(std::span<const double> row) {
    rows_.insert(rows_.end(), row.begin(), row.end());
    if (plan_.reports.empty()) return;
    times_.push_back(row[0]);
    for (std::size_t i = 0; i < plan_.reports.size(); ++i) {
      const auto& names = plan_.columns.names;
      const auto at = std::find(names.begin(), names.end(), plan_.reports[i].of) - names.begin();
      reported_[i].push_back(row[static_cast<std::size_t>(at)]);
    }
  }

  void follow_errors(bool first) {
    const double *followed = row_.data() + plan_.columns.lambda_begin(),
                 *values = row_.data() + plan_.columns.energy();
    // x - x is zero for finite x and nan otherwise. Quantities of a study may have no value.
    double nothing = 0.0;
    const std::size_t count = writer_.quantities_begin() - plan_.columns.lambda_begin();
    for (std::size_t i = 0; i < count; ++i) nothing += followed[i] - followed[i];
    all_finite_ = nothing == 0.0;
    follow(result_.diagnostics.energy, values[0], first);
    const IntegralSummary& energy = result_.diagnostics.energy;
    std::optional<double>& off = result_.diagnostics.energy_off;
    if (!off && !(energy.max_error <= broken_promise * (1.0 + std::fabs(energy.initial))))
      off = row_[0];
    result_.diagnostics.constraint_max =
        numeric::larger(result_.diagnostics.constraint_max, values[1]);
    for (std::size_t i = 0; i < result_.diagnostics.integrals.size(); ++i) {
      follow(result_.diagnostics.integrals[i], values[2 + i], first);
    }
    if (first) result_.initial = state();
  }

  /// A state that is finite with a multiplier, an energy or an integral that is not: nothing that
  /// follows means anything.
  void refuse_values(const Sample& sample) {
    const std::size_t begin = plan_.columns.lambda_begin();
    for (std::size_t i = begin; i < writer_.quantities_begin() && refusal_.empty(); ++i) {
      if (std::isfinite(row_[i])) continue;
      const std::string value = std::isnan(row_[i]) ? "nan" : to_string(row_[i]);  // without a sign
      refuse(sample, plan_.columns.names[i] + " is " + value);
    }
  }

  /// What a strict study does not let pass.
  void refuse_contact(const Sample& sample) {
    for (std::size_t i = 0; i < contacts_.found().size() && refusal_.empty(); ++i) {
      const ContactHistory& contact = contacts_.found()[i];
      if (contact.ended) refuse(sample, contact_end_text(contacts_.names()[i], contact));
    }
  }

  void refuse(const Sample& sample, const std::string& reason) {
    refusal_ = fmt::format("method \"{}\" on system \"{}\" failed in step {} at t = {}: {}",
                           plan_.method.label, plan_.system.name(), sample.step,
                           to_string(sample.t), reason);
  }

  StateValues state() const {
    const auto part = [this](std::size_t begin, std::size_t end) {
      return std::vector<double>(row_.begin() + static_cast<std::ptrdiff_t>(begin),
                                 row_.begin() + static_cast<std::ptrdiff_t>(end));
    };
    const RecordColumns& columns = plan_.columns;
    return {row_[0], part(columns.q_begin(), columns.v_begin()),
            part(columns.v_begin(), columns.lambda_begin()),
            part(columns.lambda_begin(), columns.energy())};
  }

  void look_around() {
    if (options_.steps_done != nullptr) *options_.steps_done += result_.steps - counted_;
    counted_ = result_.steps;
    const Clock::time_point now = Clock::now();
    const double since = std::chrono::duration<double>(now - looked_).count();
    if (since < often) unseen_ = std::min<std::uint64_t>(2 * unseen_, most_steps_unseen);
    if (since > seldom) unseen_ = std::max<std::uint64_t>(unseen_ / 2, 1);
    next_look_ = result_.steps + unseen_;
    looked_ = now;
    due_ = std::chrono::duration<double>(now - handed_on_).count() > longest_wait_;
  }

  void hand_on() {
    result_.point = point_;
    result_.diagnostics.departures = departure_watch_.found();
    result_.diagnostics.contacts = contacts_.found();
    if (has_state_) result_.final = state();
    for (std::size_t i = 0; i < sections_.size(); ++i) {
      for (Crossing& crossing : sections_[i].take())
        result_.diagnostics.sections[i].crossings.push_back(std::move(crossing));
    }
    for (RecordSink* sink : options_.sinks) sink->append(plan_, rows_, result_);
    if (options_.keep_records)
      result_.records.insert(result_.records.end(), rows_.begin(), rows_.end());
    rows_.clear();
    handed_on_ = Clock::now();
    due_ = false;
  }

  const RunPlan& plan_;
  const ExecutionOptions& options_;
  const Point& point_;
  RunResult& result_;
  RowWriter writer_;
  RankWatch watch_;
  DepartureWatch departure_watch_;
  std::optional<std::size_t> moving_energy_;
  ContactWatch contacts_;
  std::optional<RecordsBetween> between_;  ///< if records stand at times of their own
  std::vector<double> row_, between_row_, rows_;
  std::vector<Section> sections_;
  std::vector<double> times_;                  ///< of the records, if there is something to report
  std::vector<std::vector<double>> reported_;  ///< by report: its column
  std::string refusal_;
  bool has_state_ = false, recorded_ = true, due_ = false, all_finite_ = true;
  std::uint64_t counted_ = 0;
  Clock::time_point handed_on_ = Clock::now(), looked_ = handed_on_;
  std::uint64_t next_look_ = 0, unseen_ = 1;  ///< steps between looks at the clock
  double longest_wait_ = 1.0;                 ///< seconds, before records are handed on
};

/// Seconds per step of the method alone: the fastest of some batches of steps from the start.
double measure_step(Stepper& stepper, Point point, const RunPlan& plan) {
  constexpr std::uint64_t batch = 128;
  double best = 0.0;
  const Clock::time_point start = Clock::now();
  for (std::uint64_t steps = 0;
       steps < std::min<std::uint64_t>(16 * batch, plan.steps) && seconds_since(start) < 2e-3;) {
    const Clock::time_point begin = Clock::now();
    const StepReport report =
        stepper.advance(point, 0.0, steps, std::min<std::uint64_t>(batch, plan.steps - steps));
    if (report.steps == 0) break;
    const double seconds = seconds_since(begin) / static_cast<double>(report.steps);
    best = best == 0.0 ? seconds : numeric::smaller(best, seconds);
    steps += report.steps;
    if (report.status != StepStatus::ok) break;
  }
  return best;
}

void conclude(const RunPlan& plan, const RunReport& report, RunResult& result) {
  result.newton_iterations += report.iterations;
  result.rejected_substeps += report.rejected;
  result.message = report.message;
  const bool complete = report.status == RunReport::Status::ok ||
                        (result.steps == plan.steps && plan.last_step == 0.0);
  result.status = complete                                     ? RunResult::Status::ok
                  : report.status == RunReport::Status::failed ? RunResult::Status::failed
                                                               : RunResult::Status::interrupted;
}

/// What is seen at the last state says more than that a smaller step may help.
void add_cause(const RunPlan& plan, const Point& last, std::string& message) {
  const std::string cause = failure_cause(plan, last);
  if (cause.empty()) return;
  constexpr std::string_view advice = "; a smaller step may help";
  if (message.ends_with(advice)) message.resize(message.size() - advice.size());
  message += "; " + cause;
}

bool energy_is_kept(const RunPlan& plan) {
  const Conservation found = conservation(plan.system, plan.q, plan.v, plan.parameters);
  const auto moving = DepartureWatch::moving_energy(plan.system);
  return moving ? found.integrals[*moving].kept : found.energy;
}

/// What is out of all scale, whatever the method promises.
void judge_departures(const RunPlan& plan, RunDiagnostics& found) {
  found.energy_out_of_scale = found.constraints_out_of_scale = std::nullopt;
  const Departures& departures = found.departures;
  if (departures.energy.is_beyond(DepartureWatch::energy_allowed) && energy_is_kept(plan))
    found.energy_out_of_scale = departures.energy.since;
  for (const Departure& constraint : departures.constraints) {
    if (!constraint.is_beyond(DepartureWatch::constraint_allowed)) continue;
    std::optional<double>& first = found.constraints_out_of_scale;
    first = first ? numeric::smaller(*first, *constraint.since) : *constraint.since;
  }
}

/// A strict study takes no numbers that are out of all scale.
void judge_strictly(const RunPlan& plan, RunResult& result) {
  judge_departures(plan, result.diagnostics);
  const auto& [energy, constraints] = std::pair(result.diagnostics.energy_out_of_scale,
                                                result.diagnostics.constraints_out_of_scale);
  if (!plan.strict || result.status != RunResult::Status::ok || (!energy && !constraints)) return;
  result.status = RunResult::Status::failed;
  result.message = fmt::format(
      "method \"{}\" on system \"{}\" failed at t = {}: the {} out of scale", plan.method.label,
      plan.system.name(), to_string(constraints ? *constraints : *energy),
      constraints ? "constraints are" : "energy is");
}

void execute(const RunPlan& plan, const ExecutionOptions& options, RunResult& result) {
  const Clock::time_point begin = Clock::now();
  Stepper stepper(plan.program, plan.step, plan.parameters);
  if (options.instruction_set) stepper.set_kernel(number_kernel(*options.instruction_set));
  Evaluator evaluator(plan.system, plan.parameters);
  const bool resumed = result.steps > 0;
  Point point = resumed ? result.point : start_point(stepper, evaluator, plan.q, plan.v);
  if (!resumed && plan.lambda && point.lambda.size() == plan.lambda->size())
    point.lambda = *plan.lambda;
  if (!resumed) result.seconds_per_step = measure_step(stepper, point, plan);
  const RunOptions run{0.0, result.steps,
                       plan.steps - std::min<std::uint64_t>(plan.steps, result.steps), 1};
  Recorder recorder(plan, options, point, result);
  result.message.clear();
  const auto observer = [&](const Sample& sample) { return recorder(sample); };
  RunReport report = integrate(stepper, evaluator, point, run, observer);
  if (plan.last_step > 0.0 && report.status == RunReport::Status::ok) {
    const RunReport whole_steps = report;
    Point end = point;
    report = integrate_to(stepper, evaluator, end, *plan.until, plan.steps + 1, observer);
    report.iterations += whole_steps.iterations;
    report.rejected += whole_steps.rejected;
  }
  conclude(plan, report, result);
  if (result.status == RunResult::Status::failed) add_cause(plan, point, result.message);
  if (!recorder.refusal().empty()) {
    result.status = RunResult::Status::failed;
    result.message = recorder.refusal();
  }
  recorder.report();
  result.seconds += seconds_since(begin);
  recorder.finish();
  judge_strictly(plan, result);
  for (RecordSink* sink : options.sinks) sink->finish(plan, result);
}

}  // namespace

std::vector<RunResult> execute_runs(const std::vector<RunPlan>& plans,
                                    const ExecutionOptions& options) {
  std::vector<RunResult> results = options.resume_from;
  results.resize(plans.size());
  parallel_for(options.threads, plans.size(), [&](std::size_t i, std::size_t) {
    if (options.cancelled != nullptr && *options.cancelled && i > 0) return;
    if (results[i].status == RunResult::Status::failed) return;
    if (plans[i].goes_on_from(results[i].steps, results[i].final.t)) {
      execute(plans[i], options, results[i]);
    } else if (results[i].status == RunResult::Status::interrupted) {
      // Killed between its last record and its outcome.
      results[i].status = RunResult::Status::ok;
      judge_strictly(plans[i], results[i]);
      for (RecordSink* sink : options.sinks) sink->finish(plans[i], results[i]);
    } else {
      judge_strictly(plans[i], results[i]);
    }
  });
  return results;
}

}  // namespace dalembert::study
