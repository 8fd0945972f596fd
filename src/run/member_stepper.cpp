#include "member_stepper.hpp"

#include <algorithm>

namespace dalembert {

MemberStepper::MemberStepper(const std::shared_ptr<const StepProgram>& program,
                             std::span<const double> parameters, double h,
                             const BatchOptions& lanes, std::size_t size)
    : shown_(empty_point(*program)) {
  if (lanes.width != 1) {
    batch_.emplace(program, size, h, lanes);
    batch_->set_parameters(parameters);
    return;
  }
  stepper_.emplace(program, h, parameters);
  if (lanes.instruction_set) stepper_->set_kernel(number_kernel(*lanes.instruction_set));
  if (program->method().tolerance() > 0.0) divide_.emplace(*stepper_);
  points_.assign(size, shown_);
  is_left_out_.assign(size, false);
  reports_.assign(size, {});
}

void MemberStepper::set_step(double h) { batch_ ? batch_->set_step(h) : stepper_->set_step(h); }

void MemberStepper::set_time(double t) {
  if (batch_) return batch_->set_time(t);
  for (Point& point : points_) point.t = t;
}

void MemberStepper::load(const MemberPoints& points, std::span<const std::size_t> members) {
  if (batch_) return batch_->set_points(points, members);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    is_left_out_[i] = i >= members.size();
    if (!is_left_out_[i]) points.get(members[i], points_[i]);
  }
}

void MemberStepper::store(MemberPoints& points, std::span<const std::size_t> members) const {
  if (batch_) return batch_->get_points(points, members);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const double t = points.time(members[i]);
    points.set(members[i], points_[i]);
    points.set_time(members[i], t);
  }
}

void MemberStepper::copy(const MemberStepper& other) {
  if (batch_) return batch_->copy_points(*other.batch_);
  points_ = other.points_;
  is_left_out_ = other.is_left_out_;
}

void MemberStepper::leave_out(std::size_t i) {
  if (batch_) return batch_->leave_out(i);
  is_left_out_[i] = true;
}

std::span<const StepReport> MemberStepper::advance(double start, std::uint64_t first,
                                                   std::uint64_t count) {
  if (batch_) return batch_->advance(start, first, count);
  std::ranges::fill(reports_, StepReport{});
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (is_left_out_[i]) continue;
    reports_[i] = divide_ ? (*divide_)(points_[i], start, first, count)
                          : stepper_->advance(points_[i], start, first, count);
  }
  return reports_;
}

void MemberStepper::set_point(std::size_t i, const Point& point) {
  if (batch_) return batch_->set_point(i, point);
  points_[i] = point;
  is_left_out_[i] = false;
}

const Point& MemberStepper::point(std::size_t i) const {
  if (!batch_) return points_[i];
  batch_->get_point(i, shown_);
  return shown_;
}

}  // namespace dalembert
