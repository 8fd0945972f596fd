#include "step_expansion.hpp"

#include <algorithm>

#include "dalembert/run/integrate.hpp"

namespace dalembert {

using Eigen::VectorXd;

namespace {

/// States lie where Newton's method puts them: angles are not wrapped.
StepOptions expanded_steps() { return {.wrap_angles = false}; }

}  // namespace

StepExpansion::StepExpansion(const System& system, const Method& method,
                             std::vector<std::size_t> controls, double h,
                             std::vector<double> parameters)
    : controls_(std::move(controls)),
      parameters_(std::move(parameters)),
      adjoint_(adjoint_method(method, {.parameters = controls_})),
      stepper_(StepProgram::compile(system, method, expanded_steps()), h, parameters_),
      layout_(system, method, {.parameters = controls_}),
      wide_(system, adjoint_, {.parameters = controls_}),
      state_size_(system.storage_count() + system.velocity_count() +
                  stepper_.program().lambda_count() + layout_.own),
      bundle_(system, adjoint_, {.parameters = controls_}, state_size_ + controls_.size(), h,
              parameters_, expanded_steps()) {}

void StepExpansion::set_step(double h) {
  stepper_.set_step(h);
  bundle_.set_step(h);
}

VectorXd StepExpansion::state_of(const Point& point) const {
  VectorXd x(static_cast<Eigen::Index>(state_size_));
  double* next = x.data();
  for (const auto* part : {&point.q, &point.v, &point.lambda})
    next = std::ranges::copy(*part, next).out;
  std::copy_n(point.carried.begin(), layout_.own, next);
  return x;
}

Point StepExpansion::point_of(std::size_t k, const VectorXd& x) const {
  const StepProgram& steps = program();
  const std::span<const double> values(x.data(), state_size_);
  const std::size_t n = steps.storage_count(), m = steps.velocity_count();
  Point point = stepper_.make_point(values.first(n), values.subspan(n, m));
  point.t = static_cast<double>(k) * step_size();
  std::ranges::copy(values.subspan(n + m, point.lambda.size()), point.lambda.begin());
  std::ranges::copy(values.last(layout_.own), point.carried.begin());
  return point;
}

const std::vector<double>& StepExpansion::with(const VectorXd& controls) {
  for (std::size_t j = 0; j < controls_.size(); ++j)
    parameters_[controls_[j]] = controls[static_cast<Eigen::Index>(j)];
  return parameters_;
}

bool StepExpansion::note(const StepReport& report, std::size_t k) {
  if (report.status == StepStatus::ok) return true;
  refusal_ = failure_text(program(), report, k, static_cast<double>(k) * step_size());
  return false;
}

std::optional<VectorXd> StepExpansion::after(std::size_t k, const VectorXd& x,
                                             const VectorXd& controls) {
  stepper_.set_parameters(with(controls));
  Point point = point_of(k, x);
  if (!note(stepper_.advance(point, 0.0, k, 1), k)) return std::nullopt;
  return state_of(point);
}

std::size_t StepExpansion::place_in_tangent(std::size_t i) const {
  const std::size_t before_carried = state_size_ - layout_.own;
  if (i < before_carried) return i;
  if (i < state_size_) return wide_.carried - wide_.q + (i - before_carried);
  return wide_.parameters - wide_.q + (i - state_size_);
}

bool StepExpansion::expand(std::size_t k, const VectorXd& x, const VectorXd& controls,
                           const VectorXd& covector, ExpandedStep& result) {
  bundle_.set_parameters(with(controls));
  Point point = point_of(k, x);
  // The covector, in the places of a tangent of the method.
  const std::size_t before_carried = state_size_ - layout_.own;
  point.carried.resize(layout_.end, 0.0);
  const auto adjoint = point.carried.begin() + static_cast<std::ptrdiff_t>(layout_.own);
  std::copy_n(covector.data(), before_carried, adjoint);
  std::copy_n(covector.data() + before_carried, layout_.own,
              adjoint + static_cast<std::ptrdiff_t>(layout_.carried - layout_.q));
  bundle_.set_point(point);
  const std::size_t count = state_size_ + controls_.size();
  std::vector<double> tangent(wide_.size());
  for (std::size_t j = 0; j < count; ++j) {
    std::ranges::fill(tangent, 0.0);
    tangent[place_in_tangent(j)] = 1.0;
    bundle_.set_tangent(j, tangent);
  }
  if (!note(bundle_.advance(0.0, k, 1), k)) return false;
  const auto rows = static_cast<Eigen::Index>(state_size_),
             columns = static_cast<Eigen::Index>(count);
  result.after = state_of(bundle_.point());
  result.slopes.resize(rows, columns);
  result.curvature.resize(columns, columns);
  // The tangent of the adjoint has the order of the adjoint, which is that of a tangent of the
  // method: its multipliers stand there even where the method has none of its own.
  const std::size_t adjoint_tangent = wide_.carried - wide_.q + layout_.own;
  const auto place_in_adjoint = [&](std::size_t i) {
    if (i < before_carried) return adjoint_tangent + i;
    if (i < state_size_)
      return adjoint_tangent + layout_.carried - layout_.q + (i - before_carried);
    return adjoint_tangent + layout_.parameters - layout_.q + (i - state_size_);
  };
  for (std::size_t j = 0; j < count; ++j) {
    bundle_.get_tangent(j, tangent);
    const auto column = static_cast<Eigen::Index>(j);
    for (std::size_t i = 0; i < state_size_; ++i)
      result.slopes(static_cast<Eigen::Index>(i), column) = tangent[place_in_tangent(i)];
    for (std::size_t i = 0; i < count; ++i)
      result.curvature(static_cast<Eigen::Index>(i), column) = tangent[place_in_adjoint(i)];
  }
  // Symmetric up to round-off.
  result.curvature = (0.5 * (result.curvature + result.curvature.transpose())).eval();
  return result.slopes.allFinite() && result.curvature.allFinite();
}

}  // namespace dalembert
