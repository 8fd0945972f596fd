#include "dalembert/study/comparison/compare_methods.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/measure/drift.hpp"
#include "dalembert/mechanics/conservation.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/problem/event/event_entry.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/run/event/event.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/run/simulate.hpp"
#include "dalembert/study/execute_runs.hpp"
#include "dalembert/study/execution/cautions.hpp"
#include "dalembert/study/method_text.hpp"

namespace dalembert::study {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t most_nodes = 16;       ///< at which the solution is compared
constexpr std::uint64_t most_records = 10000;  ///< from which drifts are fitted
constexpr double scales_followed = 64.0;       ///< of time
constexpr double followed = 0.1;               ///< an error with which nothing is followed any more
constexpr int most_halvings = 60, most_trials = 14;

/// Gauss' method of order 12: what others are compared with.
MethodChoice reference_method() {
  return {make_method(parse_method("gauss(stages=6)")).spec(), "gauss(stages=6)", {"compare"}};
}

/// 1, 2 or 5 times a power of ten, not above.
double round_number(double value) {
  const double exponent = std::floor(std::log10(value)), unit = std::pow(10.0, exponent);
  const double digit = value / unit >= 5.0 ? 5.0 : value / unit >= 2.0 ? 2.0 : 1.0;
  // A power of ten below one is not exact, its inverse is.
  return exponent < 0.0 ? digit / std::round(1.0 / unit) : digit * unit;
}

/// q and v after some steps; none where one is refused.
std::vector<double> state_after(const RunPlan& plan, double h, std::uint64_t steps) {
  Stepper stepper(plan.program, h, plan.parameters);
  Evaluator evaluator(plan.system, plan.parameters);
  Point point = start_point(stepper, evaluator, plan.q, plan.v);
  const StepReport report = stepper.advance(point, 0.0, 0, steps);
  if (report.status != StepStatus::ok) return {};
  std::vector<double> state(point.q.size());
  unwrap_positions(point, state);
  state.insert(state.end(), point.v.begin(), point.v.end());
  return state;
}

/// Relative to one plus the size; infinite where sizes differ or a number is none.
double difference(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || a.size() != b.size()) return INFINITY;
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double own = std::fabs(a[i] - b[i]) / (1.0 + std::fabs(b[i]));
    if (!std::isfinite(own)) return INFINITY;
    largest = numeric::larger(largest, own);
  }
  return largest;
}

/// The largest step from the start, of halves of the end, with which a method of order 12 is
/// accurate almost to round-off: the scale of time of the motion.
double time_scale(const RunPlan& reference, double until) {
  constexpr double almost_round_off = 1e-10;
  double h = until;
  for (int i = 0; i < most_halvings; ++i, h *= 0.5) {
    const std::vector<double> whole = state_after(reference, h, 1),
                              halves = state_after(reference, h / 2, 2);
    if (difference(whole, halves) <= almost_round_off) return h;
  }
  throw RequestError("the motion cannot be followed from its start by method gauss, with no step");
}

/// The plan with steps of another size up to another end.
RunPlan on_grid(RunPlan plan, double h, double until) {
  const StepCount count = steps_until(until, h);
  plan.step = h;
  plan.steps = count.whole;
  plan.last_step = count.last;
  plan.until = until;
  if (plan.last_step > 0.0 && plan.program->carried_count() > 0) {
    // Its data belong to steps of one size.
    plan.steps = static_cast<std::uint64_t>(std::llround(until / h));
    plan.last_step = 0.0;
  }
  return plan;
}

/// Where the solution is compared: at multiples of the largest step.
struct Horizon {
  double end = 0.0;
  std::vector<double> times = {};

  Horizon(double largest_step, double wanted) {
    const double steps = numeric::larger(1.0, std::floor(wanted / largest_step + 1e-9));
    const double stride = std::ceil(steps / static_cast<double>(most_nodes));
    for (double step = stride; step < steps + 0.5; step += stride)
      times.push_back(step * largest_step);
    end = times.back();
  }
};

/// Compares the methods of a study, which has one start and one choice of parameters.
class Comparer {
 public:
  Comparer(Study study, const ComparisonOptions& options, const PlanningWatch& watch)
      : study_(std::move(study)), options_(options), watch_(watch) {
    prepare_study();
  }

