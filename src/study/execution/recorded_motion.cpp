#include "dalembert/study/execution/recorded_motion.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/rank/full_multipliers.hpp"
#include "dalembert/numeric/angles.hpp"
#include "dalembert/run/event/event_advance.hpp"
#include "dalembert/run/node_interpolation.hpp"
#include "row_writer.hpp"

namespace dalembert::study {
namespace {

/// Of a step: what is nearer to a record is that record, as in RecordTimes.
constexpr double same = 1e-9;

std::string name_of(const RunPlan& plan) {
  return fmt::format("run {:04} ({}{}{})", plan.index + 1, plan.method.label,
                     plan.label.empty() ? "" : ", ", plan.label);
}

}  // namespace

class RecordedMotion::Implementation {
 public:
  Implementation(RunPlan plan, std::vector<double> records);

  const RunPlan& plan() const { return plan_; }
  double end() const { return times_.back(); }

  std::vector<double> rows_at(std::span<const double> times);

 private:
  /// A record that is the state after so many steps.
  struct NodeRow {
    std::uint64_t step;
    std::size_t row;
  };

  /// A time that was asked for and is that of no record.
  struct Wanted {
    double t;
    std::uint64_t node;    ///< the last one before it, or this very one
    bool is_node;          ///< within the round-off of times
    std::size_t position;  ///< among the times that were asked for
  };

  std::span<const double> part(std::size_t row, std::size_t begin, std::size_t end) const;
  /// Multipliers of the constraints whose steps are taken.
  std::span<const double> lambda_of(std::size_t row) const;
  void reduce_multipliers();

  std::span<double> row_at(std::size_t position);
  void write(const Sample& sample, std::size_t position);
  Observer writer_of(const Wanted& time);

  void check(double t) const;
  void refuse_groups(const std::vector<Wanted>& wanted) const;
  /// Whether a record stands there, which then is the answer.
  bool copy_record(double t, std::size_t position);
  Wanted place(double t, std::size_t position) const;

  /// What the stepper held, as far as the record says it.
  Point point_of(std::size_t row) const;

  /// The last recorded node up to a step.
  const NodeRow& node_before(std::uint64_t step) const {
    return *std::prev(std::ranges::upper_bound(nodes_, step, {}, &NodeRow::step));
  }

  /// Null if there are none.
  EventAdvance* events_from_here() {
    if (!events_) return nullptr;
    events_->forget();
    return &*events_;
  }
  static void require(const RunReport& report, std::uint64_t step, double t);
  /// From the recorded node before each time, whichever others are asked for.
  void step_to_all(const std::vector<Wanted>& wanted);
  void step_to(const Wanted& time, const Point& node);

  bool has_all_nodes() const { return nodes_.back().step + 1 == nodes_.size(); }

  /// A record of a node as the run saw it.
  Sample sample_of(const NodeRow& node, const Point& point) const;
  void interpolate_records(const Wanted& time);
  /// What a method carries is in no record.
  void interpolate_whole_run(const std::vector<Wanted>& wanted);

