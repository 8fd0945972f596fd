#include "schedule.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace dalembert {
namespace {

using Register = TapeDraft::Register;
using Line = TapeDraft::Line;

/// About how many cycles pass from the operands to the result, through memory.
long latency_of(const Line& line) {
  switch (line.operation) {
    case TapeOperation::copy:
    case TapeOperation::negate:
    case TapeOperation::abs:
    case TapeOperation::sign:
      return 7;
    case TapeOperation::add:
    case TapeOperation::subtract:
    case TapeOperation::multiply:
      return 10;
    case TapeOperation::multiply_add:
    case TapeOperation::multiply_subtract:
    case TapeOperation::negative_multiply_add:
      return 13;
    case TapeOperation::divide:
    case TapeOperation::sqrt:
      return 20;
    case TapeOperation::solve:
      return 60 * static_cast<long>(line.results.size());
    default:
      return 80;
  }
}

/// About how many cycles pass until the next line can be taken up.
long issue_of(const Line& line) { return 3 + latency_of(line) / 20; }

/// List scheduling of one section: of the lines whose operands are there, the one with the longest
/// chain of work after it.
class Scheduler {
 public:
  explicit Scheduler(std::vector<Line> lines)
      : lines_(std::move(lines)),
        users_(lines_.size()),
        missing_(lines_.size(), 0),
        height_(lines_.size(), 0),
        ready_at_(lines_.size(), 0) {
    find_users();
    for (std::size_t i = lines_.size(); i-- > 0;) {
      for (const std::size_t user : users_[i]) height_[i] = std::max(height_[i], height_[user]);
      height_[i] += latency_of(lines_[i]);
    }
  }

  std::vector<Line> run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (missing_[i] == 0) open_.push_back(i);
    }
    std::vector<Line> result;
    for (long now = 0; !open_.empty();) {
      const std::size_t next = take_next(now);
      now = std::max(now, ready_at_[next]) + issue_of(lines_[next]);
      latest_ = lines_[next].operation;
      release_users(next, now + latency_of(lines_[next]));
      result.push_back(std::move(lines_[next]));
    }
    return result;
  }

 private:
  void find_users() {
    std::unordered_map<Register, std::size_t> producer;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      for (const Register use : uses_of(lines_[i])) {
        const auto made = producer.find(use);
        if (made == producer.end()) continue;
        users_[made->second].push_back(i);
        ++missing_[i];
      }
      for (const Register target : targets_of(lines_[i])) producer[target] = i;
    }
  }

  /// Whether line i should go before line j at a given time. A line of the operation that went last
  /// has an advantage: the interpreter runs equal operations without choosing anew.
  bool goes_before(std::size_t i, std::size_t j, long now) const {
    const long wait_i = std::max(0L, ready_at_[i] - now), wait_j = std::max(0L, ready_at_[j] - now);
    if (wait_i != wait_j) return wait_i < wait_j;
    const long urgency_i = urgency(i), urgency_j = urgency(j);
    return urgency_i != urgency_j ? urgency_i > urgency_j : i < j;
  }

  long urgency(std::size_t line) const {
    constexpr long advantage = 30;
    return height_[line] + (lines_[line].operation == latest_ ? advantage : 0);
  }

  std::size_t take_next(long now) {
    const auto best =
        std::min_element(open_.begin(), open_.end(),
                         [&](std::size_t i, std::size_t j) { return goes_before(i, j, now); });
    const std::size_t next = *best;
    open_.erase(best);
    return next;
  }

  void release_users(std::size_t line, long ready) {
    for (const std::size_t user : users_[line]) {
      ready_at_[user] = std::max(ready_at_[user], ready);
      if (--missing_[user] == 0) open_.push_back(user);
    }
  }

  std::vector<Line> lines_;
  std::vector<std::vector<std::size_t>> users_;
  std::vector<int> missing_;  // operands that are not there yet
  std::vector<long> height_, ready_at_;
  std::vector<std::size_t> open_;
  TapeOperation latest_ = TapeOperation::copy;
};

}  // namespace

void schedule(TapeDraft& draft) {
  for (const TapeDraft::Section& section : draft.sections()) {
    const auto begin = draft.lines.begin() + static_cast<std::ptrdiff_t>(section.begin);
    const auto end = draft.lines.begin() + static_cast<std::ptrdiff_t>(section.end);
    std::vector<Line> ordered = Scheduler({begin, end}).run();
    std::move(ordered.begin(), ordered.end(), begin);
  }
}

}  // namespace dalembert