  Comparison compare() {
    const RunPlan reference = reference_plan();
    const double scale = time_scale(reference, *study_.until);
    const std::vector<double> steps = steps_to_take(scale);
    const double wanted = options_.horizon.value_or(scales_followed * scale);
    horizon_.emplace(steps.front(), numeric::smaller(wanted, *study_.until));
    result_.problem = reference.system.name();
    result_.start = reference.start;
    result_.until = *study_.until;
    follow_reference(reference, scale);
    result_.horizon = horizon_->end;
    study_.steps = {steps.front()};
    PlannedRuns planned = plan_fitting_runs(study_, watch_);
    result_.refused = std::move(planned.refused);
    find_kept(planned.plans.front());
    std::vector<std::optional<ComparedMethod>> found(planned.plans.size());
    parallel_for(options_.threads, planned.plans.size(), [&](std::size_t i, std::size_t) {
      found[i] = measured(std::move(planned.plans[i]), steps);
      if (options_.methods_done != nullptr) ++*options_.methods_done;
    });
    for (std::optional<ComparedMethod>& method : found)
      result_.methods.push_back(std::move(*method));
    return std::move(result_);
  }

 private:
  void prepare_study() {
    const auto refuse = [](const std::string& what) {
      throw RequestError("methods are compared on one motion, and the study has " + what);
    };
    if (study_.ensemble) refuse("an [ensemble]; give a start");
    if (!study_.sweep.empty()) refuse("a [sweep]; give each key one value");
    if (study_.starts.size() != 1) refuse("several starts; name one with --start");
    for (const ParameterChoice& choice : study_.parameters)
      if (choice.values.size() > 1) refuse("several values of " + choice.name + "; give one");
    // Of a tolerance there is no step.
    options_.chooses_steps = options_.chooses_steps || study_.steps.empty();
    if (!study_.until && options_.chooses_steps)
      throw RequestError("methods get steps of their own, and need an end: give until, a time");
    if (!study_.until)
      study_.until = static_cast<double>(*study_.step_count) * study_.steps.front();
    study_.step_count.reset();
    study_.tolerance.reset();
    study_.diagnostics = {};
    study_.record_times = {};
    study_.record_every.reset();
    // Runs of some methods alone would be compiled where they are long.
    if (study_.native != NativeUse::require) study_.native = NativeUse::off;
    asked_steps_ = study_.steps;
  }

  RunPlan reference_plan() const {
    Study study = study_;
    study.methods = {reference_method()};
    study.steps = {*study_.until};
    study.native = NativeUse::off;
    return plan_runs(study).front();
  }

  /// The largest first. Of chosen steps each method takes those that it can follow the motion with.
  std::vector<double> steps_to_take(double scale) const {
    std::vector<double> steps = asked_steps_;
    std::ranges::sort(steps, std::greater());
    if (options_.chooses_steps)
      steps = {round_number(numeric::smaller(4.0 * scale, *study_.until / most_nodes))};
    if (steps.size() > 1) return steps;
    const std::size_t count = options_.levels + (options_.chooses_steps ? most_trials : 0);
    for (std::size_t k = 1; k < count; ++k) steps.push_back(0.5 * steps.back());
    return steps;
  }

  /// The states at the nodes, and how well they are known. Where an event ends the motion before,
  /// or it cannot be followed, as into a collision, the nodes lie before that.
  void follow_reference(const RunPlan& plan, double scale) {
    constexpr double known_well = 1e-5;
    constexpr int most_horizons = 12;
    for (int i = 0; i < most_horizons && !is_cancelled(); ++i) {
      follow_to_horizon(plan, numeric::smaller(round_number(scale), horizon_->end) / 4.0);
      if (result_.reference_error <= known_well) break;
      const double nearer = 0.5 * horizon_->end;
      horizon_.emplace(numeric::smaller(horizon_->times.front(), nearer / most_nodes), nearer);
    }
  }

