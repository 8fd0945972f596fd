#include "dalembert/sensitivity/volume.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/state_function.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/run/ready_run.hpp"
#include "dalembert/sensitivity/differentiable.hpp"
#include "dalembert/sensitivity/start_tangent.hpp"
#include "dalembert/sensitivity/tangent_bundle.hpp"
#include "sensitivity/tangent_set.hpp"

namespace dalembert {
namespace {

/// Steps of the method whose volume is followed, so many to a step of the samples' grid.
struct VolumeGrid {
  double step;               ///< of the method
  std::uint64_t steps;       ///< in all
  std::uint64_t per_sample;  ///< from one sample to the next
};

VolumeGrid volume_grid(const VolumeOptions& options, std::uint64_t divided_by) {
  const std::uint64_t steps = asked_steps(options.step, options.until, 0).whole;
  const std::uint64_t per_sample =
      std::max<std::uint64_t>(1, steps / std::max<std::size_t>(1, options.samples));
  return {options.step / static_cast<double>(divided_by), steps * divided_by,
          per_sample * divided_by};
}

/// Measures volumes of the constraint set at a state by tangents of it: by their displacements
/// (in the body frame on groups), by how velocities change beyond what a displacement makes of
/// them, both in the metric of the mass, and by carried multipliers in that of the accelerations
/// that they make. Which velocity a displacement is said to make does not matter to a volume. In
/// skew-gradient form the metric is that of the stored numbers.
class VolumeElement {
 public:
  VolumeElement(const System& system, const Method& method, std::span<const double> parameters,
                bool with_multipliers)
      : layout_(system, method, {}),
        along_(system, method, {}, parameters),
        dof_(system.dof()),
        velocities_(layout_.lambda - layout_.v),
        multipliers_(with_multipliers ? layout_.carried - layout_.lambda : 0),
        metric_(metric_of(system, parameters, with_multipliers)) {}

  /// Makes the tangents orthonormal at a state; the logarithm of the volume that they spanned.
  double make_orthonormal(TangentSet& tangents, const Point& at) {
    const auto found = metric_(at.t, at.q, at.v);
    entries_.assign(found.begin(), found.end());
    std::vector<std::vector<double>> made;
    double logarithm = 0.0;
    for (std::size_t i = 0; i < tangents.count(); ++i) {
      made.push_back(coordinates(tangents[i], at));
      for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t j = 0; j < i; ++j) {
          const double common = product(made[j], made[i]);
          subtract(common, made[j], made[i]);
          subtract(common, tangents[j], tangents[i]);
        }
      }
      const double length = std::sqrt(product(made[i], made[i]));
      for (double& entry : made[i]) entry /= length;
      for (double& entry : tangents[i]) entry /= length;
      logarithm += numeric::log(length);
    }
    return logarithm;
  }

 private:
  /// M, then A M^-1 A^T; ones in skew-gradient form.
  static StateFunction<double> metric_of(const System& system, std::span<const double> parameters,
                                         bool with_multipliers) {
    const Symbols s = system.symbols();
    if (system.is_skew_gradient())
      return {system, s, Matrix::identity(system.dof()).entries(), parameters};
    Vector entries = system.mass(s.q, s.v, s.t).entries();
    if (with_multipliers) {
      const Matrix reactions = system.multiplier_directions(s.q, s.v, s.t);
      entries =
          concatenate({entries, (system.constraint_matrix(s.q, s.v, s.t) * reactions).entries()});
    }
    return {system, s, entries, parameters};
  }

  std::vector<double> coordinates(std::span<const double> tangent, const Point& at) {
    const std::size_t q = layout_.v - layout_.q;
    std::vector<double> direction(along_.direction_size(), 0.0);
    const auto moved = along_.displacement(at.t, at.q, at.v, tangent.first(q));
    std::ranges::copy(moved, direction.begin());
    std::vector<double> result(direction.begin(),
                               direction.begin() + static_cast<std::ptrdiff_t>(dof_));
    const auto carried = along_(at.t, at.q, at.v, direction);
    for (std::size_t k = 0; k < velocities_; ++k) result.push_back(tangent[q + k] - carried[q + k]);
    for (std::size_t k = 0; k < multipliers_; ++k) result.push_back(tangent[q + velocities_ + k]);
    return result;
  }

