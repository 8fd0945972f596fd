#include "ensemble_block.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "dalembert/run/integrate.hpp"

namespace dalembert {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t steps_between_looks = 1024;  // at the request to stop

/// Whether a member is among failures in the order of the members.
bool is_among(const std::vector<MemberFailure>& failures, std::size_t member) {
  const auto found = std::ranges::lower_bound(failures, member, {}, &MemberFailure::member);
  return found != failures.end() && found->member == member;
}

}  // namespace

BlockRunner::BlockRunner(const std::shared_ptr<const StepProgram>& program,
                         const Evaluator& evaluator, double h, const BatchOptions& lanes,
                         std::size_t size, const EventFunctions& events)
    : program_(program),
      lanes_(lanes),
      size_(size),
      stepper_(program, evaluator.parameters(), h, lanes, size),
      measures_(evaluator, stepper_.batch()),
      has_failed_(size),
      lacks_(size) {
  if (events.size() == 0) return;
  events_.emplace(program, events, evaluator.parameters(), h, lanes.instruction_set);
  before_.assign(size, empty_point(*program));
  moved_ = empty_point(*program);
  if (stepper_.batch() != nullptr) stepper_.batch()->watch(true);
}

void BlockRunner::begin(const EnsembleState& state, std::span<const std::size_t> members) {
  members_ = members;
  done_ = state.step;
  stepper_.load(state.points, members);
  for (std::size_t i = 0; i < members.size(); ++i) {
    has_failed_[i] = is_among(state.failures, members[i]);
    if (has_failed_[i]) stepper_.leave_out(i);
  }
}

bool BlockRunner::advance(const EnsembleOptions& options, const RecordGrid& grid,
                          RecordWindow& window, MemberPoints& after) {
  steps_before_ = options.steps_before;
  const bool interpolates = program_->carried_count() > 0;
  for (std::size_t i = 0; i < window.count; ++i) {
    const auto [node, is_node, t] = grid.place(window.first + i);
    if (is_node) {
      if (!advance_to(options, node)) return false;
      observe(window, i);
      continue;
    }
    // Of some records between the same nodes, those after the first find what they need.
    if (done_ < node && !advance_to(options, node - 1)) return false;
    if (!interpolates) {
      step_aside(grid.node_time(node - 1), t);
      measures_.measure(*aside_, members_, lacks_, window, i);
    } else {
      if (done_ < node) keep_before();
      if (!advance_to(options, node)) return false;
      interpolate(t, window, i);
    }
  }
  if (!advance_to(options, window.to_step)) return false;
  stepper_.store(after, members_);
  return true;
}

bool BlockRunner::advance_to(const EnsembleOptions& options, std::uint64_t step) {
  while (done_ < step) {
    if (options.cancelled != nullptr && *options.cancelled) return false;
    const std::uint64_t count = std::min(step - done_, steps_between_looks);
    advance_steps(options.start_time, count);
    done_ += count;
    if (options.steps_done != nullptr) *options.steps_done += count * members_.size();
  }
  return true;
}

/// What the members are watched for from where they are.
void BlockRunner::prepare_events() {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (has_failed_[i]) continue;
    before_[i] = stepper_.point(i);
    events_->watch(*stepper_.batch(), i, before_[i]);
  }
}

/// In lanes, and those members once more to which something may have happened; without lanes one
/// after the other.
void BlockRunner::advance_with_events(double start, std::uint64_t count) {
  BatchStepper* const batch = stepper_.batch();
  const std::uint64_t stride = batch != nullptr ? MemberEvents::steps_between_looks : count;
  for (std::uint64_t taken = 0; taken < count; taken += stride) {
    const std::uint64_t first = done_ + taken, steps = std::min(count - taken, stride);
    std::span<const StepReport> reports;
    if (batch != nullptr) {
      prepare_events();
      reports = stepper_.advance(start, first, steps);
    }
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (has_failed_[i]) continue;
      StepReport report = reports.empty() ? StepReport{} : reports[i];
      const bool is_alone = batch == nullptr || report.status != StepStatus::ok ||
                            events_->may_have_happened(*batch, i, before_[i], stepper_.point(i));
      if (is_alone) {
        moved_ = batch != nullptr ? before_[i] : stepper_.point(i);
        report = events_->advance(moved_, start, first, steps);
        stepper_.set_point(i, moved_);
        if (events_->ended_by()) note_end(i, moved_, first + report.steps);
      }
      note(i, report, first);
    }
  }
}