  void follow_to_horizon(const RunPlan& plan, double h) {
    constexpr double good_enough = 1e-12;
    constexpr int most_refinements = 6;
    RunPlan first = on_grid(plan, h, horizon_->end);
    first.record_times = RecordTimes::at(horizon_->times);
    check_duration(first);
    const RunResult found = executed(first);
    if (!found.ended_by.empty() && found.final.t < horizon_->end)
      horizon_.emplace(0.99 * found.final.t / most_nodes, 0.99 * found.final.t);
    std::vector<double> coarse = states(plan, h);
    for (int i = 0; i < most_refinements; ++i) {
      h *= 0.5;
      std::vector<double> fine = states(plan, h);
      result_.reference_error = difference(coarse, fine);
      coarse = std::move(fine);
      if (result_.reference_error <= good_enough || is_cancelled()) break;
    }
    reference_ = std::move(coarse);
    result_.reference = fmt::format("{} with steps of {:.6g}", plan.method.label, h);
  }

  /// A horizon that is too far is refused before the reference is followed to it.
  void check_duration(RunPlan plan) const {
    constexpr double halvings = 4.0;
    constexpr std::uint64_t looked_at = 200;
    const double steps = static_cast<double>(plan.steps);
    plan.steps = std::min<std::uint64_t>(plan.steps, looked_at);
    plan.last_step = 0.0;
    const double seconds = executed(plan).seconds_per_step * steps * halvings;
    if (!(seconds > numeric::larger(60.0, 10.0 * options_.longest))) return;
    throw RequestError(fmt::format(
        "the reference would take more than {:.0f} s up to t = {:.6g}; give a nearer horizon, or a "
        "longer time for runs (longest)",
        seconds, plan.until.value_or(horizon_->end)));
  }

  /// q and v at the nodes of the horizon, one after the other; empty where they are not reached.
  std::vector<double> states(const RunPlan& whole, double h, double* seconds_per_step = nullptr) {
    RunPlan plan = on_grid(whole, numeric::smaller(h, horizon_->end), horizon_->end);
    plan.record_times = RecordTimes::at(horizon_->times);
    const RunResult found = executed(plan);
    if (seconds_per_step != nullptr) *seconds_per_step = found.seconds_per_step;
    const std::size_t width = plan.columns.width(), rows = found.records.size() / width;
    if (found.status != RunResult::Status::ok || rows < horizon_->times.size() + 1) return {};
    std::vector<double> result;
    for (std::size_t row = 1; row <= horizon_->times.size(); ++row) {
      const auto begin = found.records.begin() + static_cast<std::ptrdiff_t>(row * width);
      result.insert(result.end(), begin + static_cast<std::ptrdiff_t>(plan.columns.q_begin()),
                    begin + static_cast<std::ptrdiff_t>(plan.columns.lambda_begin()));
    }
    return result;
  }

  RunResult executed(const RunPlan& plan) const {
    ExecutionOptions execution;
    execution.keep_records = true;
    execution.cancelled = options_.cancelled;
    return std::move(execute_runs({plan}, execution).front());
  }

  bool is_cancelled() const { return options_.cancelled != nullptr && *options_.cancelled; }

  void find_kept(const RunPlan& plan) {
    result_.has_constraints = plan.columns.lambda_count > 0;
    if (plan.has_acting_events()) return;
    const Conservation found = conservation(plan.system, plan.q, plan.v, plan.parameters);
    if (found.keeps_energy()) result_.kept.emplace_back("energy");
    for (const Conservation::Integral& integral : found.integrals)
      if (integral.kept == Conservation::Kept::yes) result_.kept.push_back(integral.name);
  }

  ComparedMethod measured(RunPlan plan, const std::vector<double>& steps) {
    ComparedMethod method{std::move(plan)};
    for (const double h : steps) {
      if (is_cancelled() || method.runs.size() == taken_levels(steps)) break;
      double seconds_per_step = 0.0;
      const double error = difference(states(method.plan, h, &seconds_per_step), reference_);
      const double seconds = seconds_per_step * *study_.until / h;
      if (seconds > options_.longest) {
        method.message =
            fmt::format("steps of {:.6g} and less are not taken: a run would last {:.0f} s", h,
                        std::ceil(seconds));
        break;
      }
      const bool follows = error <= followed || reference_.empty();
      if (options_.chooses_steps && method.runs.empty() && !follows) continue;
      method.runs.push_back(measured_run(method.plan, h));
      if (std::isfinite(error)) method.runs.back().solution_error = error;
      // Smaller steps are not more accurate than the reference, or round-off.
      const double floor = numeric::larger(result_.reference_error, 1e-13);
      if (options_.chooses_steps && error <= 10.0 * floor) break;
    }
    if (method.runs.empty() && !is_cancelled())
      method.message = fmt::format("no step from {:.6g} down follows the motion to t = {:.6g}{}{}",
                                   steps.front(), horizon_->end, method.message.empty() ? "" : "; ",
                                   method.message);
    return method;
  }

