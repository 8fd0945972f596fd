#include "dalembert/study/ensemble/member_starts.hpp"

#include <algorithm>

namespace dalembert::study {

void MemberStarts::push_back(const MemberStart& start) {
  const std::size_t begin = numbers_.size();
  numbers_.resize(begin + q_count_ + v_count_, 0.0);
  if (start.failure.empty()) {
    const auto to = numbers_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::ranges::copy(start.q, to);
    std::ranges::copy(start.v, to + static_cast<std::ptrdiff_t>(q_count_));
  } else {
    failures_.emplace_back(size_, start.failure);
  }
  ++size_;
}

MemberStarts MemberStarts::range(std::size_t first, std::size_t end) const {
  MemberStarts some(q_count_, v_count_);
  const std::size_t width = q_count_ + v_count_;
  const auto begin = numbers_.begin() + static_cast<std::ptrdiff_t>(first * width);
  some.numbers_.assign(begin, begin + static_cast<std::ptrdiff_t>((end - first) * width));
  some.size_ = end - first;
  for (const auto& [member, reason] : failures_)
    if (member >= first && member < end) some.failures_.emplace_back(member - first, reason);
  return some;
}

MemberStart MemberStarts::operator[](std::size_t member) const {
  const auto found =
      std::ranges::lower_bound(failures_, member, {}, &std::pair<std::size_t, std::string>::first);
  if (found != failures_.end() && found->first == member) return {{}, {}, found->second};
  const std::span<const double> its_q = q(member), its_v = v(member);
  return {{its_q.begin(), its_q.end()}, {its_v.begin(), its_v.end()}};
}

}  // namespace dalembert::study
