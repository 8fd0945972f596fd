#include "ensemble_block.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "dalembert/numeric/angles.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t steps_between_looks = 1024;  // at the request to stop

/// Positions with the turns of angles.
void unwrap(const Point& point, std::vector<double>& q) {
  q.resize(point.q.size());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = numeric::unwrapped(point.q[i], point.turns[i]);
}

}  // namespace

RecordGrid::RecordGrid(const EnsembleOptions& options, double h)
    : times_(options.record_times.are_given() ? options.record_times
                                              : RecordTimes::every_steps(options.record_every)),
      steps_(options.steps),
      start_(options.start_time),
      h_(h),
      records_end_(options.records_end) {}

std::uint64_t RecordGrid::passed(std::uint64_t steps) const {
  const bool is_end_beside = steps >= steps_ && records_end_ && !times_.has_node(steps_, h_);
  return times_.count(steps, h_) + (is_end_beside ? 1 : 0);
}

RecordGrid::Place RecordGrid::place(std::uint64_t record) const {
  if (record >= times_.count(steps_, h_)) return {steps_, true, node_time(steps_)};
  const std::uint64_t node = times_.passed_after(record, h_);
  const bool is_node = times_.has_node(node, h_) && times_.count(node, h_) == record + 1;
  return {node, is_node, is_node ? node_time(node) : start_ + times_.time(record, h_)};
}

MemberStepper::MemberStepper(const std::shared_ptr<const StepProgram>& program,
                             std::span<const double> parameters, double h,
                             const BatchOptions& lanes, std::size_t members)
    : program_(program) {
  if (lanes.width != 1) {
    batch_.emplace(program, members, h, lanes);
    batch_->set_parameters(parameters);
    return;
  }
  stepper_.emplace(program, h, parameters);
  if (lanes.instruction_set) stepper_->set_kernel(number_kernel(*lanes.instruction_set));
  if (program->method().tolerance() > 0.0) divide_.emplace(*stepper_);
}

void MemberStepper::set_step(double h) { batch_ ? batch_->set_step(h) : stepper_->set_step(h); }

void MemberStepper::put(const std::vector<Point>& points, const std::vector<bool>& skipped) {
  for (std::size_t i = 0; i < points.size() && batch_; ++i)
    if (!skipped[i]) batch_->set_point(i, points[i]);
}

void MemberStepper::advance(std::vector<Point>& points, const std::vector<bool>& skipped,
                            double start, std::uint64_t first, std::uint64_t count,
                            std::vector<StepReport>& reports) {
  reports.assign(points.size(), {});
  if (batch_) std::ranges::copy(batch_->advance(start, first, count), reports.begin());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (skipped[i]) continue;
    if (batch_) {
      batch_->get_point(i, points[i]);
    } else {
      reports[i] = divide_ ? (*divide_)(points[i], start, first, count)
                           : stepper_->advance(points[i], start, first, count);
    }
  }
}

EnsembleBlock::EnsembleBlock(const std::shared_ptr<const StepProgram>& program,
                             std::span<const double> parameters, double h,
                             const BatchOptions& lanes, std::vector<std::size_t> members,
                             const EnsembleState& state)
    : program_(program),
      parameters_(parameters.begin(), parameters.end()),
      lanes_(lanes),
      members_(std::move(members)),
      stepper_(program, parameters, h, lanes, members_.size()),
      has_failed_(members_.size()),
      failed_(members_.size()),
      integrals_(program->system().mechanics().integrals.size()) {
  for (const std::size_t member : members_) points_.push_back(state.points[member]);
}

bool EnsembleBlock::advance(const EnsembleOptions& options, const RecordGrid& grid,
                            Evaluator& evaluator, RecordWindow& window) {
  saved_ = points_;
  saved_failed_ = failed_;
  taken_ = iterations_ = 0;
  steps_before_ = options.steps_before;
  seconds_ = 0.0;
  stepper_.put(points_, has_failed_);
  done_ = window.from_step;
  const bool interpolates = program_->carried_count() > 0;
  for (std::size_t i = 0; i < window.count; ++i) {
    const auto [node, is_node, t] = grid.place(window.first + i);
    if (is_node) {
      if (!advance_to(options, node)) return false;
      observe(evaluator, window, i);
      continue;
    }
    // Of some records between the same nodes, those after the first find what they need.
    if (done_ < node && !advance_to(options, node - 1)) return false;
    if (!interpolates) {
      step_aside(grid.node_time(node - 1), t);
    } else {
      if (done_ < node) before_ = points_;
      if (!advance_to(options, node)) return false;
      interpolate(t);
    }
    measure(evaluator, window, i, between_, lacks_);
  }
  return advance_to(options, window.to_step);
}

