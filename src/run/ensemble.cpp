#include "dalembert/run/ensemble.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "ensemble_block.hpp"

namespace dalembert {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double wanted_window_seconds = 0.1;          // threads meet after each window
constexpr std::size_t most_window_values = 1u << 22u;  // 32 MiB
constexpr std::uint64_t most_units = 1u << 20u;        // of steps in a window

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The members of an ensemble in blocks, and what each thread needs to advance them.
class Blocks {
 public:
  Blocks(const std::shared_ptr<const StepProgram>& program, std::span<const double> parameters,
         double h, EnsembleState& state, const EnsembleOptions& options)
      : options_(options), state_(state), grid_(options, h) {
    if (state.points.empty()) throw RequestError("an ensemble needs at least 1 member");
    if (state.points.program() != program) state.points = state.points.of(program);
    const std::size_t members = state.points.size();
    for (const Event& event : options.events) check_member_event(event);
    const EventFunctions events(program->system(), options.events, parameters);
    const bool is_alone = program->method().tolerance() > 0.0 ||
                          (events.size() > 0 && !EventAdvance::can_watch(*program, events));
    const BatchOptions lanes{.instruction_set = options.instruction_set,
                             .width = is_alone ? 1 : options.lanes,
                             .block = suggested_block(program->slot_count(), members)};
    const InstructionSet set = lanes.instruction_set.value_or(available_instruction_sets().back());
    size_ = static_cast<std::size_t>(
        lane_kernel(set, lanes.width == 1 ? 0 : lanes.width, *lanes.block).members);
    std::shared_ptr<const LaterKernel> later;
    if (lanes.width != 1 && options.later_kernel)
      later = options.later_kernel(static_cast<int>(size_), set);
    for (const MemberFailure& failure : state.failures) left_out_.push_back(failure.member);
    alive_ = members - left_out_.size();
    const Evaluator evaluator(program->system(), parameters);
    const std::size_t threads =
        std::clamp<std::size_t>(options.threads, 1, std::max<std::size_t>(1, block_count()));
    for (std::size_t i = 0; i < threads; ++i) {
      runners_.push_back(std::make_unique<BlockRunner>(program, evaluator, h, lanes,
                                                       std::min(size_, members), events));
      if (later != nullptr) runners_.back()->switch_when_ready(later);
    }
    window_.quantities = 2 + program->system().mechanics().integrals.size();
    window_.members = members;
    after_ = state.points;
  }

  /// The window of the start: nothing but record 0.
  const RecordWindow& observe_start() {
    clear_window(0, 1, 0);
    for_each_block([this](BlockRunner& runner) {
      runner.observe(window_, 0);
      return true;
    });
    return window_;
  }

  /// All members up to a number of steps; false if that was stopped, and nothing has changed.
  bool advance(std::uint64_t to_step, EnsembleReport& report) {
    const std::uint64_t first = grid_.passed(state_.step);
    clear_window(first, static_cast<std::size_t>(grid_.passed(to_step) - first), to_step);
    for (const auto& runner : runners_) runner->work() = {};
    const bool is_done = for_each_block(
        [this](BlockRunner& runner) { return runner.advance(options_, grid_, window_, after_); });
    if (is_done) accept(to_step, report);
    return is_done;
  }

  /// Whether one of the threads has changed over to the later kernel.
  bool has_switched() const {
    return std::ranges::any_of(runners_, [](const auto& runner) { return runner->has_switched(); });
  }
  const RecordGrid& grid() const { return grid_; }
  const RecordWindow& window() const { return window_; }
  /// The most records whose values are kept at the same time.
  std::size_t most_records() const {
    const std::size_t members = options_.window_members.value_or(window_.members);
    return std::max<std::size_t>(1, most_window_values / (window_.quantities * members));
  }

 private:
  std::size_t block_count() const { return (alive_ + size_ - 1) / size_; }

  /// The members of a block: `size_` of those that had not failed when the blocks were made.
  void find_members(std::size_t block, std::vector<std::size_t>& members) const {
    members.clear();
    std::size_t member = block * size_;
    auto next = left_out_.begin();
    // So many members as are left out before it, the first one is farther on.
    const auto skip = [&] {
      for (; next != left_out_.end() && *next <= member; ++next) ++member;
    };
    const std::size_t count = std::min(size_, alive_ - block * size_);
    for (skip(); members.size() < count; ++member, skip()) members.push_back(member);
  }