  double product(const std::vector<double>& a, const std::vector<double>& b) const {
    const auto form = [&](std::size_t first, std::size_t entry, std::size_t size) {
      double sum = 0.0;
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j < size; ++j)
          sum += a[first + i] * entries_[entry + i * size + j] * b[first + j];
      return sum;
    };
    return form(0, 0, dof_) + form(dof_, 0, velocities_) +
           form(dof_ + velocities_, dof_ * dof_, multipliers_);
  }

  static void subtract(double factor, std::span<const double> what, std::span<double> from) {
    for (std::size_t k = 0; k < from.size(); ++k) from[k] -= factor * what[k];
  }

  VariationLayout layout_;
  StartTangent<double> along_;
  std::size_t dof_, velocities_, multipliers_;
  StateFunction<double> metric_;
  std::vector<double> entries_;
};

/// Whether q and v after a step depend on what the method carries beside them and multipliers.
bool feels_what_it_carries(const ReadyRun& run, const std::shared_ptr<const StepProgram>& program,
                           double step, const Point& point) {
  const System& system = program->system();
  const VariationLayout layout(system, run.method, {});
  const std::size_t carried = layout.parameters - layout.carried;
  if (carried == 0) return false;
  TangentBundle bundle(system, run.method, {}, carried, step, run.parameters);
  bundle.set_point(point);
  std::vector<double> tangent(layout.size(), 0.0);
  for (std::size_t i = 0; i < carried; ++i) {
    std::ranges::fill(tangent, 0.0);
    tangent[layout.carried - layout.q + i] = 1.0;
    bundle.set_tangent(i, tangent);
  }
  constexpr double least = 1e-10;  // of tangents of length one
  if (bundle.advance(0.0, 0, 1).status != StepStatus::ok) return false;  // the run says so
  for (std::size_t i = 0; i < carried; ++i) {
    bundle.get_tangent(i, tangent);
    for (std::size_t k = 0; k < layout.lambda - layout.q; ++k)
      if (std::fabs(tangent[k]) > least) return true;
  }
  return false;
}

VolumeHistory follow(const Problem& problem, const Method& method, const StartChoice& start,
                     const VolumeOptions& options, const VolumeGrid& grid) {
  refuse_acting_events(problem);
  const System& system = problem.system;
  ReadyRun run(problem, method, start, options.parameters, grid.step);
  const auto program = StepProgram::compile(system, run.method);
  Point point = first_point(Stepper(program, grid.step, run.parameters), run.evaluator, run.start);

  if (feels_what_it_carries(run, program, grid.step, point))
    throw RequestError("method \"" + run.method.name() + "\" carries \"" +
                       run.method.carried_names(system).front() +
                       "\" from step to step, and q and v feel it on system \"" + system.name() +
                       "\", so that its steps are no maps of the constraint set");
  VolumeHistory result;
  result.with_multiplier = run.method.facts().carries_multiplier;
  TangentSet tangents(system, run.method, run.parameters, result.with_multiplier);
  tangents.span_set(point);
  VolumeElement element(system, run.method, run.parameters, result.with_multiplier);
  element.make_orthonormal(tangents, point);
  const std::size_t count = tangents.count();
  result.dimension = count;
  TangentBundle bundle(system, run.method, {}, count, grid.step, run.parameters);
  bundle.set_point(point);
  for (std::size_t i = 0; i < count; ++i) bundle.set_tangent(i, tangents[i]);
  double sum = 0.0;
  result.t.push_back(0.0);
  result.log_volume.push_back(0.0);
  while (result.steps < grid.steps && result.ok()) {
    const StepReport report = bundle.advance(0.0, result.steps, 1);
    if (report.status != StepStatus::ok) {
      result.message = failure_text(*program, report, result.steps, bundle.point().t);
      result.status = VolumeHistory::Status::failed;
      break;
    }
    ++result.steps;
    if (options.steps_done != nullptr) ++*options.steps_done;
    if (options.cancelled != nullptr && *options.cancelled)
      result.status = VolumeHistory::Status::stopped;
    point = bundle.point();
    for (std::size_t i = 0; i < count; ++i) {
      bundle.get_tangent(i, tangents[i]);
      tangents.bring_back(i, point);
    }
    sum += element.make_orthonormal(tangents, point);
    for (std::size_t i = 0; i < count; ++i) bundle.set_tangent(i, tangents[i]);
    if (!std::isfinite(sum)) {
      result.message = "at t = " + to_string(point.t) + " a step of \"" + run.method.name() +
                       "\" on \"" + system.name() + "\" leaves no volume of the constraint set";
      result.status = VolumeHistory::Status::failed;
      break;
    }
    if (result.steps % grid.per_sample == 0) {
      result.t.push_back(grid.step * static_cast<double>(result.steps));
      result.log_volume.push_back(sum);
    }
  }
  return result;
}

