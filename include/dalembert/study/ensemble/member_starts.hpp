#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dalembert::study {

/// The start of one member, or the reason why there is none.
struct MemberStart {
  std::vector<double> q, v;  ///< empty where there is no start
  std::string failure = {};  ///< empty for a good start
};

/// The starts of all members, in little memory.
class MemberStarts {
 public:
  MemberStarts() = default;
  /// None yet. Shapes: q [q_count], v [v_count].
  MemberStarts(std::size_t q_count, std::size_t v_count) : q_count_(q_count), v_count_(v_count) {}

  /// Allocates memory for so many members.
  void reserve(std::size_t members) { numbers_.reserve(members * (q_count_ + v_count_)); }
  /// Appends the start of the next member.
  void push_back(const MemberStart& start);

  /// The number of members, with or without a start.
  std::size_t size() const { return size_; }
  /// Those of the members [first, end), which are counted from zero there.
  MemberStarts range(std::size_t first, std::size_t end) const;
  /// The number of members that have a start.
  std::size_t count() const { return size_ - failures_.size(); }
  MemberStart operator[](std::size_t member) const;
  /// Members without a start, in their order, with the reason.
  const std::vector<std::pair<std::size_t, std::string>>& failures() const { return failures_; }

  /// Calls visit(member, q, v) for each member that has a start, in their order.
  template <class Visit>
  void for_each(Visit visit) const {
    auto next = failures_.begin();
    for (std::size_t i = 0; i < size_; ++i) {
      if (next != failures_.end() && next->first == i) {
        ++next;
        continue;
      }
      visit(i, q(i), v(i));
    }
  }

 private:
  std::span<const double> q(std::size_t member) const {
    return std::span(numbers_).subspan(member * (q_count_ + v_count_), q_count_);
  }
  std::span<const double> v(std::size_t member) const {
    return std::span(numbers_).subspan(member * (q_count_ + v_count_) + q_count_, v_count_);
  }

  std::size_t q_count_ = 0, v_count_ = 0, size_ = 0;
  std::vector<double> numbers_;  // [members, q_count + v_count]; zeros without a start
  std::vector<std::pair<std::size_t, std::string>> failures_;
};

}  // namespace dalembert::study
