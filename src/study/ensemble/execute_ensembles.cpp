#include "dalembert/study/ensemble/execute_ensembles.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>

#include "compiled_blocks.hpp"
#include "dalembert/error.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/member_states.hpp"
#include "dalembert/study/run_result.hpp"

namespace dalembert::study {
namespace {

using Clock = std::chrono::steady_clock;

/// Below this many units of round-off of the energy, its error says nothing of the method.
constexpr double round_off_units = 1000.0;

/// One ensemble on its way.
class Execution {
 public:
  Execution(const EnsemblePlan& plan, const EnsembleExecution& execution, EnsembleResult before)
      : plan_(plan),
        execution_(execution),
        evaluator_(plan.run.system, plan.run.parameters),
        compiled_(plan, execution) {
    result_ = std::move(before);
    result_.members = plan.starts->size();
    is_at_end_ =
        result_.status != RunResult::Status::interrupted && result_.state.step == plan.run.steps;
    result_.status = RunResult::Status::interrupted;
    result_.end.reset();
    begin();
    kept_ = growth_records(plan.run.records_at_end() - 1);
    if (result_.quantities.empty()) {
      for (const std::string& name : ensemble_quantities(plan))
        result_.quantities.push_back({.name = name});
    }
    // A part that has gone on for so long that its values became many stays without them.
    keeps_values_ =
        plan.part &&
        (execution.passes_values_on ||
         (keeps_values(plan) && result_.quantities.front().values.size() == result_.t.size()));
    passed_on_ = result_.t.size();
  }

  EnsembleResult operator()() {
    const Clock::time_point begin = Clock::now();
    EnsembleOptions options{.steps = plan_.run.steps,
                            .record_every = plan_.run.record_every,
                            .record_times = plan_.run.record_times,
                            .events = plan_.run.events,
                            .records_end = plan_.run.records_last_node(),
                            .lanes = execution_.lanes,
                            .instruction_set = execution_.instruction_set,
                            .threads = execution_.threads,
                            .window_members = execution_.window_members,
                            .later_kernel =
                                [this](int members, InstructionSet set) {
                                  return compiled_.of(members, set, steps_left());
                                },
                            .cancelled = execution_.cancelled,
                            .steps_done = execution_.steps_done};
    EnsembleReport report =
        integrate_ensemble(plan_.run.program, plan_.run.parameters, plan_.run.step, result_.state,
                           options, [this](const EnsembleWindow& window) { see(window); });
    count(report);
    if (report.member_steps > 0) {
      result_.native = report.has_switched;
      result_.native_refusal = compiled_.refusal(report.has_switched);
    }
    if (report.complete && plan_.run.last_step > 0.0) report = go_beyond_last_node(options);
    result_.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    conclude(report);
    return std::move(result_);
  }

 private:
  /// What the errors are measured from, and the states to go on from unless there are some.
  void begin() {
    MemberPoints starts = start_points(plan_);
    check_sides(starts);
    measure_start(starts);
    if (result_.state.points.empty()) result_.state.points = std::move(starts);
  }

  /// No impact would ever stop a member that begins beyond it.
  void check_sides(const MemberPoints& starts) const {
    if (plan_.run.events.empty()) return;
    EventFunctions events(plan_.run.system, plan_.run.events, plan_.run.parameters);
    Point point = empty_point(*plan_.run.program);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      starts.get(i, point);
      for (std::size_t k = 0; k < events.size(); ++k)
        if (const auto beyond = events.beyond(k, point.q, point.v, plan_.run.step))
          throw RequestError(*beyond + ", of member " + std::to_string(plan_.first_member() + i) +
                             "; draw starts before it");
    }
  }

  std::uint64_t steps_left() const {
    return plan_.run.steps - std::min<std::uint64_t>(plan_.run.steps, result_.state.step);
  }

  void count(const EnsembleReport& report) {
    result_.member_steps += report.member_steps;
    result_.newton_iterations += report.iterations;
    result_.stepper_seconds += report.seconds;
  }

  /// To the end that lies between two nodes, and before it to the records in between.
  EnsembleReport go_beyond_last_node(EnsembleOptions options) {
    // Who reads a result that is complete wants its end, and no other step.
    if (is_at_end_) options.cancelled = nullptr;
    const double node = static_cast<double>(plan_.run.steps) * plan_.run.step;
    options.start_time = node;
    options.record_times = {};
    options.steps = options.record_every = 1;
    options.steps_before = plan_.run.steps;
    RecordTimes times = plan_.run.record_times;
    for (const double t : times.after_node(plan_.run.steps, plan_.run.step, plan_.run.end())) {
      EnsembleState between = result_.state;
      const EnsembleReport report = step_to(t, t - node, between, options);
      if (!report.complete) return report;
    }
    result_.end = result_.state;
    return step_to(plan_.run.end(), plan_.run.last_step, *result_.end, options);
  }

