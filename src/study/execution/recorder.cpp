#include "study/execution/recorder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/expression/printer.hpp"
#include "dalembert/measure/term_sizes.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert::study {
namespace {

constexpr std::size_t block_rows = 8192;
constexpr std::uint64_t most_steps_unseen = 1024;  // before a look at the clock
constexpr std::uint64_t steps_between_looks =
    4;  // a loss of rank, redundancy or contact is noticed from some way off
constexpr double often = 0.01, seldom = 0.04;  // seconds between looks

using Range = Stepper::Range;

constexpr Range all_finite{std::numeric_limits<double>::lowest(),
                           std::numeric_limits<double>::max()};

Range common(const Range& a, const Range& b) {
  return {numeric::larger(a.lowest, b.lowest), numeric::smaller(a.highest, b.highest)};
}

/// The finite numbers that differ from another by less than this; nearer by more than the round-off
/// of the sums here.
Range around(double middle, double most) {
  const double less = numeric::larger(0.0, most - 1e-15 * (std::fabs(middle) + most));
  // What is infinite has no bounds.
  return std::isfinite(less) ? common(all_finite, {middle - less, middle + less}) : all_finite;
}

void follow(IntegralSummary& summary, double value, bool first) {
  if (first) summary.initial = value;
  summary.final = value;
  const double error = std::fabs(value - summary.initial);
  summary.max_error = numeric::larger(summary.max_error, error);
}

void follow(IntegralSummary& summary, const Range& range) {
  if (range.lowest > range.highest) return;
  for (const double value : {range.lowest, range.highest}) {
    const double error = std::fabs(value - summary.initial);
    summary.max_error = numeric::larger(summary.max_error, error);
  }
}

}  // namespace

Recorder::Recorder(const RunPlan& plan, const ExecutionOptions& options, const Point& point,
                   Stepper& stepper, EventAdvance* events, RunResult& result)
    : plan_(plan),
      options_(options),
      point_(point),
      stepper_(stepper),
      events_(events),
      result_(result),
      writer_(plan),
      watch_(plan.system, plan.parameters),
      departure_watch_(plan.system, plan.parameters, result.diagnostics.departures),
      moving_energy_(DepartureWatch::moving_energy(plan.system)),
      contacts_(plan.contacts),
      row_(plan.columns.width()),
      reported_(plan.reports.size()) {
  contacts_.go_on_from(result.diagnostics.contacts);
  if (plan.carries_multiplier())
    multipliers_ =
        MultiplierWatch(plan.system, plan.parameters, plan.step, result.diagnostics.multipliers);
  result_.diagnostics.multipliers = multipliers_.found();
  if (plan.redundancy) full_.emplace(plan.redundancy, plan.parameters);
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
  std::vector<EventResult>& found = result_.diagnostics.events;
  found.resize(plan.events.size());
  for (std::size_t i = 0; i < found.size(); ++i) found[i].name = plan.events[i].name;
  counted_ = result_.steps;
  for (const RecordSink* sink : options.sinks)
    longest_wait_ = numeric::smaller(longest_wait_, sink->longest_wait());
  if (plan.record_times.are_given()) {
    between_.emplace(plan, options.instruction_set, point);
    between_row_ = row_;
  }
  sees_every_step_ = sees_every_step();
  if (!sees_every_step_) stepper_.watch();
}

/// Where something is more than a function of the state, or is wanted between the states.
bool Recorder::sees_every_step() const {
  return stepper_.program().watched().empty() || stepper_.program().method().tolerance() > 0.0 ||
         (events_ != nullptr && events_->needs_every_step()) || !plan_.quantities.empty() ||
         !plan_.sections.empty() || between_.has_value();
}

std::uint64_t Recorder::next(std::uint64_t step) const {
  if (sees_every_step_ || !has_state_) return step + 1;
  const auto after = [step](std::uint64_t every) { return (step / every + 1) * every; };
  std::uint64_t seen = after(plan_.record_every);
  if (!multipliers_.is_empty())
    seen = std::min<std::uint64_t>(seen, after(MultiplierWatch::steps_between_looks));
  if (full_) seen = std::min<std::uint64_t>(seen, after(steps_between_looks));
  return std::min<std::uint64_t>(seen, std::max<std::uint64_t>(next_look_, step + 1));
}

