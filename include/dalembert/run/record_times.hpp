#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dalembert {

/// Recorded states of a run: those after every so many steps, or at given times. Nodes are the
/// states after k steps of size h, at k h; a time within a billionth of a step of a node is the
/// node's. Records come in order, the start first.
class RecordTimes {
 public:
  /// Every so many steps; RequestError for zero.
  static RecordTimes every_steps(std::uint64_t steps);
  /// At the start and at these times, which increase from zero or more; RequestError if they do
  /// not.
  static RecordTimes at(std::vector<double> times);
  /// At the start and every so much time; RequestError unless it is positive and finite.
  static RecordTimes every_time(double time);

  /// Every step.
  RecordTimes() = default;

  /// True if records stand at times of their own, not at every so many steps.
  bool are_given() const { return kind_ != Kind::steps; }
  /// The last of a list of times; zero where records follow a rule.
  double last_of_list() const { return times_.empty() ? 0.0 : times_.back(); }
  /// Steps between records, where they stand at steps; else one.
  std::uint64_t steps() const { return kind_ == Kind::steps ? steps_ : 1; }

  /// True if the state after `step` steps of size h is recorded.
  bool has_node(std::uint64_t step, double h) const;
  /// The times between the nodes after `step` and one more step that lie before `end`.
  std::span<const double> after_node(std::uint64_t step, double h, double end);
  /// The records of a run up to the state after so many steps, that one included.
  std::uint64_t count(std::uint64_t steps, double h) const;
  /// The largest number of records within a step of size h: infinite where they are too close to be
  /// counted.
  double most_in_step(double h) const;
  /// The number of steps after which a record has been passed: that of its node, or of the node
  /// after it where it lies between two.
  std::uint64_t passed_after(std::uint64_t record, double h) const;
  /// The time of a record; where times are given, of one that is among them.
  double time(std::uint64_t record, double h) const;

 private:
  enum class Kind { steps, list, spacing };

  /// The number of given times that are before t, or a round-off after it.
  std::uint64_t count_to(double t) const;

  Kind kind_ = Kind::steps;
  std::uint64_t steps_ = 1;
  double spacing_ = 0.0;
  std::vector<double> times_, between_;
};

}  // namespace dalembert
