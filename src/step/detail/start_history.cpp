#include "start_history.hpp"

#include <string>

#include "dalembert/expression/pieces.hpp"

namespace dalembert {
namespace {

/// Steps of compensated runs differ in their last digits and are of one size.
constexpr double one_size = 0x1p-20;
/// Steps that a parabola needs.
constexpr double enough = 3.0;
/// The most that second differences may be, beside the numbers themselves.
constexpr double small = 0.25;

}  // namespace

StartHistory::StartHistory(Expr step_size, TapeWriter& writer)
    : step_size_(std::move(step_size)), writer_(writer) {}

Expr StartHistory::add_number() {
  before_.push_back(
      make_symbol(step_size_.graph(), "history_" + std::to_string(before_.size() + 1)));
  after_.emplace_back(0.0);
  writer_.input(before_.back());
  return before_.back();
}

Vector StartHistory::additions(std::size_t count) {
  if (before_.empty()) {
    const Expr size = add_number(), steps = add_number();
    // One by one: graphs do not depend on the order in which a compiler takes operands.
    const Expr difference = abs(step_size_ - size), bound = one_size * abs(step_size_);
    is_known_ = where_nonnegative(bound - difference, 1.0);
    steps_ = is_known_ * steps + 1.0;
    after_ = {step_size_, steps_};
  }
  first_ = before_.size();
  Vector result;
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back(is_known_ * add_number());
    add_number();
    add_number();
  }
  return result;
}

Vector StartHistory::kept(const Vector& otherwise) {
  first_kept_ = before_.size();
  Vector result;
  for (const Expr& value : otherwise) {
    const Expr known = is_known_ * add_number(), open = (1.0 - is_known_) * value;
    result.push_back(known + open);
  }
  return result;
}

void StartHistory::keep(const Vector& values) {
  for (std::size_t i = 0; i < values.size(); ++i) after_[first_kept_ + i] = values[i];
}

void StartHistory::remember(const Vector& changes, const std::vector<bool>& judged) {
  Expr sum = 0.0, second_sum = 0.0;
  Vector additions;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::size_t at = first_ + 3 * i;
    const Expr first = changes[i] - before_[at + 1], second = first - before_[at + 2];
    after_[at + 1] = changes[i];
    after_[at + 2] = first;
    additions.push_back(changes[i] + (first + second));
    if (!judged[i]) continue;
    sum += abs(changes[i]);
    second_sum += abs(second);
  }
  const Expr are_small = where_nonnegative(small * sum - second_sum, 1.0);
  const Expr is_smooth = where_nonnegative(steps_ - enough, are_small);
  for (std::size_t i = 0; i < changes.size(); ++i)
    after_[first_ + 3 * i] = is_smooth * additions[i];
}

Vector StartHistory::after() const { return after_; }

}  // namespace dalembert
