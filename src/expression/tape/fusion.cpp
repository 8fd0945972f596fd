#include "fusion.hpp"

#include <algorithm>
#include <limits>

namespace dalembert {
namespace {

using Register = TapeDraft::Register;
using Line = TapeDraft::Line;

/// The parts of a loop that keeps its matrix; only the first has always run before the others.
constexpr int loop_parts = 3;

/// How often each register is read; what is read from outside the lines counts as often.
std::vector<int> count_uses(const TapeDraft& draft) {
  std::vector<int> uses(draft.register_count(), 0);
  for (const std::vector<Line>* lines : {&draft.setup, &draft.lines})
    for (const Line& line : *lines) visit_uses(line, [&](Register use) { ++uses[use]; });
  for (const auto* outputs : {&draft.outputs, &draft.further_outputs})
    for (const Register output : *outputs) uses[output] += 2;
  for (const TapeDraft::Loop& loop : draft.loops)
    loop.visit_kept([&](Register kept) { uses[kept] += 2; });
  for (const TapeDraft::Stages& stages : draft.stages)
    stages.visit_kept([&](Register kept) { uses[kept] += 2; });
  return uses;
}

/// Fuses within one list of lines.
class Fusion {
 public:
  Fusion(std::vector<Line>& lines, std::vector<int> uses, std::vector<int> loop_of_line)
      : lines_(lines),
        uses_(std::move(uses)),
        producer_(uses_.size(), none),
        sine_(uses_.size(), none),
        cosine_(uses_.size(), none),
        loop_(std::move(loop_of_line)),
        dropped_(lines.size(), false) {}

  void run() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      producer_[lines_[i].target] = i;
      const TapeOperation operation = lines_[i].operation;
      if (operation == TapeOperation::sin || operation == TapeOperation::cos) {
        join_sine_and_cosine(i);
      } else if (operation == TapeOperation::add || operation == TapeOperation::subtract) {
        if (!absorb_product(i, false)) absorb_product(i, true);
      }
    }
  }

  /// Removes the lines that became part of others; the new index of each old line.
  std::vector<std::size_t> compress() {
    std::vector<std::size_t> moved(lines_.size() + 1);
    std::vector<Line> kept;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      moved[i] = kept.size();
      if (!dropped_[i]) kept.push_back(std::move(lines_[i]));
    }
    moved[lines_.size()] = kept.size();
    lines_ = std::move(kept);
    return moved;
  }

 private:
  void join_sine_and_cosine(std::size_t i) {
    const Line& line = lines_[i];
    const bool is_sine = line.operation == TapeOperation::sin;
    auto& own = is_sine ? sine_ : cosine_;
    auto& other = is_sine ? cosine_ : sine_;
    const std::size_t partner = other[line.a];
    if (partner == none || !runs_before(partner, i)) {
      own[line.a] = i;
      return;
    }
    Line& first = lines_[partner];
    first.c = is_sine ? first.target : line.target;
    first.target = is_sine ? line.target : first.target;
    first.operation = TapeOperation::sine_cosine;
    dropped_[i] = true;
    other[line.a] = none;
  }

  /// Whether an earlier line has always run when line i does.
  bool runs_before(std::size_t earlier, std::size_t i) const {
    const int where = loop_[earlier], here = loop_[i];
    return where == -1 || where == here ||
           (where >= 0 && where % loop_parts == 0 && where == here - here % loop_parts);
  }

  /// Takes the product that is one term of the sum or difference in line i into it.
  bool absorb_product(std::size_t i, bool second) {
    Line& line = lines_[i];
    const Register product = second ? line.b : line.a, rest = second ? line.a : line.b;
    const std::size_t made = producer_[product];
    if (made == none || uses_[product] != 1 || product == rest) return false;
    const Line& factors = lines_[made];
    if (factors.operation != TapeOperation::multiply || loop_[made] != loop_[i]) return false;
    line.operation = line.operation == TapeOperation::add ? TapeOperation::multiply_add
                     : second                             ? TapeOperation::negative_multiply_add
                                                          : TapeOperation::multiply_subtract;
    line.c = rest;
    line.a = factors.a;
    line.b = factors.b;
    dropped_[made] = true;
    return true;
  }

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  std::vector<Line>& lines_;
  std::vector<int> uses_;                              // by register
  std::vector<std::size_t> producer_, sine_, cosine_;  // lines by register, or none
  std::vector<int> loop_;
  std::vector<bool> dropped_;
};

}  // namespace

void fuse(TapeDraft& draft) {
  Fusion setup(draft.setup, count_uses(draft), std::vector<int>(draft.setup.size(), -1));
  setup.run();
  setup.compress();
  // A fallback may be left out, as a loop's lines may run several times.
  constexpr int straight_fallback = -2;
  std::vector<int> loop_of_line(draft.lines.size(), -1);
  for (const auto& [section, part] : draft.stretches()) {
    int where = section.loop < 0 ? section.loop : section.loop * loop_parts + part;
    if (section.is_fallback && section.loop < 0) where = straight_fallback;
    std::fill(loop_of_line.begin() + static_cast<std::ptrdiff_t>(section.begin),
              loop_of_line.begin() + static_cast<std::ptrdiff_t>(section.end), where);
  }
  Fusion lines(draft.lines, count_uses(draft), std::move(loop_of_line));
  lines.run();
  const std::vector<std::size_t> moved = lines.compress();
  for (TapeDraft::Loop& loop : draft.loops) {
    loop.begin = moved[loop.begin];
    loop.end = moved[loop.end];
    loop.matrix_begin = moved[loop.matrix_begin];
    loop.matrix_end = moved[loop.matrix_end];
    loop.repeat_begin = moved[loop.repeat_begin];
    loop.repeat_end = moved[loop.repeat_end];
  }
  for (TapeDraft::Stages& stages : draft.stages) {
    stages.at = moved[stages.at];
    stages.fallback_end = moved[stages.fallback_end];
  }
  draft.further_begin = moved[draft.further_begin];
}

}  // namespace dalembert
