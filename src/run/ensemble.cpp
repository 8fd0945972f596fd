#include "dalembert/run/ensemble.hpp"

#include <algorithm>
#include <chrono>
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

/// The blocks, and an evaluator for each thread.
class Blocks {
 public:
  Blocks(const std::shared_ptr<const StepProgram>& program, std::span<const double> parameters,
         double h, EnsembleState& state, const EnsembleOptions& options)
      : options_(options),
        state_(state),
        evaluators_(std::max<std::size_t>(1, options.threads),
                    Evaluator(program->system(), parameters)),
        earlier_failures_(state.failures),
        grid_(options, h) {
    if (state.points.empty()) throw RequestError("an ensemble needs at least 1 member");
    const std::vector<double> values(evaluators_[0].parameters().begin(),
                                     evaluators_[0].parameters().end());
    const BatchOptions lanes{.instruction_set = options.instruction_set,
                             .width = program->method().tolerance() > 0.0 ? 1 : options.lanes,
                             .block = suggested_block(program->slot_count(), state.points.size())};
    const InstructionSet set = lanes.instruction_set.value_or(available_instruction_sets().back());
    const auto size = static_cast<std::size_t>(
        lane_kernel(set, lanes.width == 1 ? 0 : lanes.width, *lanes.block).members);
    std::vector<std::size_t> members = alive_members();
    for (std::size_t begin = 0; begin < members.size(); begin += size) {
      const auto first = members.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto count = static_cast<std::ptrdiff_t>(std::min(size, members.size() - begin));
      blocks_.push_back(std::make_unique<EnsembleBlock>(program, values, h, lanes,
                                                        std::vector(first, first + count), state));
    }
    window_.quantities = 2 + program->system().mechanics().integrals.size();
    window_.members = state.points.size();
  }

  /// The window of the start: nothing but record 0.
  const RecordWindow& observe_start() {
    clear_window(0, 1, 0);
    parallel_for(options_.threads, blocks_.size(), [this](std::size_t i, std::size_t thread) {
      blocks_[i]->observe(evaluators_[thread], window_, 0);
    });
    return window_;
  }

  /// All members up to a number of steps; false if that was stopped.
  bool advance(std::uint64_t to_step, EnsembleReport& report) {
    const std::uint64_t first = grid_.passed(state_.step);
    clear_window(first, static_cast<std::size_t>(grid_.passed(to_step) - first), to_step);
    std::atomic<bool> stopped = false;
    parallel_for(options_.threads, blocks_.size(), [&](std::size_t i, std::size_t thread) {
      if (!blocks_[i]->advance(options_, grid_, evaluators_[thread], window_)) stopped = true;
    });
    for (const auto& block : blocks_) {
      if (stopped) {
        block->restore();
      } else {
        block->save(state_, report);
      }
    }
    if (stopped) return false;
    collect_failures();
    state_.step = to_step;
    return true;
  }

  const RecordGrid& grid() const { return grid_; }
  const RecordWindow& window() const { return window_; }
  /// The most records whose values are kept at the same time.
  std::size_t most_records() const {
    return std::max<std::size_t>(1, most_window_values / (window_.quantities * window_.members));
  }

 private:
  std::vector<std::size_t> alive_members() const {
    std::vector<bool> dead(state_.points.size(), false);
    for (const MemberFailure& failure : state_.failures) dead[failure.member] = true;
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < dead.size(); ++i)
      if (!dead[i]) members.push_back(i);
    return members;
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

  void collect_failures() {
    state_.failures = earlier_failures_;
    for (const auto& block : blocks_) block->tell_failures(state_.failures);
    std::sort(state_.failures.begin(), state_.failures.end(),
              [](const MemberFailure& a, const MemberFailure& b) { return a.member < b.member; });
  }

  const EnsembleOptions& options_;
  EnsembleState& state_;
  std::vector<Evaluator> evaluators_;
  std::vector<MemberFailure> earlier_failures_;
  std::vector<std::unique_ptr<EnsembleBlock>> blocks_;
  RecordGrid grid_;
  RecordWindow window_;
};

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
  std::uint64_t units = 1;
  while (state.step < options.steps) {
    const Clock::time_point begin = Clock::now();
    const std::uint64_t end =
        window_end(blocks.grid(), state.step, units, options.steps, blocks.most_records());
    if (!blocks.advance(end, report)) return report;
    show(blocks.window());
    if (seconds_since(begin) < wanted_window_seconds) units = std::min(2 * units, most_units);
  }
  report.complete = true;
  return report;
}

}  // namespace dalembert