void BlockRunner::note_end(std::size_t i, const Point& point, std::uint64_t reached) {
  const std::size_t event = *events_->ended_by();
  work_.failures.push_back({.member = members_[i],
                            .step = steps_before_ + reached + 1,
                            .t = point.t,
                            .message = event_end_text(events_->event(event).name, point.t),
                            .ended_by = event});
  has_failed_[i] = true;
  stepper_.leave_out(i);
}

void BlockRunner::advance_steps(double start, std::uint64_t count) {
  const Clock::time_point begin = Clock::now();
  if (events_) {
    advance_with_events(start, count);
    work_.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    return;
  }
  const std::span<const StepReport> reports = stepper_.advance(start, done_, count);
  work_.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (!has_failed_[i]) note(i, reports[i], done_);
}

void BlockRunner::note(std::size_t i, const StepReport& report, std::uint64_t first) {
  work_.taken += report.steps;
  work_.iterations += report.iterations;
  if (report.status != StepStatus::ok) note_failure(i, report, first);
}

void BlockRunner::note_failure(std::size_t i, const StepReport& report, std::uint64_t first) {
  const std::uint64_t reached = steps_before_ + first + report.steps;
  const double t = stepper_.time(i);
  work_.failures.push_back({members_[i], reached + 1, t, report.residual, report.status,
                            failure_text(*program_, report, reached, t)});
  has_failed_[i] = true;
  stepper_.leave_out(i);
}

/// One step of another size from copies of the states at a node. Where it is refused, the run's own
/// step over the same place says why.
void BlockRunner::step_aside(double from, double to) {
  if (!aside_)
    aside_ =
        std::make_unique<MemberStepper>(program_, measures_.parameters(), to - from, lanes_, size_);
  aside_->set_step(to - from);
  aside_->copy(stepper_);
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (has_failed_[i]) aside_->leave_out(i);
  const std::span<const StepReport> reports = aside_->advance(from, 0, 1);
  for (std::size_t i = 0; i < members_.size(); ++i)
    lacks_[i] = has_failed_[i] || reports[i].status != StepStatus::ok;
  aside_->set_time(to);  // a time and a difference need not add up to it
  if (events_) pass_events_aside(to);
}

/// What happens to members between the node where they are and the time at which they are shown.
void BlockRunner::pass_events_aside(double to) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (lacks_[i]) continue;
    moved_ = stepper_.point(i);
    if (!events_->may_have_happened(moved_, aside_->point(i))) continue;
    lacks_[i] =
        events_->advance_to(moved_, to).status != StepStatus::ok || events_->ended_by().has_value();
    if (!lacks_[i]) aside_->set_point(i, moved_);
  }
}

void BlockRunner::keep_before() {
  before_.resize(members_.size());
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (!has_failed_[i]) before_[i] = stepper_.point(i);
}

void BlockRunner::interpolate(double t, RecordWindow& window, std::size_t record) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (has_failed_[i]) continue;
    const Point& point = stepper_.point(i);
    unwrap_positions(before_[i], q_before_);
    unwrap_positions(point, q_after_);
    interpolation_.begin_at(before_[i], q_before_, {});
    const Sample after{done_, point.t, q_after_, point.v, {}, &point};
    interpolation_.show_at(t, after, [&](const Sample& sample) {
      measures_.measure(*sample.point, members_[i], window, record);
      return true;
    });
  }
}

void BlockRunner::observe(RecordWindow& window, std::size_t record) {
  measures_.measure(stepper_, members_, has_failed_, window, record);
}

}  // namespace dalembert