std::uint64_t Recorder::glance_every() const {
  const bool looks = watch_.sees_constraints() || !contacts_.is_empty();
  return looks && !sees_every_step_ ? steps_between_looks : 0;
}

bool Recorder::glance(const Point& point) {
  look_for_rank(point, false);
  look_at_contacts(point.t, point, row_);
  return !(plan_.strict && contacts_.has_ended());
}

bool Recorder::operator()(const Sample& sample) {
  const bool has_ended = events_ != nullptr && events_->ended_by().has_value();
  const bool is_last_step = has_ended || sample.step > plan_.steps;
  if (between_)
    between_->visit(sample, is_last_step, [this](const Sample& at) {
      record_between(at);
      return true;
    });
  recorded_ = is_last_step || plan_.records_node(sample.step) ||
              (sample.step == plan_.steps && plan_.last_step == 0.0);
  writer_.fill(sample, row_, recorded_);
  has_state_ = true;
  all_finite_ = is_finite_row();
  // Between two nodes there is a state of the cubic, of which the method promises nothing.
  const bool is_node = !(has_ended && plan_.interpolates_records());
  if (is_node) follow_errors(sample.step == 0);
  follow_watched();
  if (recorded_ || sample.step % steps_between_looks == 0) look_for_rank(*sample.point, recorded_);
  if (is_node) look_for_departures(sample);
  if (recorded_ || sample.step % steps_between_looks == 0)
    look_at_contacts(sample.t, *sample.point, row_);
  look_at_multipliers(sample);
  look_at_redundancy(sample);
  for (Section& section : sections_) section.add(sample.t, sample.q, sample.v);
  result_.steps = std::min<std::uint64_t>(has_ended ? sample.step - 1 : sample.step, plan_.steps);
  if (has_ended) result_.ended_by = plan_.events[*events_->ended_by()].name;
  if (recorded_) keep_row(row_);
  if (sample.step >= next_look_) look_around();
  due_ = due_ || (recorded_ && longest_wait_ == 0.0);
  if (due_ || rows_.size() >= block_rows * row_.size()) hand_on();
  if (!all_finite_) refuse_values(sample);
  if (plan_.strict && contacts_.has_ended()) refuse_contact(sample);
  if (!sees_every_step_) set_bounds();
  const bool cancelled =
      options_.cancelled != nullptr && options_.cancelled->load(std::memory_order_relaxed);
  return refusal_.empty() && !cancelled;
}

void Recorder::report() {
  result_.diagnostics.reports.clear();
  for (std::size_t i = 0; i < plan_.reports.size(); ++i)
    result_.diagnostics.reports.push_back(make_report(plan_.reports[i], times_, reported_[i]));
}

void Recorder::finish() {
  if (!recorded_ && result_.status == RunResult::Status::failed) {
    look_at_contacts(row_[0], point_, row_);
    rows_.insert(rows_.end(), row_.begin(), row_.end());
  }
  hand_on();
  look_around();
}

void Recorder::keep_first(Caution caution, const std::optional<double>& t) {
  std::optional<double>& since = result_.diagnostics.cautions[caution];
  if (!since) since = t;
}

void Recorder::look_for_rank(const Point& point, bool with_mass) {
  watch_.see(point.t, point.q, point.v, with_mass);
  keep_first(Caution::dependent_constraints, watch_.dependent_constraints());
  keep_first(Caution::singular_mass, watch_.singular_mass());
}

void Recorder::look_for_departures(const Sample& sample) {
  const double* values = row_.data() + plan_.columns.energy();
  const double energy = moving_energy_ ? values[2 + *moving_energy_] : values[0];
  if (recorded_ || departure_watch_.asks(energy, values[1]))
    departure_watch_.see(sample.t, sample.point->q, sample.point->v);
  look_for_broken_promises(sample);
}

