#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "dalembert/step/point.hpp"

namespace dalembert {

/// The points of many members of one program in little memory: the numbers that a step reads or
/// writes and the time, each as a column over the members.
class MemberPoints {
 public:
  /// None, and of no program.
  MemberPoints() = default;
  /// So many points, all numbers zero.
  explicit MemberPoints(std::shared_ptr<const StepProgram> program, std::size_t members = 0);

  std::size_t size() const { return t_.size(); }  ///< number of members
  bool empty() const { return t_.empty(); }       ///< true without members
  /// Program of the points; nullptr for none.
  const std::shared_ptr<const StepProgram>& program() const { return program_; }

  /// The point of a member, with the sizes of `make_point`.
  Point operator[](std::size_t member) const;
  /// Copies the point of a member into one that has these sizes, without allocating.
  void get(std::size_t member, Point& point) const;
  /// Stores the point of a member; RequestError unless the sizes are those of the program.
  void set(std::size_t member, const Point& point);
  /// Adds a member; RequestError unless the sizes are those of the program.
  void push_back(const Point& point);

  double time(std::size_t member) const { return t_[member]; }     ///< time of a member
  void set_time(std::size_t member, double t) { t_[member] = t; }  ///< time of a member

  /// Number of columns, which are in the order of `visit_state`.
  std::size_t column_count() const { return columns_.size(); }
  std::span<const double> column(std::size_t j) const { return columns_[j]; }  ///< [size()]
  std::span<double> column(std::size_t j) { return columns_[j]; }              ///< [size()]

  /// Points with the same numbers for another program of the same method and system; RequestError
  /// where the sizes of its points are others.
  MemberPoints of(std::shared_ptr<const StepProgram> program) const;

 private:
  std::shared_ptr<const StepProgram> program_;
  std::vector<double> t_;
  std::vector<std::vector<double>> columns_;
};

/// A point of zeros.
Point empty_point(const StepProgram& program);

/// The slots of the numbers of a state in the order of `visit_state`.
std::vector<std::uint32_t> state_slots(const StepProgram& program);

}  // namespace dalembert
