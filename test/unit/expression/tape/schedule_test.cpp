// The order of lines: what the rule says when it is followed literally, looking at every open line.
#include "expression/tape/schedule.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "unit/numeric/support.hpp"

using namespace dalembert;
using numeric_test::Random;
using Line = TapeDraft::Line;

namespace {

/// Straight code of random lines on 8 inputs; `reach`: how far back operands lie.
TapeDraft random_draft(Random& random, std::size_t size, std::size_t reach) {
  static constexpr TapeOperation operations[] = {
      TapeOperation::add,    TapeOperation::multiply, TapeOperation::multiply_add,
      TapeOperation::divide, TapeOperation::sin,      TapeOperation::sine_cosine,
      TapeOperation::negate, TapeOperation::subtract, TapeOperation::multiply};
  TapeDraft draft;
  TapeDraft::Register next = 8;
  const auto operand = [&] {
    const auto back = 1 + random.next() % std::min<std::size_t>(next, reach);
    return static_cast<TapeDraft::Register>(next - back);
  };
  for (std::size_t i = 0; i < size; ++i) {
    Line line{operations[random.next() % std::size(operations)]};
    line.a = operand();
    if (is_binary(line.operation)) line.b = operand();
    if (is_ternary(line.operation)) line.c = operand();
    line.target = next++;
    if (line.operation == TapeOperation::sine_cosine) line.c = next++;
    draft.lines.push_back(line);
  }
  draft.pinned.resize(next, false);
  return draft;
}

/// The rule, looking at all open lines each time.
class Oracle {
 public:
  explicit Oracle(const std::vector<Line>& lines) : lines_(lines), height_(lines.size()) {
    for (std::size_t i = lines.size(); i-- > 0;) {
      for (std::size_t j = i + 1; j < lines.size(); ++j) {
        if (needs(j, i)) height_[i] = std::max<long>(height_[i], height_[j]);
      }
      height_[i] += latency_of(lines[i]);
    }
  }

  std::vector<std::size_t> order() {
    std::vector<std::size_t> order;
    std::vector<long> end(lines_.size(), -1);  // when the result of a line is there
    TapeOperation latest = TapeOperation::copy;
    for (long now = 0; order.size() < lines_.size();) {
      std::size_t best = lines_.size();
      long best_wait = 0, best_urgency = 0, best_ready = 0;
      for (std::size_t i = 0; i < lines_.size(); ++i) {
        long ready = 0;
        bool open = end[i] < 0;
        for (std::size_t j = 0; open && j < i; ++j) {
          if (!needs(i, j)) continue;
          open = end[j] >= 0;
          ready = std::max<long>(ready, end[j]);
        }
        if (!open) continue;
        const long wait = std::max(0L, ready - now);
        const long urgency = height_[i] + (lines_[i].operation == latest ? 30 : 0);
        if (best < lines_.size() &&
            (wait > best_wait || (wait == best_wait && urgency <= best_urgency)))
          continue;
        best = i;
        best_wait = wait;
        best_urgency = urgency;
        best_ready = ready;
      }
      now = std::max<long>(now, best_ready) + issue_of(lines_[best]);
      latest = lines_[best].operation;
      end[best] = now + latency_of(lines_[best]);
      order.push_back(best);
    }
    return order;
  }

 private:
  bool needs(std::size_t user, std::size_t line) const {
    bool found = false;
    visit_uses(lines_[user], [&](TapeDraft::Register use) {
      visit_targets(lines_[line], [&](TapeDraft::Register target) { found |= target == use; });
    });
    return found;
  }

  const std::vector<Line>& lines_;
  std::vector<long> height_;
};

}  // namespace

TEST_CASE("Lines are scheduled as the rule says for each of them") {
  Random random{5};
  for (const std::size_t reach : {2, 5, 20, 1000}) {
    for (int k = 0; k < 5; ++k) {
      CAPTURE(reach);
      TapeDraft draft = random_draft(random, 60, reach);
      const std::vector<Line> before = draft.lines;
      const std::vector<std::size_t> order = Oracle(before).order();
      schedule(draft);
      REQUIRE(draft.lines.size() == before.size());
      for (std::size_t i = 0; i < order.size(); ++i)
        REQUIRE(draft.lines[i].target == before[order[i]].target);
    }
  }
}