void Recorder::look_for_broken_promises(const Sample& sample) {
  RunDiagnostics& found = result_.diagnostics;
  std::optional<double>&energy_off = found.cautions[Caution::energy_off],
  &constraint_off = found.cautions[Caution::constraint_off];
  const double energy = std::fabs(found.energy.final - found.energy.initial),
               constraint = row_[plan_.columns.energy() + 1];
  const auto breaks_energy = [&] {
    return !energy_off && !plan_.has_acting_events() &&
           breaks_promise(energy, found.energy.initial, departure_watch_.found().energy_terms());
  };
  const bool may_break_constraint = !constraint_off && breaks_promise(constraint, 0.0, 0.0);
  if (!breaks_energy() && !may_break_constraint) return;
  // The terms may have grown since the last look.
  departure_watch_.see(sample.t, sample.point->q, sample.point->v);
  if (breaks_energy()) energy_off = sample.t;
  if (may_break_constraint && departure_watch_.breaks_constraint()) constraint_off = sample.t;
}

void Recorder::look_at_contacts(double t, const Point& point, std::span<double> row) {
  if (contacts_.is_empty()) return;
  contacts_.see(t, point.q, point.v);
  std::ranges::copy(contacts_.values(), row.subspan(plan_.columns.contacts_begin()).begin());
}

/// Not at other times, as at the end of a run that is to go on: what is found is the same then.
void Recorder::look_at_multipliers(const Sample& sample) {
  const bool is_due =
      plan_.records_node(sample.step) || sample.step % MultiplierWatch::steps_between_looks == 0;
  if (multipliers_.is_empty() || !is_due || sample.step > plan_.steps) return;
  multipliers_.see(sample.t, sample.point->q, sample.point->v, sample.lambda,
                   departure_watch_.found());
  result_.diagnostics.multipliers = multipliers_.found();
}

void Recorder::look_at_redundancy(const Sample& sample) {
  if (!full_ || !(recorded_ || sample.step % steps_between_looks == 0)) return;
  const std::string reason = full_->misfit(sample.t, sample.point->q, sample.v);
  if (!reason.empty()) refuse(sample, reason);
  keep_first(Caution::dependent_constraints, full_->passed_dependence());
}

void Recorder::record_between(const Sample& sample) {
  writer_.fill(sample, between_row_, true);
  look_at_contacts(sample.t, *sample.point, between_row_);
  keep_row(between_row_);
}

void Recorder::keep_row(std::span<const double> row) {
  rows_.insert(rows_.end(), row.begin(), row.end());
  if (plan_.reports.empty()) return;
  times_.push_back(row[0]);
  for (std::size_t i = 0; i < plan_.reports.size(); ++i) {
    const auto& names = plan_.columns.names;
    const auto at = std::find(names.begin(), names.end(), plan_.reports[i].of) - names.begin();
    reported_[i].push_back(row[static_cast<std::size_t>(at)]);
  }
}

/// Quantities of a study may have no value.
bool Recorder::is_finite_row() const {
  const double* values = row_.data() + plan_.columns.lambda_begin();
  const std::size_t count = writer_.quantities_begin() - plan_.columns.lambda_begin();
  // x - x is zero for finite x and nan otherwise.
  double nothing = 0.0;
  for (std::size_t i = 0; i < count; ++i) nothing += values[i] - values[i];
  return nothing == 0.0;
}

void Recorder::follow_errors(bool first) {
  const double* values = row_.data() + plan_.columns.energy();
  follow(result_.diagnostics.energy, values[0], first);
  result_.diagnostics.constraint_max =
      numeric::larger(result_.diagnostics.constraint_max, values[1]);
  for (std::size_t i = 0; i < result_.diagnostics.integrals.size(); ++i) {
    follow(result_.diagnostics.integrals[i], values[2 + i], first);
  }
  if (first) result_.initial = state();
}

