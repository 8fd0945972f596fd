#include "dalembert/run/ensemble.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

#include "dalembert/error.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/run/adaptive.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t steps_between_looks = 1024;    // at the request to stop
constexpr double wanted_window_seconds = 0.1;          // threads meet after each window
constexpr std::size_t most_window_values = 1u << 22u;  // 32 MiB

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Records first, ..., first + count - 1, and where their values go.
struct Window {
  std::uint64_t first = 0, from_step = 0;
  std::size_t count = 0, quantities = 0, members = 0;
  std::vector<double> values;

  double& at(std::size_t record, std::size_t quantity, std::size_t member) {
    return values[(record * quantities + quantity) * members + member];
  }
};

/// Members that share the lanes of a stepper, or one after the other a stepper of one number.
class Block {
 public:
  Block(const std::shared_ptr<const StepProgram>& program, std::span<const double> parameters,
        double h, const BatchOptions& lanes, std::vector<std::size_t> members,
        const EnsembleState& state)
      : members_(std::move(members)) {
    for (const std::size_t member : members_) points_.push_back(state.points[member]);
    failed_.resize(members_.size());
    if (lanes.width == 1) {
      stepper_.emplace(program, h, parameters);
      if (lanes.instruction_set) stepper_->set_kernel(number_kernel(*lanes.instruction_set));
      if (program->method().tolerance() > 0.0) divide_.emplace(*stepper_);
    } else {
      batch_.emplace(program, members_.size(), h, lanes);
      batch_->set_parameters(parameters);
    }
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Advances through the records of a window, or not at all: false if it was told to stop.
  bool advance(const EnsembleOptions& options, Evaluator& evaluator, Window& window) {
    saved_ = points_;
    saved_failed_ = failed_;
    taken_ = iterations_ = 0;
    steps_before_ = options.steps_before;
    seconds_ = 0.0;
    if (batch_) put_points();
    std::uint64_t done = window.from_step;
    for (std::size_t i = 0; i < window.count; ++i) {
      const std::uint64_t next = record_step(window.first + i, options.steps, options.record_every);
      while (done < next) {
        if (options.cancelled != nullptr && *options.cancelled) return false;
        const std::uint64_t count = std::min(next - done, steps_between_looks);
        advance_steps(options.start_time, done, count);
        done += count;
        if (options.steps_done != nullptr) *options.steps_done += count * members_.size();
      }
      observe(evaluator, window, i);
    }
    return true;
  }

  void observe(Evaluator& evaluator, Window& window, std::size_t record) {
    std::vector<double> integrals(window.quantities - 2);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (failed_[i]) continue;
      const Point& point = points_[i];
      window.at(record, 0, members_[i]) = evaluator.energy(point.t, point.q, point.v);
      window.at(record, 1, members_[i]) = evaluator.constraint_error(point.t, point.q, point.v);
      evaluator.integrals(point.t, point.q, point.v, integrals);
      for (std::size_t j = 0; j < integrals.size(); ++j)
        window.at(record, 2 + j, members_[i]) = integrals[j];
    }
  }

  /// Back to where the window began.
  void restore() {
    points_ = saved_;
    failed_ = saved_failed_;
  }

  void save(EnsembleState& state, EnsembleReport& report) const {
    for (std::size_t i = 0; i < members_.size(); ++i) state.points[members_[i]] = points_[i];
    report.member_steps += taken_;
    report.iterations += iterations_;
    report.seconds += seconds_;
  }
  void tell_failures(std::vector<MemberFailure>& failures) const {
    for (const auto& failure : failed_)
      if (failure) failures.push_back(*failure);
  }

 private:
  void put_points() {
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (!failed_[i]) batch_->set_point(i, points_[i]);
  }

  void advance_steps(double start, std::uint64_t first, std::uint64_t count) {
    const Clock::time_point begin = Clock::now();
    if (batch_) {
      const std::span<const StepReport> reports = batch_->advance(start, first, count);
      seconds_ += seconds_since(begin);
      for (std::size_t i = 0; i < members_.size(); ++i) {
        if (failed_[i]) continue;
        batch_->get_point(i, points_[i]);
        note(i, first, reports[i]);
      }
      return;
    }
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (failed_[i]) continue;
      const StepReport report = divide_ ? (*divide_)(points_[i], start, first, count)
                                        : stepper_->advance(points_[i], start, first, count);
      note(i, first, report);
    }
    seconds_ += seconds_since(begin);
  }

  void note(std::size_t i, std::uint64_t first, const StepReport& report) {
    taken_ += report.steps;
    iterations_ += report.iterations;
    if (report.status == StepStatus::ok) return;
    const std::uint64_t reached = steps_before_ + first + report.steps;
    const StepProgram& program = batch_ ? batch_->program() : stepper_->program();
    failed_[i] = MemberFailure{members_[i], reached + 1, points_[i].t, report.residual,
                               failure_text(program, report, reached, points_[i].t)};
  }

  std::vector<std::size_t> members_;
  std::optional<BatchStepper> batch_;
  std::optional<Stepper> stepper_;
  std::optional<AdaptiveAdvance> divide_;
  std::vector<Point> points_, saved_;
  std::vector<std::optional<MemberFailure>> failed_, saved_failed_;
  std::uint64_t taken_ = 0, iterations_ = 0, steps_before_ = 0;
  double seconds_ = 0.0;
};

