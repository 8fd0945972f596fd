#include "dalembert/run/adaptive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dalembert/numeric/elementary.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

AdaptiveAdvance::AdaptiveAdvance(Stepper& stepper)
    : stepper_(stepper),
      tolerance_(stepper.tolerance()),
      exponent_(1.0 / stepper.program().method().facts().order) {}

double AdaptiveAdvance::scaled_error(const Point& before, const Point& after) const {
  double size = 1.0, error = 0.0;
  for (const double entry : after.error_estimate)
    error = std::fabs(entry) <= error ? error : std::fabs(entry);
  if (stepper_.program().method().scales_error()) return error;
  for (const double entry : before.q) size = numeric::larger(size, 1.0 + std::fabs(entry));
  for (const double entry : before.v) size = numeric::larger(size, 1.0 + std::fabs(entry));
  return error / size;
}

/// By which the next substep is longer. Of functions with the same bits everywhere: the substeps
/// are where they are on every machine.
double AdaptiveAdvance::growth(double error) const {
  const double within = std::clamp(error, 1e-10, 1e10);
  return std::clamp(0.9 * numeric::exp(-exponent_ * numeric::log(within)), 0.2, 5.0);
}

/// A step that needs more substeps has a tolerance that numbers of this length do not reach, or an
/// end that is out of reach.
constexpr std::uint64_t most_substeps = 1'000'000;

/// Substeps from one time to another; the state is left at the last accepted one.
bool AdaptiveAdvance::cross(Point& point, double from, double to, StepReport& report) {
  double now = from;
  std::uint64_t tried = 0;
  const double least = 8.0 * std::numeric_limits<double>::epsilon() *
                       std::max({std::fabs(from), std::fabs(to), std::fabs(to - from)});
  while (std::fabs(to - now) > least) {
    const double rest = to - now;
    const bool last = std::fabs(substep_) >= 0.999 * std::fabs(rest);
    const double substep = last ? rest : substep_;
    trial_ = point;
    trial_.t = now;
    stepper_.set_step(substep);
    const StepReport trial = stepper_.step(trial_);
    if (tried++ > 0) ++report.iterations;
    const double error = trial.status == StepStatus::ok ? scaled_error(point, trial_) / tolerance_
                                                        : std::numeric_limits<double>::infinity();
    const double factor = growth(error);
    if (error <= 1.0 && tried <= most_substeps) {
      std::swap(point, trial_);
      now = last ? to : now + substep;
      // The last substep was cut to reach the node and says little about the next one.
      if (!last || factor < 1.0) substep_ = substep * factor;
      continue;
    }
    ++rejected_;
    substep_ = substep * (std::isfinite(error) ? factor : 0.2);
    if (std::fabs(substep_) <= least || tried > most_substeps) {
      report.status = trial.status == StepStatus::ok ? StepStatus::not_converged : trial.status;
      report.residual = std::isfinite(error) ? error * tolerance_ : trial.residual;
      return false;
    }
  }
  return true;
}

StepReport AdaptiveAdvance::operator()(Point& point, double start, std::uint64_t first,
                                       std::uint64_t steps) {
  const double h = stepper_.step_size();
  const StepReport report = advance(point, start, h, first, steps);
  stepper_.set_step(h);
  return report;
}

StepReport AdaptiveAdvance::advance(Point& point, double start, double h, std::uint64_t first,
                                    std::uint64_t steps) {
  StepReport report;
  for (std::uint64_t k = 0; k < steps; ++k) {
    const double from = start + static_cast<double>(first + k) * h,
                 to = start + static_cast<double>(first + k + 1) * h;
    before_ = point;
    // Nothing is remembered between nodes, so that a run can be resumed at any of them.
    substep_ = h;
    if (!cross(point, from, to, report)) {
      point = before_;
      point.t = from;
      return report;
    }
    point.t = to;
    ++report.steps;
  }
  return report;
}

}  // namespace dalembert
