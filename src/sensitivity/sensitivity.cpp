#include "dalembert/sensitivity/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "arguments.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/run/ready_run.hpp"
#include "dalembert/sensitivity/differentiable.hpp"
#include "dalembert/sensitivity/start_tangent.hpp"
#include "dalembert/sensitivity/tangent_bundle.hpp"
#include "output_slopes.hpp"

namespace dalembert {
namespace {

constexpr std::uint64_t steps_between_looks = 1024;  // at the request to stop

/// A run that is differentiated, up to where ways part.
class DifferentiatedRun {
 public:
  DifferentiatedRun(const Problem& problem, const Method& method, const StartChoice& start,
                    const SensitivityOptions& options)
      : options_(options),
        count_(asked_steps(options.step, options.until, options.steps)),
        run_(problem, method, start, options.parameters, options.step),
        arguments_(argument_directions(run_.system, options.by)),
        program_(
            StepProgram::compile(run_.system, run_.method, {.compensated = options.compensated})),
        stepper_(program_, options.step, run_.parameters),
        layout_(run_.system, run_.method, arguments_.variation),
        outputs_(run_.system, run_.method, arguments_.variation,
                 options.of.empty() ? state_quantities(run_.system) : options.of,
                 program_->lambda_count() > 0, run_.parameters),
        start_tangent_(run_.system, run_.method, arguments_.variation, run_.parameters) {
    refuse_acting_events(problem);
    check_last_step(*program_, count_, options.step, options.until);
    if (count_.last > 0.0 && arguments_.variation.step)
      throw RequestError("until is " + to_string(options.until) + ", no multiple of the step " +
                         to_string(options.step) +
                         ", and derivatives by the step are those of equal steps; choose a "
                         "multiple");
    start_ = first_point(stepper_, run_.evaluator, run_.start);
    has_given_multiplier_ = run_.start.lambda && !start_.lambda.empty();
    result_.of = outputs_.names();
    result_.by = arguments_.names;
  }

  Sensitivity operator()() {
    const std::size_t by = arguments_.names.size(), of = outputs_.size();
    const bool divides = run_.method.tolerance() > 0.0;
    bool backwards = options_.mode == SensitivityMode::adjoint;
    if (options_.mode == SensitivityMode::automatic)
      backwards = !has_records() && !divides && by > 4 * of + 8 && adjoints_pay(by, of);
    if (backwards && has_records())
      throw RequestError(
          "adjoints find derivatives of the end alone; ask for no records on the "
          "way, or for tangents");
    if (backwards && divides)
      throw RequestError("method \"" + run_.method.name() +
                         "\" divides its steps to keep its tolerance; ask for tangents");
    if (backwards) adjoint_program();
    result_.mode = backwards ? SensitivityMode::adjoint : SensitivityMode::tangent;
    if (!backwards) run_tangents();
    if (backwards && !run_backwards()) {
      // Nothing is known of the end.
      result_.t.resize(1);
      result_.values.resize(outputs_.size());
    }
    return std::move(result_);
  }

 private:
  /// Where sweeps find the stages of a step, but not all that its adjoint needs, the step is solved
  /// by Newton's iteration backwards: some fifty times the work, or more than the limits allow.
  bool adjoints_pay(std::size_t by, std::size_t of) {
    try {
      const bool is_slow =
          !program_->tape().stages.empty() && adjoint_program()->tape().stages.empty();
      return !is_slow || by > 50 * of;
    } catch (const RequestError&) {
      return false;
    }
  }
  const std::shared_ptr<const StepProgram>& adjoint_program() {
    if (adjoint_ == nullptr)
      adjoint_ =
          StepProgram::compile(run_.system, adjoint_method(run_.method, arguments_.variation),
                               {.compensated = options_.compensated});
    return adjoint_;
  }

  std::vector<double> start_tangent(std::size_t j) {
    const std::vector<double> direction = arguments_.direction(j);
    const auto found = start_tangent_(start_.t, start_.q, start_.v, direction);
    std::vector<double> tangent(found.begin(), found.end());
    if (has_given_multiplier_)
      std::fill_n(tangent.begin() + multiplier_place(), multipliers(), 0.0);
    return tangent;
  }
  std::ptrdiff_t multiplier_place() const {
    return static_cast<std::ptrdiff_t>(layout_.lambda - layout_.q);
  }
  std::size_t multipliers() const { return layout_.carried - layout_.lambda; }

  void add_record(const Point& point) {
    outputs_.evaluate(point);
    result_.t.push_back(point.t);
    for (std::size_t i = 0; i < outputs_.size(); ++i) result_.values.push_back(outputs_.value(i));
  }