/// The blocks, and an evaluator for each thread.
class Blocks {
 public:
  Blocks(const std::shared_ptr<const StepProgram>& program, std::span<const double> parameters,
         double h, EnsembleState& state, const EnsembleOptions& options)
      : options_(options),
        state_(state),
        evaluators_(std::max<std::size_t>(1, options.threads),
                    Evaluator(program->system(), parameters)),
        earlier_failures_(state.failures) {
    if (state.points.empty()) throw RequestError("an ensemble needs at least 1 member");
    const std::vector<double> values(evaluators_[0].parameters().begin(),
                                     evaluators_[0].parameters().end());
    const BatchOptions lanes{.instruction_set = options.instruction_set,
                             .width = program->method().tolerance() > 0.0 ? 1 : options.lanes};
    const InstructionSet set = lanes.instruction_set.value_or(available_instruction_sets().back());
    const auto size =
        static_cast<std::size_t>(lane_kernel(set, lanes.width == 1 ? 0 : lanes.width).members);
    std::vector<std::size_t> members = alive_members();
    for (std::size_t begin = 0; begin < members.size(); begin += size) {
      const auto first = members.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto count = static_cast<std::ptrdiff_t>(std::min(size, members.size() - begin));
      blocks_.push_back(std::make_unique<Block>(program, values, h, lanes,
                                                std::vector(first, first + count), state));
    }
    window_.quantities = 2 + program->system().mechanics().integrals.size();
    window_.members = state.points.size();
  }

  /// The window of the start: nothing but record 0.
  const Window& observe_start() {
    clear_window(0, 1);
    parallel_for(options_.threads, blocks_.size(), [this](std::size_t i, std::size_t thread) {
      blocks_[i]->observe(evaluators_[thread], window_, 0);
    });
    return window_;
  }

  /// All members through the next records; false if that was stopped.
  bool advance(std::uint64_t first, std::size_t count, EnsembleReport& report) {
    clear_window(first, count);
    std::atomic<bool> stopped = false;
    parallel_for(options_.threads, blocks_.size(), [&](std::size_t i, std::size_t thread) {
      if (!blocks_[i]->advance(options_, evaluators_[thread], window_)) stopped = true;
    });
    for (const auto& block : blocks_) {
      if (stopped) {
        block->restore();
      } else {
        block->save(state_, report);
      }
    }
    if (!stopped) collect_failures();
    return !stopped;
  }

  const Window& window() const { return window_; }

 private:
  std::vector<std::size_t> alive_members() const {
    std::vector<bool> dead(state_.points.size(), false);
    for (const MemberFailure& failure : state_.failures) dead[failure.member] = true;
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < dead.size(); ++i)
      if (!dead[i]) members.push_back(i);
    return members;
  }

  void clear_window(std::uint64_t first, std::size_t count) {
    window_.first = first;
    window_.from_step = state_.step;
    window_.count = count;
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
  std::vector<std::unique_ptr<Block>> blocks_;
  Window window_;
};

}  // namespace

std::uint64_t record_count(std::uint64_t steps, std::uint64_t record_every) {
  return (steps + record_every - 1) / record_every + 1;
}

std::uint64_t record_step(std::uint64_t record, std::uint64_t steps, std::uint64_t record_every) {
  return record > steps / record_every ? steps : record * record_every;
}

EnsembleReport integrate_ensemble(const std::shared_ptr<const StepProgram>& program,
                                  std::span<const double> parameters, double h,
                                  EnsembleState& state, const EnsembleOptions& options,
                                  const std::function<void(const EnsembleWindow&)>& observer) {
  if (options.record_every == 0)
    throw RequestError("the records of an ensemble lie at least 1 step apart, not 0");
  Blocks blocks(program, parameters, h, state, options);
  EnsembleReport report;
  const auto show = [&](const Window& window) {
    if (observer)
      observer(
          {window.first, window.count, window.quantities, window.members, window.values, &state});
  };
  if (state.step == 0) show(blocks.observe_start());
  const std::uint64_t end = record_count(options.steps, options.record_every);
  const std::size_t most = std::max<std::size_t>(
      1, most_window_values / (blocks.window().quantities * blocks.window().members));
  std::size_t count = 1;
  for (std::uint64_t record = state.step / options.record_every + 1;
       record < end && state.step < options.steps;) {
    const Clock::time_point begin = Clock::now();
    const auto records = static_cast<std::size_t>(std::min<std::uint64_t>(count, end - record));
    if (!blocks.advance(record, records, report)) return report;
    record += records;
    state.step = record_step(record - 1, options.steps, options.record_every);
    show(blocks.window());
    if (seconds_since(begin) < wanted_window_seconds) count = std::min(2 * count, most);
  }
  report.complete = true;
  return report;
}

}  // namespace dalembert
