#include "dalembert/sensitivity/tangent_bundle.hpp"

#include <algorithm>

#include "dalembert/error.hpp"
#include "dalembert/mechanics/parameters.hpp"
#include "dalembert/step/member_points.hpp"

namespace dalembert {

TangentBundle::TangentBundle(const System& system, const Method& method, const Variation& variation,
                             std::size_t tangents, double h, std::span<const double> parameters,
                             const StepOptions& options)
    : layout_(system, method, variation), size_(tangents) {
  const bool divides = method.tolerance() > 0.0;
  if (divides && variation.step)
    throw RequestError("method \"" + method.name() +
                       "\" divides its steps to keep its tolerance; choose what it is "
                       "differentiated by without the step");
  program_ = StepProgram::compile(system, tangent_method(method, variation), options);
  const std::vector<double> values = parameter_values(system, parameters);
  shown_ = empty_point(*program_);
  before_.assign(size_, shown_);
  if (!divides && size_ > 1) {
    batch_.emplace(program_, size_, h);
    batch_->set_parameters(values);
    return;
  }
  for (std::size_t i = 0; i < size_; ++i)
    singles_.push_back(std::make_unique<Single>(program_, h, values));
  points_.assign(size_, shown_);
}

void TangentBundle::set_step(double h) {
  if (batch_) batch_->set_step(h);
  for (const auto& single : singles_) single->stepper.set_step(h);
}

void TangentBundle::set_parameters(std::span<const double> parameters) {
  if (batch_) batch_->set_parameters(parameters);
  for (const auto& single : singles_) single->stepper.set_parameters(parameters);
}

void TangentBundle::get(std::size_t i, Point& point) const {
  if (batch_) return batch_->get_point(i, point);
  point = points_[i];
}

void TangentBundle::set(std::size_t i, const Point& point) {
  if (batch_) return batch_->set_point(i, point);
  points_[i] = point;
}

void TangentBundle::set_point(const Point& point) {
  Point own = point;
  own.carried.resize(layout_.end, 0.0);
  own.dense.clear();
  for (std::size_t i = 0; i < size_; ++i) set(i, own);
}

Point TangentBundle::point() const {
  get(0, shown_);
  Point point = shown_;
  point.carried.resize(layout_.own);
  return point;
}

void TangentBundle::set_tangent(std::size_t i, std::span<const double> tangent) {
  get(i, shown_);
  std::ranges::copy(tangent, shown_.carried.begin() + static_cast<std::ptrdiff_t>(layout_.own));
  set(i, shown_);
}

void TangentBundle::get_tangent(std::size_t i, std::span<double> tangent) const {
  get(i, shown_);
  std::copy_n(shown_.carried.begin() + static_cast<std::ptrdiff_t>(layout_.own), layout_.size(),
              tangent.begin());
}

StepReport TangentBundle::advance(double start, std::uint64_t first, std::uint64_t steps) {
  for (std::size_t i = 0; i < size_; ++i) get(i, before_[i]);
  const StepReport report = advance_members(start, first, steps);
  if (report.status == StepStatus::ok) return report;
  // A tangent may be refused where the others go on: all come to stand before that step.
  for (std::size_t i = 0; i < size_; ++i) set(i, before_[i]);
  static_cast<void>(advance_members(start, first, report.steps));
  return report;
}

StepReport TangentBundle::advance_members(double start, std::uint64_t first, std::uint64_t steps) {
  StepReport earliest{.steps = steps};
  const auto note = [&](const StepReport& report) {
    if (report.status != StepStatus::ok && report.steps < earliest.steps) earliest = report;
  };
  if (batch_) {
    for (const StepReport& report : batch_->advance(start, first, steps)) note(report);
    return earliest;
  }
  for (std::size_t i = 0; i < size_; ++i) {
    Single& single = *singles_[i];
    const bool divides = program_->method().tolerance() > 0.0;
    note(divides ? single.divide(points_[i], start, first, steps)
                 : single.stepper.advance(points_[i], start, first, steps));
  }
  return earliest;
}

}  // namespace dalembert