void Recorder::follow_watched() {
  if (sees_every_step_) return;
  RunDiagnostics& found = result_.diagnostics;
  const std::size_t constraints = writer_.constraint_count();
  follow(found.energy, stepper_.range(0));
  for (std::size_t i = 1; i <= constraints; ++i) {
    const auto [lowest, highest] = stepper_.range(i);
    if (lowest > highest) return;
    found.constraint_max = numeric::larger(found.constraint_max,
                                           numeric::larger(std::fabs(lowest), std::fabs(highest)));
  }
  for (std::size_t i = 0; i < found.integrals.size(); ++i)
    follow(found.integrals[i], stepper_.range(1 + constraints + i));
}

void Recorder::set_bounds() {
  const RunDiagnostics& found = result_.diagnostics;
  const Departures& departures = departure_watch_.found();
  const std::size_t constraints = writer_.constraint_count();
  const double start = found.energy.initial;
  // What events do to the energy is no error.
  const bool is_open = plan_.has_acting_events();
  const Range promised = is_open || found.cautions[Caution::energy_off]
                             ? all_finite
                             : around(start, promised_within(start, departures.energy_terms()));
  const Range scaled = departures.energy_start && !is_open
                           ? around(*departures.energy_start, departure_watch_.most_energy())
                           : all_finite;
  stepper_.set_bounds(0, moving_energy_ ? promised : common(promised, scaled));
  if (moving_energy_) stepper_.set_bounds(1 + constraints + *moving_energy_, scaled);
  const Range constraint =
      common(around(0.0, departure_watch_.most_constraint()),
             found.cautions[Caution::constraint_off] ? all_finite
                                                     : around(0.0, promised_within(0.0, 0.0)));
  for (std::size_t i = 1; i <= constraints; ++i) stepper_.set_bounds(i, constraint);
}

void Recorder::refuse_values(const Sample& sample) {
  const std::size_t begin = plan_.columns.lambda_begin();
  for (std::size_t i = begin; i < writer_.quantities_begin() && refusal_.empty(); ++i) {
    if (std::isfinite(row_[i])) continue;
    const std::string value = std::isnan(row_[i]) ? "nan" : to_string(row_[i]);  // without a sign
    refuse(sample, plan_.columns.names[i] + " is " + value);
  }
}

void Recorder::refuse_contact(const Sample& sample) {
  for (std::size_t i = 0; i < contacts_.found().size() && refusal_.empty(); ++i) {
    const ContactHistory& contact = contacts_.found()[i];
    if (contact.ended) refuse(sample, contact_end_text(contacts_.names()[i], contact));
  }
}

void Recorder::refuse(const Sample& sample, const std::string& reason) {
  refusal_ = fmt::format("method \"{}\" on system \"{}\" failed in step {} at t = {}: {}",
                         plan_.method.label, plan_.system.name(), sample.step, to_string(sample.t),
                         reason);
}

StateValues Recorder::state() const {
  const auto part = [this](std::size_t begin, std::size_t end) {
    return std::vector<double>(row_.begin() + static_cast<std::ptrdiff_t>(begin),
                               row_.begin() + static_cast<std::ptrdiff_t>(end));
  };
  const RecordColumns& columns = plan_.columns;
  return {row_[0],
          part(columns.q_begin(), columns.v_begin()),
          part(columns.v_begin(), columns.lambda_begin()),
          part(columns.lambda_begin(), columns.energy()),
          {}};
}

void Recorder::look_around() {
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

void Recorder::take_events() {
  if (events_ == nullptr) return;
  std::vector<EventResult>& found = result_.diagnostics.events;
  for (EventOccurrence& occurrence : events_->take())
    found[occurrence.event].occurrences.push_back(std::move(occurrence));
  result_.diagnostics.event_histories = events_->history();
}

void Recorder::hand_on() {
  result_.point = point_;
  result_.diagnostics.departures = departure_watch_.found();
  result_.diagnostics.contacts = contacts_.found();
  if (has_state_) result_.final = state();
  take_events();
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

}  // namespace dalembert::study