  /// One step from a copy of the states, so that a longer ensemble can go on from before it.
  EnsembleReport step_to(double t, double size, EnsembleState& state,
                         const EnsembleOptions& options) {
    state.step = 0;
    const bool is_known = !result_.t.empty() && result_.t.back() >= t;
    const auto observer = [&](const EnsembleWindow& window) {
      if (window.first_record == 0 || is_known) return;
      result_.t.push_back(t);
      summarize_window(window);
      show();
    };
    const EnsembleReport report =
        integrate_ensemble(plan_.run.program, plan_.run.parameters, size, state, options, observer);
    for (std::size_t i = 0; i < state.points.size(); ++i) {
      // Members that were refused stay where they were.
      if (state.points.time(i) > options.start_time) state.points.set_time(i, t);
    }
    if (!is_known) count(report);
    return report;
  }

  void show() {
    if (execution_.on_records) execution_.on_records(plan_, result_);
    if (!execution_.passes_values_on) return;
    for (; passed_on_ < result_.alive.size(); ++passed_on_) {
      for (QuantityStatistics& quantity : result_.quantities) {
        quantity.moments[passed_on_] = {};
        quantity.values[passed_on_] = {};
      }
    }
  }

  void measure_start(const MemberPoints& starts) {
    const std::size_t integrals = plan_.run.system.mechanics().integrals.size();
    first_.assign(2 + integrals, std::vector<double>(starts.size()));
    std::vector<double> values(integrals);
    Point point = empty_point(*plan_.run.program);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      starts.get(i, point);
      first_[0][i] = evaluator_.energy(point.t, point.q, point.v);
      first_[1][i] = evaluator_.constraint_error(point.t, point.q, point.v);
      evaluator_.integrals(point.t, point.q, point.v, values);
      for (std::size_t j = 0; j < integrals; ++j) first_[2 + j][i] = values[j];
    }
    result_.start_means.clear();
    for (const auto& quantity : first_) result_.start_means.push_back(summarize(quantity).mean);
    first_[1] = {};  // errors of constraints are measured from zero
  }

  void see(const EnsembleWindow& window) {
    for (std::size_t i = 0; i < window.records; ++i) {
      result_.t.push_back(window.times[i]);
      keep_for_growth(window, i, window.first_record + i);
    }
    summarize_window(window);
    result_.steps = window.state->step;
    show();
  }

  /// The records of a window, whose times are known.
  void summarize_window(const EnsembleWindow& window) {
    const std::size_t before = result_.alive.size();
    for (QuantityStatistics& quantity : result_.quantities) {
      quantity.records.resize(before + window.records);
      if (plan_.part) quantity.moments.resize(before + window.records);
      if (keeps_values_) quantity.values.resize(before + window.records);
    }
    std::vector<std::vector<double>> scratch(std::max<std::size_t>(1, execution_.threads));
    parallel_for(execution_.threads, window.records, [&](std::size_t i, std::size_t thread) {
      summarize_record(window, i, before + i, scratch[thread]);
    });
    for (std::size_t i = 0; i < window.records; ++i) {
      const auto energies = window.quantity(i, 0);
      const std::size_t finite = result_.quantities.front().records[before + i].count;
      result_.alive.push_back(finite == energies.size()
                                  ? finite
                                  : static_cast<std::uint64_t>(std::count_if(
                                        energies.begin(), energies.end(),
                                        [](double value) { return !std::isnan(value); })));
    }
  }

  void summarize_record(const EnsembleWindow& window, std::size_t i, std::size_t at,
                        std::vector<double>& values) {
    find_errors(window, i, 0, values);
    summarize_quantity(0, at, values);
    for (std::size_t member = 0; member < values.size(); ++member)
      values[member] = std::fabs(values[member]) / std::fabs(first_[0][member]);
    summarize_quantity(1, at, values);
    summarize_quantity(2, at, window.quantity(i, 1));
    for (std::size_t j = 2; j < window.quantities; ++j) {
      find_errors(window, i, j, values);
      summarize_quantity(j + 1, at, values);
    }
  }

  /// Moments are taken over the members by their numbers, so that parts have the blocks of the
  /// whole; `values` are of those that have a start.
  void summarize_quantity(std::size_t which, std::size_t at, std::span<const double> values) {
    if (values.size() == plan_.starts->size()) return summarize_members(which, at, values);
    std::vector<double> by_member(plan_.starts->size(), std::numeric_limits<double>::quiet_NaN());
    std::size_t next = 0;
    plan_.starts->for_each(
        [&](std::size_t member, auto, auto) { by_member[member] = values[next++]; });
    summarize_members(which, at, by_member);
  }

  void summarize_members(std::size_t which, std::size_t at, std::span<const double> values) {
    QuantityStatistics& quantity = result_.quantities[which];
    MomentTree tree(plan_.part ? plan_.part->first_block() : 0);
    tree.add_values(values);
    quantity.records[at] = statistics_of(tree.total());
    if (!execution_.passes_values_on) add_quantiles(quantity.records[at], values);
    if (!plan_.part) return;
    for (const MomentTree::Node& node : tree.nodes()) quantity.moments[at].push_back(node.moments);
    if (keeps_values_) quantity.values[at].assign(values.begin(), values.end());
  }