  /// run(runner) on each block, until one says that it was stopped: then false.
  template <class Run>
  bool for_each_block(Run run) {
    std::atomic<bool> is_stopped = false;
    std::vector<std::vector<std::size_t>> members(runners_.size());
    parallel_for(runners_.size(), block_count(), [&](std::size_t block, std::size_t thread) {
      if (is_stopped) return;
      find_members(block, members[thread]);
      runners_[thread]->begin(state_, members[thread]);
      if (!run(*runners_[thread])) is_stopped = true;
    });
    return !is_stopped;
  }

  void clear_window(std::uint64_t first, std::size_t count, std::uint64_t to_step) {
    window_.first = first;
    window_.from_step = state_.step;
    window_.to_step = to_step;
    window_.count = count;
    window_.times.clear();
    for (std::size_t i = 0; i < count; ++i) window_.times.push_back(grid_.place(first + i).t);
    window_.values.assign(count * window_.quantities * window_.members,
                          std::numeric_limits<double>::quiet_NaN());
  }

  /// Where the window has led becomes the state.
  void accept(std::uint64_t to_step, EnsembleReport& report) {
    const double t = grid_.node_time(to_step);
    for (std::size_t i = 0; i < after_.size(); ++i) after_.set_time(i, t);
    for (const MemberFailure& failure : state_.failures)
      after_.set_time(failure.member, state_.points.time(failure.member));
    const std::size_t earlier = state_.failures.size();
    for (const auto& runner : runners_) {
      WindowWork& work = runner->work();
      report.member_steps += work.taken;
      report.iterations += work.iterations;
      report.seconds += work.seconds;
      std::ranges::move(work.failures, std::back_inserter(state_.failures));
    }
    for (std::size_t i = earlier; i < state_.failures.size(); ++i)
      after_.set_time(state_.failures[i].member, state_.failures[i].t);
    std::ranges::sort(state_.failures, {}, &MemberFailure::member);
    std::swap(state_.points, after_);
    state_.step = to_step;
  }

  const EnsembleOptions& options_;
  EnsembleState& state_;
  std::vector<std::size_t> left_out_;  // had failed before, in order
  std::size_t size_ = 1, alive_ = 0;
  std::vector<std::unique_ptr<BlockRunner>> runners_;  // one for each thread
  MemberPoints after_;                                 // where a window leads
  RecordGrid grid_;
  RecordWindow window_;
};

/// Units of steps in a window that takes about as long as is wanted, whatever the machine is: an
/// instruction of a member takes some 0.3 ns in vectors.
std::uint64_t fixed_units(const StepProgram& program, const RecordGrid& grid, std::size_t members) {
  constexpr double seconds_per_instruction = 0.3e-9;
  const double unit = seconds_per_instruction * static_cast<double>(program.slot_count()) *
                      static_cast<double>(members) * static_cast<double>(grid.unit());
  const double units = wanted_window_seconds / unit;
  return units >= static_cast<double>(most_units)
             ? most_units
             : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(units));
}

/// Where the next window ends: so many units of steps on, or fewer where that has too many records.
std::uint64_t window_end(const RecordGrid& grid, std::uint64_t from, std::uint64_t units,
                         std::uint64_t last, std::size_t most_records) {
  const std::uint64_t unit = grid.unit();
  const auto end_of = [&](std::uint64_t count) {
    return std::min((from / unit + count) * unit, last);
  };
  while (units > 1 && grid.passed(end_of(units)) - grid.passed(from) > most_records) units /= 2;
  return end_of(units);
}

}  // namespace

EnsembleReport integrate_ensemble(const std::shared_ptr<const StepProgram>& program,
                                  std::span<const double> parameters, double h,
                                  EnsembleState& state, const EnsembleOptions& options,
                                  const std::function<void(const EnsembleWindow&)>& observer) {
  if (options.record_every == 0)
    throw RequestError("the records of an ensemble lie at least 1 step apart, not 0");
  Blocks blocks(program, parameters, h, state, options);
  EnsembleReport report;
  const auto show = [&](const RecordWindow& window) {
    if (observer)
      observer({window.first, window.count, window.quantities, window.members, window.times,
                window.values, &state});
  };
  if (state.step == 0) show(blocks.observe_start());
  const bool is_fixed = options.window_members.has_value();
  std::uint64_t units =
      is_fixed ? fixed_units(*program, blocks.grid(), *options.window_members) : 1;
  while (state.step < options.steps) {
    const Clock::time_point begin = Clock::now();
    const std::uint64_t end =
        window_end(blocks.grid(), state.step, units, options.steps, blocks.most_records());
    const bool is_done = blocks.advance(end, report);
    report.has_switched = blocks.has_switched();
    if (!is_done) return report;
    show(blocks.window());
    if (!is_fixed && seconds_since(begin) < wanted_window_seconds)
      units = std::min(2 * units, most_units);
  }
  report.complete = true;
  return report;
}

}  // namespace dalembert