  std::size_t taken_levels(const std::vector<double>& steps) const {
    return options_.chooses_steps ? options_.levels : steps.size();
  }

  ComparedRun measured_run(const RunPlan& whole, double h) const {
    RunPlan plan = on_grid(whole, h, *study_.until);
    plan.record_times = {};
    plan.record_every = (plan.steps + most_records - 1) / most_records;
    const RunResult found = executed(plan);
    ComparedRun run{h, unknown};
    run.status = found.status;
    run.message = found.message;
    run.constraint = found.diagnostics.constraint_max;
    run.evaluations = static_cast<double>(found.evaluations());
    run.seconds = found.seconds_per_step * static_cast<double>(found.steps);
    for (const std::string& name : result_.kept) run.kept.push_back(kept(plan, found, name));
    run.cautions = run_cautions(plan, found);
    return run;
  }

  static KeptQuantity kept(const RunPlan& plan, const RunResult& found, const std::string& name) {
    KeptQuantity quantity;
    quantity.error = found.diagnostics.energy.max_error;
    for (const IntegralSummary& integral : found.diagnostics.integrals)
      if (integral.name == name) quantity.error = integral.max_error;
    const auto column = static_cast<std::size_t>(std::ranges::find(plan.columns.names, name) -
                                                 plan.columns.names.begin());
    std::vector<double> t, y;
    for (std::size_t row = 0; row < found.records.size(); row += plan.columns.width()) {
      t.push_back(found.records[row]);
      y.push_back(found.records[row + column]);
    }
    try {
      const Drift drift =
          fit_drift(t, y, {.batches = std::clamp<std::size_t>(t.size() / 4, 6, 48)});
      quantity.drift = drift.slope;
      // Less than this over the whole run is what round-off does.
      const double negligible = 1e-11 * numeric::larger(1.0, std::fabs(y.front()));
      quantity.verdict =
          judge_drift(drift, numeric::larger(drift.oscillation, negligible), negligible);
    } catch (const RequestError&) {
      // Too few records, or one that is no number: the error says so.
    }
    return quantity;
  }

  Study study_;
  ComparisonOptions options_;
  const PlanningWatch& watch_;
  std::vector<double> asked_steps_;
  std::optional<Horizon> horizon_;
  std::vector<double> reference_;
  Comparison result_;
};

}  // namespace

double KeptQuantity::largest_drift() const {
  if (!drift) return unknown;
  return numeric::larger(std::fabs(drift->low), std::fabs(drift->high));
}

Comparison compare_methods(const Study& study, const ComparisonOptions& options,
                           const PlanningWatch& watch) {
  return Comparer(study, options, watch).compare();
}

std::vector<MethodChoice> methods_to_compare(const Study& study) {
  Sizes sizes = study.starts.empty() ? Sizes{} : study.starts.front().sizes;
  for (const auto& [name, value] : study.sizes) sizes[name] = value;
  sizes = complete_sizes(study.problem, sizes);
  const System system = make_system(study.problem, sizes);
  const std::vector<Event> events = make_events(study.events, study.problem, system, sizes);
  std::vector<MethodChoice> choices;
  for (const std::string& name : fitting_methods(system)) {
    const Method method = make_method(MethodSpec{name, {}});
    const bool is_another =
        !system.traits().has_groups && (name.starts_with("lie-") || name == "chart");
    if (is_another || event_misfit(method, system, events)) continue;
    choices.push_back({method.spec(), name, {"compare"}});
  }
  return choices;
}

}  // namespace dalembert::study