  /// The differences of a quantity from its value at the start.
  void find_errors(const EnsembleWindow& window, std::size_t i, std::size_t j,
                   std::vector<double>& errors) const {
    const auto values = window.quantity(i, j);
    errors.resize(values.size());
    std::transform(values.begin(), values.end(), first_[j].begin(), errors.begin(), std::minus());
  }

  void keep_for_growth(const EnsembleWindow& window, std::size_t i, std::uint64_t record) {
    // The last record may lie off the grid of records, and a resumed run has it no more.
    const bool on_grid = record < plan_.run.regular_records(plan_.run.steps);
    if (!on_grid || !std::binary_search(kept_.begin(), kept_.end(), record)) return;
    result_.growth_t.push_back(result_.t.back());
    find_errors(window, i, 0, result_.growth_errors.emplace_back());
  }

  void conclude(const EnsembleReport& report) {
    double largest = 0.0;
    // A member whose energy has no value fails by itself.
    for (const double energy : first_.at(0))
      if (std::isfinite(energy)) largest = numeric::larger(largest, std::fabs(energy));
    const double level = round_off_units * std::numeric_limits<double>::epsilon() * largest;
    fit_laws(level * level);
    gather_failures();
    result_.status = !report.complete           ? RunResult::Status::interrupted
                     : result_.failures.empty() ? RunResult::Status::ok
                                                : RunResult::Status::failed;
    show();
  }

  void fit_laws(double floor) {
    const auto& t = result_.growth_t;
    const double from = t.empty() ? 0.0 : t.back() / fitted_factor;
    const auto begin = std::lower_bound(t.begin(), t.end(), from) - t.begin();
    const auto first = static_cast<std::size_t>(begin);
    const std::span<const double> times = std::span(t).subspan(first);
    const auto errors = std::span<const std::vector<double>>(result_.growth_errors).subspan(first);
    result_.variance = fit_growth(times, errors, GrowthOf::variance, floor);
    result_.mean_square = fit_growth(times, errors, GrowthOf::mean_square, floor);
  }

  /// With the numbers that all members have, and those that never started.
  void gather_failures() {
    result_.failures.clear();
    result_.ends.clear();
    const EnsembleState& end = result_.end ? *result_.end : result_.state;
    auto failure = end.failures.begin();
    std::size_t next = 0;
    plan_.starts->for_each([&](std::size_t member, auto, auto) {
      if (failure == end.failures.end() || failure->member != next++) return;
      std::vector<MemberFailure>& list = failure->ended_by ? result_.ends : result_.failures;
      list.push_back(*failure++);
      list.back().member = plan_.first_member() + member;
    });
    for (const auto& [member, reason] : plan_.starts->failures())
      result_.failures.push_back({.member = plan_.first_member() + member, .message = reason});
    std::sort(result_.failures.begin(), result_.failures.end(),
              [](const MemberFailure& a, const MemberFailure& b) { return a.member < b.member; });
    if (result_.failures.empty()) return;
    const MemberFailure& first = result_.failures.front();
    result_.message = std::to_string(result_.failures.size()) + " of " +
                      std::to_string(result_.size()) + " members failed; member " +
                      std::to_string(first.member) + ": " + first.message;
  }

  const EnsemblePlan& plan_;
  const EnsembleExecution& execution_;
  Evaluator evaluator_;
  CompiledBlocks compiled_;
  EnsembleResult result_;
  std::vector<std::vector<double>> first_;  // values at the start, by quantity; not of constraints
  std::vector<std::size_t> kept_;           // records whose errors are kept for growth laws
  std::size_t passed_on_ = 0;               // records whose values are not kept any more
  bool keeps_values_ = false, is_at_end_ = false;
};

}  // namespace

std::vector<std::string> ensemble_quantities(const EnsemblePlan& plan) {
  std::vector<std::string> names{"energy_error", "energy_error_relative", "constraint"};
  for (const auto& [name, integral] : plan.run.system.mechanics().integrals)
    names.push_back(name + "_error");
  return names;
}

bool keeps_values(const EnsemblePlan& plan) {
  constexpr double most_values = 0x1p25;
  const std::size_t members =
      plan.part ? static_cast<std::size_t>(plan.part->members_of_all) : plan.starts->size();
  return static_cast<double>(members) * static_cast<double>(plan.run.records_at_end()) *
             static_cast<double>(ensemble_quantities(plan).size()) <=
         most_values;
}

const QuantityStatistics* EnsembleResult::find(const std::string& name) const {
  const auto found = std::find_if(quantities.begin(), quantities.end(),
                                  [&](const QuantityStatistics& q) { return q.name == name; });
  return found == quantities.end() ? nullptr : &*found;
}

std::vector<EnsembleResult> execute_ensembles(const std::vector<EnsemblePlan>& plans,
                                              const EnsembleExecution& execution) {
  std::vector<EnsembleResult> results;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const bool resumed = i < execution.resume_from.size();
    results.push_back(
        Execution(plans[i], execution, resumed ? execution.resume_from[i] : EnsembleResult{})());
  }
  return results;
}

}  // namespace dalembert::study
