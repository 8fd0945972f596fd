#pragma once

#include <vector>

#include "dalembert/expression/tape/tape.hpp"

namespace dalembert {

/// What Newton's iterations remember of earlier steps: how far the last three solutions were from
/// their guesses, from which the next guess is extrapolated, by a parabola. Numbers of the state,
/// so that a run goes on from any of them with the same bits; all zero where nothing is known.
/// Extrapolated are steps of one size, and only where second differences are small beside the
/// numbers themselves: else the guess stands as it is.
class StartHistory {
 public:
  StartHistory(Expr step_size, TapeWriter& writer);

  /// What is to be added to the guesses of so many iterates of a loop.
  Vector additions(std::size_t count);
  /// Numbers that the loop with these additions leaves to the next step; where nothing is known,
  /// those given.
  Vector kept(const Vector& otherwise);
  /// The values that they have left, of the same loop.
  void keep(const Vector& values);
  /// What the additions should have been, of the same loop; what is not judged does not tell
  /// whether differences are small.
  void remember(const Vector& changes, const std::vector<bool>& judged);

  /// The numbers of the state, zero at first, and their values after the step.
  const Vector& before() const { return before_; }
  Vector after() const;

 private:
  Expr add_number();

  Expr step_size_;
  TapeWriter& writer_;
  Vector before_, after_;
  Expr is_known_ = 0.0, steps_ = 0.0;  ///< of this size: whether there are any, how many then
  std::size_t first_ = 0;              ///< of the numbers of the latest loop
  std::size_t first_kept_ = 0;         ///< of those that it leaves to the next step
};

}  // namespace dalembert