  RunPlan plan_;
  std::size_t width_;
  std::vector<double> records_, rows_,
      times_;                    ///< of the records
  std::vector<double> reduced_;  ///< multipliers, where records have those of more constraints
  std::vector<NodeRow> nodes_;
  Stepper stepper_;
  std::optional<EventAdvance> events_;  ///< those that change the state
  Evaluator evaluator_;
  RowWriter writer_;
  ContactWatch contacts_;
  NodeInterpolation interpolation_;
};

// Outside of the class: what the class itself defined would be replaceable by a user's code.

RecordedMotion::Implementation::Implementation(RunPlan plan, std::vector<double> records)
    : plan_(std::move(plan)),
      width_(plan_.columns.width()),
      records_(std::move(records)),
      stepper_(plan_.program, plan_.step, plan_.parameters),
      evaluator_(plan_.system, plan_.parameters),
      writer_(plan_),
      contacts_(plan_.contacts) {
  if (records_.size() < width_) throw RequestError(name_of(plan_) + " has no records yet");
  if (plan_.has_acting_events())
    events_.emplace(stepper_,
                    EventFunctions(plan_.system, acting_events(plan_.events), plan_.parameters),
                    plan_.parameters);
  for (std::size_t row = 0; row < records_.size() / width_; ++row) {
    const double t = records_[row * width_], step = std::round(t / plan_.step);
    times_.push_back(t);
    if (step * plan_.step == t) nodes_.push_back({static_cast<std::uint64_t>(step), row});
  }
  if (nodes_.empty() || nodes_.front().row > 0)
    throw RequestError(name_of(plan_) + " has no record of its start, at t = 0");
  reduce_multipliers();
}

std::vector<double> RecordedMotion::Implementation::rows_at(std::span<const double> times) {
  rows_.assign(times.size() * width_, std::numeric_limits<double>::quiet_NaN());
  std::vector<Wanted> wanted;
  for (std::size_t i = 0; i < times.size(); ++i) {
    check(times[i]);
    if (!copy_record(times[i], i)) wanted.push_back(place(times[i], i));
  }
  std::ranges::stable_sort(wanted, {}, &Wanted::t);
  refuse_groups(wanted);
  if (!plan_.interpolates_records()) {
    step_to_all(wanted);
  } else if (has_all_nodes() && std::ranges::all_of(wanted, [this](const Wanted& time) {
               return time.node < nodes_.back().step;  // not between the last node and an event
             })) {
    for (const Wanted& time : wanted) interpolate_records(time);
  } else {
    interpolate_whole_run(wanted);
  }
  return std::move(rows_);
}

std::span<const double> RecordedMotion::Implementation::part(std::size_t row, std::size_t begin,
                                                             std::size_t end) const {
  return std::span(records_).subspan(row * width_ + begin, end - begin);
}

std::span<const double> RecordedMotion::Implementation::lambda_of(std::size_t row) const {
  const std::size_t count = plan_.system.constraint_count();
  if (plan_.redundancy) return std::span(reduced_).subspan(row * count, count);
  return part(row, plan_.columns.lambda_begin(), plan_.columns.energy());
}

void RecordedMotion::Implementation::reduce_multipliers() {
  if (!plan_.redundancy) return;
  const RecordColumns& columns = plan_.columns;
  const std::size_t count = plan_.system.constraint_count();
  FullMultipliers full(plan_.redundancy, plan_.parameters);
  reduced_.resize(times_.size() * count);
  for (std::size_t row = 0; row < times_.size(); ++row)
    full.reduce(times_[row], part(row, columns.q_begin(), columns.v_begin()),
                part(row, columns.v_begin(), columns.lambda_begin()),
                part(row, columns.lambda_begin(), columns.energy()),
                std::span(reduced_).subspan(row * count, count));
}

void RecordedMotion::Implementation::check(double t) const {
  const double round_off = same * plan_.step;
  if (t >= -round_off && t <= end() + round_off) return;
  throw RequestError(fmt::format("t = {} is outside of what {} has recorded: 0 <= t <= {}",
                                 std::isnan(t) ? "nan" : to_string(t), name_of(plan_),
                                 to_string(end())));
}

void RecordedMotion::Implementation::refuse_groups(const std::vector<Wanted>& wanted) const {
  if (wanted.empty() || !plan_.interpolates_records() || !plan_.system.traits().has_groups) return;
  throw RequestError(fmt::format(
      "{} carries data of steps of one size and cannot show elements of groups between its "
      "records; t = {} is none of them",
      name_of(plan_), to_string(wanted.front().t)));
}

bool RecordedMotion::Implementation::copy_record(double t, std::size_t position) {
  const auto record = std::lower_bound(times_.begin(), times_.end(), t - same * plan_.step);
  if (record == times_.end() || *record > t + same * plan_.step) return false;
  const auto row = static_cast<std::size_t>(record - times_.begin());
  std::ranges::copy(part(row, 0, width_), row_at(position).begin());
  return true;
}

RecordedMotion::Implementation::Wanted RecordedMotion::Implementation::place(
    double t, std::size_t position) const {
  const double nearest = std::round(t / plan_.step);
  if (std::fabs(t - nearest * plan_.step) <= same * plan_.step)
    return {t, static_cast<std::uint64_t>(nearest), true, position};
  const double before = nearest * plan_.step < t ? nearest : nearest - 1.0;
  return {t, static_cast<std::uint64_t>(before), false, position};
}

std::span<double> RecordedMotion::Implementation::row_at(std::size_t position) {
  return std::span(rows_).subspan(position * width_, width_);
}

void RecordedMotion::Implementation::write(const Sample& sample, std::size_t position) {
  const std::span<double> row = row_at(position);
  writer_.fill(sample, row, true);
  if (contacts_.is_empty()) return;
  contacts_.see(sample.t, sample.point->q, sample.point->v);
  std::ranges::copy(contacts_.values(), row.subspan(plan_.columns.contacts_begin()).begin());
}

Observer RecordedMotion::Implementation::writer_of(const Wanted& time) {
  return [this, &time](const Sample& sample) {
    write(sample, time.position);
    return true;
  };
}

Point RecordedMotion::Implementation::point_of(std::size_t row) const {
  const RecordColumns& columns = plan_.columns;
  Point point = stepper_.make_point(part(row, columns.q_begin(), columns.v_begin()),
                                    part(row, columns.v_begin(), columns.lambda_begin()));
  point.t = times_[row];
  if (!point.lambda.empty()) std::ranges::copy(lambda_of(row), point.lambda.begin());
  if (!plan_.program->options().wrap_angles) return point;
  const std::vector<Coordinate> stored = plan_.system.configuration().storage();
  for (std::size_t i = 0; i < stored.size(); ++i)
    if (stored[i].is_angle) numeric::wrap(point.q[i], point.turns[i]);
  return point;
}

void RecordedMotion::Implementation::require(const RunReport& report, std::uint64_t step,
                                             double t) {
  if (report.status == RunReport::Status::failed)
    throw StepError(report.message, step + 1, t, report.residual);
}

void RecordedMotion::Implementation::step_to_all(const std::vector<Wanted>& wanted) {
  Point point;
  std::uint64_t step = 0;
  const NodeRow* from = nullptr;
  for (const Wanted& time : wanted) {
    if (const NodeRow* before = &node_before(time.node); before != from) {
      from = before;
      step = from->step;
      point = point_of(from->row);
    }
    RunOptions steps{0.0, step, time.node - step, time.node - step};
    steps.events = events_from_here();
    if (time.node > step) require(integrate(stepper_, evaluator_, point, steps, {}), step, point.t);
    step = time.node;
    step_to(time, point);
  }
}

void RecordedMotion::Implementation::step_to(const Wanted& time, const Point& node) {
  Point point = node;
  const RunReport report = time.is_node
                               ? integrate(stepper_, evaluator_, point, {}, writer_of(time))
                               : integrate_to(stepper_, evaluator_, point, time.t, time.node + 1,
                                              writer_of(time), events_from_here());
  require(report, time.node, node.t);
}

Sample RecordedMotion::Implementation::sample_of(const NodeRow& node, const Point& point) const {
  const RecordColumns& columns = plan_.columns;
  return {node.step,
          point.t,
          part(node.row, columns.q_begin(), columns.v_begin()),
          part(node.row, columns.v_begin(), columns.lambda_begin()),
          lambda_of(node.row),
          &point};
}

void RecordedMotion::Implementation::interpolate_records(const Wanted& time) {
  const NodeRow &before = nodes_.at(time.node), &after = nodes_.at(time.node + 1);
  const Point begin = point_of(before.row), end = point_of(after.row);
  const Sample sample = sample_of(before, begin);
  interpolation_.begin_at(begin, sample.q, sample.lambda);
  interpolation_.show_at(time.t, sample_of(after, end), writer_of(time));
}

void RecordedMotion::Implementation::interpolate_whole_run(const std::vector<Wanted>& wanted) {
  if (wanted.empty()) return;
  Point point = start_point(stepper_, evaluator_, plan_.q, plan_.v);
  if (plan_.lambda && point.lambda.size() == plan_.lambda->size()) point.lambda = *plan_.lambda;
  auto next = wanted.begin();
  const auto observer = [&](const Sample& sample) {
    for (; next != wanted.end() && !next->is_node && next->node < sample.step; ++next)
      interpolation_.show_at(next->t, sample, writer_of(*next));
    for (; next != wanted.end() && next->is_node && next->node == sample.step; ++next)
      write(sample, next->position);
    interpolation_.begin_at(*sample.point, sample.q, sample.lambda);
    return next != wanted.end();
  };
  const RunReport report =
      integrate(stepper_, evaluator_, point, {.steps = wanted.back().node + 1}, observer);
  require(report, report.steps, point.t);
}

RecordedMotion::RecordedMotion(RunPlan plan, std::vector<double> records)
    : implementation_(std::make_unique<Implementation>(std::move(plan), std::move(records))) {}
RecordedMotion::~RecordedMotion() = default;
RecordedMotion::RecordedMotion(RecordedMotion&&) noexcept = default;
RecordedMotion& RecordedMotion::operator=(RecordedMotion&&) noexcept = default;
const RunPlan& RecordedMotion::plan() const { return implementation_->plan(); }
double RecordedMotion::end() const { return implementation_->end(); }
std::vector<double> RecordedMotion::rows_at(std::span<const double> times) {
  return implementation_->rows_at(times);
}

}  // namespace dalembert::study
