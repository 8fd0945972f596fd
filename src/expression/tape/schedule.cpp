#include "schedule.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <span>
#include <utility>

namespace dalembert {

long latency_of(const TapeDraft::Line& line) {
  switch (line.operation) {
    case TapeOperation::copy:
    case TapeOperation::negate:
    case TapeOperation::abs:
    case TapeOperation::sign:
    case TapeOperation::floor:
    case TapeOperation::where_nonnegative:
    case TapeOperation::where_negative:
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
    case TapeOperation::factor:
    case TapeOperation::substitute:
      return 60 * static_cast<long>(line.b);
    default:
      return 80;
  }
}

long issue_of(const TapeDraft::Line& line) { return 3 + latency_of(line) / 20; }

namespace {

using Register = TapeDraft::Register;
using Line = TapeDraft::Line;

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// The lines whose operands have been issued. The next one is that which waits least for them; of
/// those that wait equally long the most urgent one, and of equally urgent ones the first.
class OpenLines {
 public:
  OpenLines(const std::vector<Line>& lines, const std::vector<long>& height)
      : lines_(lines), height_(height) {}

  bool empty() const { return waiting_.empty() && ready_count_ == 0; }

  void add(std::size_t line, long ready_at) { waiting_.emplace(ready_at, line); }

  /// Takes out the next line at the time `now`, after a line of the operation `latest`.
  std::size_t take_next(long now, TapeOperation latest) {
    if (ready_count_ == 0) now = std::max(now, waiting_.top().first);
    for (; !waiting_.empty() && waiting_.top().first <= now; waiting_.pop())
      make_ready(waiting_.top().second);
    ReadyLines* best = nullptr;
    for (ReadyLines& lines : ready_) {
      if (lines.empty()) continue;
      if (best == nullptr || goes_before(lines.top(), best->top(), latest)) best = &lines;
    }
    const std::size_t next = best->top().second;
    best->pop();
    --ready_count_;
    return next;
  }

 private:
  /// Height and index of a line.
  using Candidate = std::pair<long, std::size_t>;
  struct GoesAfter {
    bool operator()(const Candidate& x, const Candidate& y) const {
      return x.first != y.first ? x.first < y.first : x.second > y.second;
    }
  };
  using ReadyLines = std::priority_queue<Candidate, std::vector<Candidate>, GoesAfter>;
  using WaitingLine = std::pair<long, std::size_t>;  // when it is ready, and its index

  void make_ready(std::size_t line) {
    const auto operation = static_cast<std::size_t>(lines_[line].operation);
    if (operation >= ready_.size()) ready_.resize(operation + 1);
    ready_[operation].emplace(height_[line], line);
    ++ready_count_;
  }

  /// A line of the operation that went last has an advantage: the interpreter runs equal operations
  /// without choosing anew.
  long urgency(const Candidate& line, TapeOperation latest) const {
    constexpr long advantage = 30;
    return line.first + (lines_[line.second].operation == latest ? advantage : 0);
  }

  bool goes_before(const Candidate& x, const Candidate& y, TapeOperation latest) const {
    const long urgency_x = urgency(x, latest), urgency_y = urgency(y, latest);
    return urgency_x != urgency_y ? urgency_x > urgency_y : x.second < y.second;
  }

  const std::vector<Line>& lines_;
  const std::vector<long>& height_;
  std::priority_queue<WaitingLine, std::vector<WaitingLine>, std::greater<>> waiting_;
  std::vector<ReadyLines> ready_;  // by operation, whose lines all have the same advantage
  std::size_t ready_count_ = 0;
};

/// List scheduling of one section: of the lines whose operands are there, the one with the longest
/// chain of work after it.
class Scheduler {
 public:
  /// `producer` has a place for each register, in which there is `none`.
  Scheduler(std::vector<Line> lines, std::vector<std::size_t>& producer)
      : lines_(std::move(lines)),
        users_end_(lines_.size() + 1, 0),
        missing_(lines_.size(), 0),
        height_(lines_.size(), 0),
        ready_at_(lines_.size(), 0),
        open_(lines_, height_) {
    find_users(producer);
    for (std::size_t i = lines_.size(); i-- > 0;) {
      for (const std::size_t user : users_of(i)) height_[i] = std::max(height_[i], height_[user]);
      height_[i] += latency_of(lines_[i]);
    }
  }

  std::vector<Line> run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (missing_[i] == 0) open_.add(i, 0);
    }
    std::vector<Line> result;
    result.reserve(lines_.size());
    TapeOperation latest = TapeOperation::copy;
    for (long now = 0; !open_.empty();) {
      const std::size_t next = open_.take_next(now, latest);
      now = std::max(now, ready_at_[next]) + issue_of(lines_[next]);
      latest = lines_[next].operation;
      release_users(next, now + latency_of(lines_[next]));
      result.push_back(std::move(lines_[next]));
    }
    return result;
  }

 private:
  void find_users(std::vector<std::size_t>& producer) {
    std::vector<std::pair<std::size_t, std::size_t>> uses;  // producer and user, by user
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      visit_uses(lines_[i], [&](Register use) {
        if (producer[use] == none) return;
        uses.emplace_back(producer[use], i);
        ++users_end_[producer[use]];
        ++missing_[i];
      });
      visit_targets(lines_[i], [&](Register target) { producer[target] = i; });
    }
    for (const Line& line : lines_)
      visit_targets(line, [&](Register target) { producer[target] = none; });
    // From numbers to begins; each moves to its end while users are put in.
    std::size_t begin = 0;
    for (std::size_t& end : users_end_) begin += std::exchange(end, begin);
    users_.resize(uses.size());
    for (const auto& [made, user] : uses) users_[users_end_[made]++] = user;
  }

  /// The lines that read what a line writes, in their order, as often as they do.
  std::span<const std::size_t> users_of(std::size_t line) const {
    const std::size_t begin = line == 0 ? 0 : users_end_[line - 1];
    return std::span(users_).subspan(begin, users_end_[line] - begin);
  }

  void release_users(std::size_t line, long ready) {
    for (const std::size_t user : users_of(line)) {
      ready_at_[user] = std::max(ready_at_[user], ready);
      if (--missing_[user] == 0) open_.add(user, ready_at_[user]);
    }
  }

  std::vector<Line> lines_;
  std::vector<std::size_t> users_, users_end_;  // of all lines one after the other
  std::vector<int> missing_;                    // operands that are not there yet
  std::vector<long> height_, ready_at_;
  OpenLines open_;
};

}  // namespace

void schedule(TapeDraft& draft) {
  std::vector<std::size_t> producer(draft.register_count(), none);
  for (const auto& [section, part] : draft.stretches()) {
    const auto begin = draft.lines.begin() + static_cast<std::ptrdiff_t>(section.begin);
    const auto end = draft.lines.begin() + static_cast<std::ptrdiff_t>(section.end);
    std::vector<Line> ordered = Scheduler({begin, end}, producer).run();
    std::move(ordered.begin(), ordered.end(), begin);
  }
}

}  // namespace dalembert
