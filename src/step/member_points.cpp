#include "dalembert/step/member_points.hpp"

#include <utility>

namespace dalembert {

Point empty_point(const StepProgram& program) {
  const std::vector<double> q(program.storage_count(), 0.0), v(program.velocity_count(), 0.0);
  return make_point(program, q, v);
}

std::vector<std::uint32_t> state_slots(const StepProgram& program) {
  std::vector<std::uint32_t> slots;
  const Point point = empty_point(program);
  visit_state(program, point, [&](std::uint32_t slot, double) { slots.push_back(slot); });
  return slots;
}

MemberPoints::MemberPoints(std::shared_ptr<const StepProgram> program, std::size_t members)
    : program_(std::move(program)),
      t_(members, 0.0),
      columns_(state_slots(*program_).size(), std::vector<double>(members, 0.0)) {}

Point MemberPoints::operator[](std::size_t member) const {
  Point point = empty_point(*program_);
  get(member, point);
  return point;
}

void MemberPoints::get(std::size_t member, Point& point) const {
  const std::vector<double>* next = columns_.data();
  visit_state(*program_, point, [&](std::uint32_t, double& value) { value = (*next++)[member]; });
  point.t = t_[member];
}

void MemberPoints::set(std::size_t member, const Point& point) {
  check_point(*program_, point);
  std::vector<double>* next = columns_.data();
  visit_state(*program_, point, [&](std::uint32_t, double value) { (*next++)[member] = value; });
  t_[member] = point.t;
}

void MemberPoints::push_back(const Point& point) {
  check_point(*program_, point);
  for (std::vector<double>& column : columns_) column.push_back(0.0);
  t_.push_back(0.0);
  set(size() - 1, point);
}

MemberPoints MemberPoints::of(std::shared_ptr<const StepProgram> program) const {
  MemberPoints points(std::move(program), size());
  for (std::size_t i = 0; i < size(); ++i) points.set(i, (*this)[i]);
  return points;
}

}  // namespace dalembert