bool EnsembleBlock::advance_to(const EnsembleOptions& options, std::uint64_t step) {
  while (done_ < step) {
    if (options.cancelled != nullptr && *options.cancelled) return false;
    const std::uint64_t count = std::min(step - done_, steps_between_looks);
    advance_steps(options.start_time, count);
    done_ += count;
    if (options.steps_done != nullptr) *options.steps_done += count * members_.size();
  }
  return true;
}

void EnsembleBlock::advance_steps(double start, std::uint64_t count) {
  const Clock::time_point begin = Clock::now();
  stepper_.advance(points_, has_failed_, start, done_, count, reports_);
  seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (!has_failed_[i]) note(i, reports_[i]);
}

void EnsembleBlock::note(std::size_t i, const StepReport& report) {
  taken_ += report.steps;
  iterations_ += report.iterations;
  if (report.status == StepStatus::ok) return;
  const std::uint64_t reached = steps_before_ + done_ + report.steps;
  failed_[i] = MemberFailure{members_[i], reached + 1, points_[i].t, report.residual,
                             failure_text(*program_, report, reached, points_[i].t)};
  has_failed_[i] = true;
}

/// One step of another size from copies of the states at a node. Where it is refused, the run's own
/// step over the same place says why.
void EnsembleBlock::step_aside(double from, double to) {
  if (!aside_)
    aside_ =
        std::make_unique<MemberStepper>(program_, parameters_, to - from, lanes_, members_.size());
  aside_->set_step(to - from);
  between_ = points_;
  lacks_ = has_failed_;
  aside_->put(between_, lacks_);
  aside_->advance(between_, lacks_, from, 0, 1, reports_);
  for (std::size_t i = 0; i < between_.size(); ++i) {
    lacks_[i] = has_failed_[i] || reports_[i].status != StepStatus::ok;
    between_[i].t = to;  // a time and a difference need not add up to it
  }
}

void EnsembleBlock::interpolate(double t) {
  between_ = points_;
  lacks_ = has_failed_;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (lacks_[i]) continue;
    unwrap(before_[i], q_before_);
    unwrap(points_[i], q_after_);
    interpolation_.begin_at(before_[i], q_before_, {});
    const Sample after{done_, points_[i].t, q_after_, points_[i].v, {}, &points_[i]};
    interpolation_.show_at(t, after, [&](const Sample& sample) {
      between_[i] = *sample.point;
      return true;
    });
  }
}

void EnsembleBlock::observe(Evaluator& evaluator, RecordWindow& window, std::size_t record) {
  measure(evaluator, window, record, points_, has_failed_);
}

void EnsembleBlock::measure(Evaluator& evaluator, RecordWindow& window, std::size_t record,
                            const std::vector<Point>& points, const std::vector<bool>& skipped) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (skipped[i]) continue;
    const Point& point = points[i];
    window.at(record, 0, members_[i]) = evaluator.energy(point.t, point.q, point.v);
    window.at(record, 1, members_[i]) = evaluator.constraint_error(point.t, point.q, point.v);
    evaluator.integrals(point.t, point.q, point.v, integrals_);
    for (std::size_t j = 0; j < integrals_.size(); ++j)
      window.at(record, 2 + j, members_[i]) = integrals_[j];
  }
}

void EnsembleBlock::restore() {
  points_ = saved_;
  failed_ = saved_failed_;
  for (std::size_t i = 0; i < failed_.size(); ++i) has_failed_[i] = failed_[i].has_value();
}

void EnsembleBlock::save(EnsembleState& state, EnsembleReport& report) const {
  for (std::size_t i = 0; i < members_.size(); ++i) state.points[members_[i]] = points_[i];
  report.member_steps += taken_;
  report.iterations += iterations_;
  report.seconds += seconds_;
}

void EnsembleBlock::tell_failures(std::vector<MemberFailure>& failures) const {
  for (const auto& failure : failed_)
    if (failure) failures.push_back(*failure);
}

}  // namespace dalembert
