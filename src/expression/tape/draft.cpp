#include "draft.hpp"

namespace dalembert {

bool is_ternary(TapeOperation operation) {
  return operation == TapeOperation::multiply_add ||
         operation == TapeOperation::multiply_subtract ||
         operation == TapeOperation::negative_multiply_add;
}

bool is_binary(TapeOperation operation) {
  switch (operation) {
    case TapeOperation::add:
    case TapeOperation::subtract:
    case TapeOperation::multiply:
    case TapeOperation::divide:
    case TapeOperation::power:
    case TapeOperation::atan2:
    case TapeOperation::where_nonnegative:
    case TapeOperation::where_negative:
      return true;
    default:
      return is_ternary(operation);
  }
}

std::vector<TapeDraft::Register> uses_of(const TapeDraft::Line& line) {
  if (line.operation == TapeOperation::solve) return line.operands;
  std::vector<TapeDraft::Register> uses{line.a};
  if (is_binary(line.operation)) uses.push_back(line.b);
  if (is_ternary(line.operation)) uses.push_back(line.c);
  return uses;
}

std::vector<TapeDraft::Register> targets_of(const TapeDraft::Line& line) {
  if (line.operation == TapeOperation::solve) return line.results;
  std::vector<TapeDraft::Register> targets{line.target};
  if (line.operation == TapeOperation::sine_cosine) targets.push_back(line.c);
  return targets;
}

std::vector<TapeDraft::Section> TapeDraft::sections() const {
  std::vector<Section> result;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    result.push_back({begin, loops[i].begin, -1});
    result.push_back({loops[i].begin, loops[i].end, static_cast<int>(i)});
    begin = loops[i].end;
  }
  result.push_back({begin, further_begin, -1});
  result.push_back({further_begin, lines.size(), -1});
  return result;
}

}  // namespace dalembert