  void record(const TangentBundle& bundle) {
    add_record(bundle.point());
    std::vector<double> tangent(layout_.size());
    const std::size_t by = arguments_.names.size(), begin = result_.derivatives.size();
    result_.derivatives.resize(begin + outputs_.size() * by);
    for (std::size_t j = 0; j < by; ++j) {
      bundle.get_tangent(j, tangent);
      for (std::size_t i = 0; i < outputs_.size(); ++i) {
        double sum = 0.0;
        const std::span<const double> slopes = outputs_.slopes(i);
        for (std::size_t k = 0; k < tangent.size(); ++k)
          if (slopes[k] != 0.0) sum += slopes[k] * tangent[k];
        result_.derivatives[begin + i * by + j] = sum;
      }
    }
  }

  /// Whether steps went well that led to a state; else what is to be said about the last of them.
  bool note(const StepReport& report, std::uint64_t before, const Point& at) {
    result_.steps += report.steps;
    if (options_.steps_done != nullptr) *options_.steps_done += report.steps;
    if (report.status == StepStatus::ok) return true;
    result_.status = Sensitivity::Status::failed;
    result_.message = failure_text(*program_, report, before + report.steps, at.t);
    return false;
  }
  /// The same of a tangent or an adjoint at a state: the step may be refused for its sake alone.
  bool note_derivative(const StepReport& report, std::uint64_t before, const Point& at) {
    if (note(report, before, at)) return true;
    Point alone = at;
    if (report.status != StepStatus::not_finite || stepper_.step(alone).status != StepStatus::ok)
      return false;
    result_.message = "in step " + std::to_string(before + report.steps + 1) +
                      " at t = " + to_string(at.t) + " derivatives of method \"" +
                      run_.method.name() + "\" on system \"" + run_.system.name() +
                      "\" are no finite numbers any more; the motion itself goes on";
    return false;
  }
  bool is_cancelled() {
    if (options_.cancelled == nullptr || !*options_.cancelled) return false;
    result_.status = Sensitivity::Status::stopped;
    return true;
  }

  bool has_records() const { return options_.record_every != 0 || !options_.record_after.empty(); }
  bool is_record(std::uint64_t step) const {
    return options_.record_after.empty()
               ? options_.record_every != 0 && step % options_.record_every == 0
               : std::ranges::binary_search(options_.record_after, step);
  }
  /// The step after `done` whose state is recorded, or the last.
  std::uint64_t next_record(std::uint64_t done) const {
    const auto after = std::ranges::upper_bound(options_.record_after, done);
    std::uint64_t next = count_.whole;
    if (after != options_.record_after.end()) {
      next = *after;
    } else if (options_.record_after.empty() && options_.record_every != 0) {
      next = (done / options_.record_every + 1) * options_.record_every;
    }
    return std::min<std::uint64_t>(next, count_.whole);
  }

  void run_tangents() {
    TangentBundle bundle(run_.system, run_.method, arguments_.variation,
                         std::max<std::size_t>(1, arguments_.names.size()), options_.step,
                         run_.parameters, {.compensated = options_.compensated});
    bundle.set_point(start_);
    for (std::size_t j = 0; j < arguments_.names.size(); ++j)
      bundle.set_tangent(j, start_tangent(j));
    record(bundle);
    std::uint64_t done = 0, recorded = 0;
    bool goes_on = true;
    while (goes_on && done < count_.whole) {
      const std::uint64_t next = next_record(done);
      const std::uint64_t steps = std::min<std::uint64_t>(next - done, steps_between_looks);
      const StepReport report = bundle.advance(0.0, done, steps);
      goes_on = note_derivative(report, done, bundle.point()) && !is_cancelled();
      done += report.steps;
      const bool is_end = done == count_.whole && count_.last == 0.0;
      if ((done == next && is_record(done)) || is_end || !goes_on) {
        if (done > recorded) record(bundle);
        recorded = done;
      }
    }
    if (goes_on && count_.last > 0.0) {
      Point before = bundle.point();
      bundle.set_step(options_.until - before.t);
      const StepReport report = bundle.advance(before.t, 0, 1);
      if (note_derivative(report, done, before) || recorded < done) record(bundle);
      if (report.status == StepStatus::ok) result_.t.back() = options_.until;
    }
    result_.point = bundle.point();
  }

  /// The states of the steps from `first` on, which begins at `point`; less where a step is
  /// refused.
  std::vector<Point> nodes(Point point, std::uint64_t first, std::uint64_t steps) {
    std::vector<Point> result{point};
    for (std::uint64_t k = first; k < first + steps; ++k) {
      if (!note(stepper_.advance(point, 0.0, k, 1), k, point)) return result;
      result.push_back(point);
    }
    return result;
  }