/// A slope that is likely, but not surely there, leaves it open whether there is none.
DriftVerdict judged(const Drift& drift, double round_off) {
  const DriftVerdict verdict =
      judge_drift(drift, numeric::larger(drift.oscillation, round_off), round_off);
  const double likely = numeric::larger(drift.slope.low, -drift.slope.high) * drift.duration;
  return verdict == DriftVerdict::free && likely > round_off ? DriftVerdict::undecided : verdict;
}

/// Whether a difference is known to be small beside what it is a difference of, or to be round-off.
bool is_small_beside(const Drift& difference, const Drift& whole, double round_off) {
  constexpr double small = 0.1;
  const double most = numeric::larger(difference.slope.high, -difference.slope.low);
  return most * difference.duration <= round_off || most <= small * std::fabs(whole.slope.value);
}

}  // namespace

double volume_round_off(const VolumeHistory& history) {
  constexpr double in_a_step = 1e-14;
  return in_a_step * static_cast<double>(history.steps);
}

std::optional<std::string> volume_misfit(const Method& method, const System& system) {
  if (method.facts().maps_constraint_set || system.constraint_count() == 0) return std::nullopt;
  return "method \"" + method.name() +
         "\" leaves the constraints, so that its steps are no maps of the constraint set";
}

VolumeHistory volume_along(const Problem& problem, const Method& method, const StartChoice& start,
                           const VolumeOptions& options) {
  if (const auto reason = volume_misfit(method, problem.system)) throw RequestError(*reason);
  return follow(problem, method, start, options, volume_grid(options, 1));
}

VolumeHistory volume_along_motion(const Problem& problem, const StartChoice& start,
                                  const VolumeOptions& options) {
  Gauss motion{.stages = 6, .projection = Projection::velocity};
  // There may be nothing to bring back.
  if (Method(motion).misfit(problem.system)) motion.projection = Projection::none;
  return follow(problem, Method(motion), start, options, volume_grid(options, 2));
}

VolumeJudgement judge_volume(const VolumeHistory& method, const VolumeHistory& motion) {
  constexpr std::size_t least_samples = 12;
  if (!method.ok() || !motion.ok() || method.t.size() != motion.t.size() ||
      method.t.size() < least_samples)
    throw RequestError("a volume is judged by two whole histories with " +
                       std::to_string(least_samples) +
                       " samples or more at the same times; let it run longer");
  std::vector<double> difference;
  for (std::size_t k = 0; k < method.t.size(); ++k)
    difference.push_back(method.log_volume[k] - motion.log_volume[k]);
  VolumeJudgement judgement{.of_motion = fit_drift(motion.t, motion.log_volume),
                            .difference = fit_drift(method.t, difference)};
  const double round_off = volume_round_off(method) + volume_round_off(motion);
  judgement.verdict = judged(judgement.difference, round_off);
  const auto [least, most] = std::ranges::minmax(method.log_volume);
  judgement.every_step = most - least <= volume_round_off(method);
  judgement.motion_keeps = judged(judgement.of_motion, round_off) == DriftVerdict::free;
  if (!judgement.motion_keeps && judgement.verdict == DriftVerdict::free &&
      !is_small_beside(judgement.difference, judgement.of_motion, round_off))
    judgement.verdict = DriftVerdict::undecided;
  return judgement;
}

}  // namespace dalembert
