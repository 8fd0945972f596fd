#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "dalembert/step/step_program.hpp"

namespace dalembert {

/// The state of one trajectory between steps, in any number type.
template <class Number = double>
struct BasicPoint {
  Number t = Number(0.0);       ///< time
  std::vector<Number> q, v;     ///< angles in q lie in [-pi, pi]
  std::vector<Number> lambda;   ///< the multipliers of a method that has its own
  std::vector<Number> carried;  ///< further numbers that the next step may need
  /// Of the step that led here: estimates of its errors, and what DenseOutput interpolates.
  std::vector<Number> error_estimate, dense;
  /// Of the steps that led here: where Newton's iterations of the next one begin. Zero where
  /// nothing is known; of another size, where the point comes from another program, it is
  /// forgotten. It decides how many passes they need, and the round-off of what they find.
  std::vector<Number> history;
  std::vector<Number> turns;  ///< whole turns of each coordinate, to be added as 2 pi * turns
  std::vector<Number> q_carry, v_carry;  ///< carries of compensated sums
};
/// State of one trajectory in double.
using Point = BasicPoint<double>;

/// A point at the given position and velocity, with room for what the program carries (zero).
template <class Number = double>
BasicPoint<Number> make_point(const StepProgram& program, std::span<const double> q,
                              std::span<const double> v) {
  BasicPoint<Number> point;
  point.q.assign(q.begin(), q.end());
  point.v.assign(v.begin(), v.end());
  point.lambda.assign(program.lambda_count(), Number(0.0));
  point.carried.assign(program.carried_count(), Number(0.0));
  point.error_estimate.assign(program.error_count(), Number(0.0));
  point.dense.assign(program.dense_count(), Number(0.0));
  point.history.assign(program.history_count(), Number(0.0));
  point.turns.assign(q.size(), Number(0.0));
  point.q_carry.assign(q.size(), Number(0.0));
  point.v_carry.assign(v.size(), Number(0.0));
  return point;
}

/// Throws RequestError, with both numbers, unless there are as many parameters as the program has.
void check_parameters(const StepProgram& program, std::span<const double> parameters);
/// Throws RequestError, naming the part, unless the sizes of a point are those of the program; the
/// history may have any size.
void check_point(const StepProgram& program, const Point& point);

/// Calls visit(slot, value) for every number of the state that a step reads or writes. `Point` is a
/// BasicPoint, const or not, with the sizes that `make_point` gives, but for its history: one of
/// another size becomes zero.
template <class Point, class Visit>
void visit_state(const StepProgram& program, Point& point, Visit visit) {
  const StateEntry* entry = program.entries().data();
  const auto each = [&](auto&& values, auto* carry) {
    for (std::size_t i = 0; i < values.size(); ++i, ++entry) {
      visit(entry->input, values[i]);
      if (entry->turns != StateEntry::none) visit(entry->turns, point.turns[i]);
      if (entry->carry != StateEntry::none) visit(entry->carry, (*carry)[i]);
    }
  };
  each(point.q, &point.q_carry);
  each(point.v, &point.v_carry);
  each(point.lambda, &point.q_carry);
  each(point.carried, &point.q_carry);
  each(point.error_estimate, &point.q_carry);
  each(point.dense, &point.q_carry);
  const std::size_t remembered = program.history_count();
  using Numbers = std::remove_cvref_t<decltype(point.history)>;
  if (point.history.size() == remembered) {
    each(point.history, &point.q_carry);
  } else if constexpr (std::is_const_v<Point>) {
    each(Numbers(remembered), &point.q_carry);
  } else {
    point.history = Numbers(remembered);
    each(point.history, &point.q_carry);
  }
}

}  // namespace dalembert