  /// States are kept every so many steps, and those between found again: memory for the root of
  /// their number, and each step is taken twice.
  bool run_backwards() {
    const auto stride = static_cast<std::uint64_t>(
        numeric::larger(64.0, std::ceil(std::sqrt(static_cast<double>(count_.whole)))));
    add_record(start_);
    result_.derivatives.assign(outputs_.size() * arguments_.names.size(), 0.0);
    set_start_derivatives();
    std::vector<Point> kept;
    Point point = start_;
    for (std::uint64_t k = 0; k < count_.whole; k += stride) {
      kept.push_back(point);
      const std::uint64_t steps = std::min<std::uint64_t>(stride, count_.whole - k);
      if (is_cancelled() || !note(stepper_.advance(point, 0.0, k, steps), k, point)) {
        result_.point = point;
        return false;
      }
    }
    const Point last_node = point;
    if (count_.last > 0.0) {
      stepper_.set_step(options_.until - point.t);
      const bool is_taken = note(stepper_.step(point), count_.whole, point);
      stepper_.set_step(options_.step);
      result_.point = point;
      if (!is_taken) return false;
      point.t = options_.until;
    }
    result_.point = point;
    const std::uint64_t taken = result_.steps;
    begin_adjoints(point);
    if (count_.last > 0.0 && !step_back(last_node, last_node.t, 0, options_.until - last_node.t))
      return false;
    while (!kept.empty() && !is_cancelled()) {
      const std::uint64_t first = (kept.size() - 1) * stride;
      const std::uint64_t steps = std::min<std::uint64_t>(stride, count_.whole - first);
      const std::vector<Point> states = nodes(kept.back(), first, steps - 1);
      for (std::uint64_t k = steps; k-- > 0;)
        if (!step_back(states.at(k), 0.0, first + k, options_.step)) return false;
      kept.pop_back();
    }
    result_.steps = taken;
    if (result_.status != Sensitivity::Status::ok) return false;
    end_adjoints();
    return true;
  }

  /// At the start quantities change with the start alone.
  void set_start_derivatives() {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      std::vector<double> slopes(outputs_.slopes(i).begin(), outputs_.slopes(i).end());
      set_derivatives(0, i, slopes);
    }
  }
  void set_derivatives(std::size_t record, std::size_t i, std::vector<double>& adjoint) {
    if (has_given_multiplier_)
      std::fill_n(adjoint.begin() + multiplier_place(), multipliers(), 0.0);
    const auto by = start_tangent_.transposed(start_.t, start_.q, start_.v, adjoint);
    const std::size_t count = arguments_.names.size();
    for (std::size_t j = 0; j < count; ++j)
      result_.derivatives[(record * outputs_.size() + i) * count + j] = by[arguments_.places[j]];
  }

  void begin_adjoints(const Point& end) {
    backwards_.emplace(adjoint_program(), options_.step, run_.parameters);
    wide_ = end;
    wide_.carried.resize(layout_.end, 0.0);
    wide_.dense.clear();
    add_record(end);
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      adjoints_.emplace_back(outputs_.slopes(i).begin(), outputs_.slopes(i).end());
  }

  bool step_back(const Point& state, double start, std::uint64_t k, double h) {
    if (backwards_->step_size() != h) backwards_->set_step(h);
    for (std::vector<double>& adjoint : adjoints_) {
      Point& at = wide_;
      at.t = state.t;
      for (const auto part : {&Point::q, &Point::v, &Point::lambda, &Point::error_estimate,
                              &Point::turns, &Point::q_carry, &Point::v_carry})
        std::ranges::copy(state.*part, (at.*part).begin());
      at.history = state.history;
      const auto own = at.carried.begin() + static_cast<std::ptrdiff_t>(layout_.own);
      std::ranges::copy(state.carried, at.carried.begin());
      std::ranges::copy(adjoint, own);
      const StepReport report = backwards_->advance(at, start, k, 1);
      if (report.status != StepStatus::ok) {
        // Towards the start: what it leads to is known.
        static_cast<void>(note_derivative(report, k, state));
        return false;
      }
      std::copy(own, at.carried.end(), adjoint.begin());
    }
    return true;
  }

  void end_adjoints() {
    result_.derivatives.resize(2 * outputs_.size() * arguments_.names.size());
    for (std::size_t i = 0; i < outputs_.size(); ++i) set_derivatives(1, i, adjoints_[i]);
  }

  const SensitivityOptions& options_;
  StepCount count_;
  ReadyRun run_;
  ArgumentDirections arguments_;
  std::shared_ptr<const StepProgram> program_;
  Stepper stepper_;
  VariationLayout layout_;
  OutputSlopes outputs_;
  StartTangent<double> start_tangent_;
  Point start_;
  bool has_given_multiplier_ = false;
  Sensitivity result_;
  std::shared_ptr<const StepProgram> adjoint_;
  std::optional<Stepper> backwards_;
  Point wide_;
  std::vector<std::vector<double>> adjoints_;
};

}  // namespace

Sensitivity sensitivity(const Problem& problem, const Method& method, const StartChoice& start,
                        const SensitivityOptions& options) {
  return DifferentiatedRun(problem, method, start, options)();
}

}  // namespace dalembert
