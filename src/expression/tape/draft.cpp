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

std::vector<TapeDraft::Section> TapeDraft::sections() const {
  std::vector<Section> result;
  std::size_t begin = 0, next_stages = 0;
  bool in_fallback = false;
  const auto straight_to = [&](std::size_t end) {
    result.push_back({begin, end, -1, -1, in_fallback});
    begin = end;
  };
  // The places of stage iterations and the ends of their fallbacks up to a line.
  const auto stages_to = [&](std::size_t line) {
    for (; next_stages < stages.size(); in_fallback = !in_fallback) {
      const Stages& next = stages[next_stages];
      if ((in_fallback ? next.fallback_end : next.at) > line) return;
      straight_to(in_fallback ? next.fallback_end : next.at);
      if (in_fallback)
        ++next_stages;
      else
        result.push_back({begin, begin, -1, static_cast<int>(next_stages), false});
    }
  };
  for (std::size_t i = 0; i < loops.size(); ++i) {
    stages_to(loops[i].begin);
    straight_to(loops[i].begin);
    result.push_back({loops[i].begin, loops[i].end, static_cast<int>(i), -1, in_fallback});
    begin = loops[i].end;
  }
  stages_to(further_begin);
  straight_to(further_begin);
  straight_to(lines.size());
  return result;
}

std::vector<TapeDraft::Stretch> TapeDraft::stretches() const {
  std::vector<Stretch> result;
  for (const Section& section : sections()) {
    const Loop* const found =
        section.loop < 0 ? nullptr : &loops[static_cast<std::size_t>(section.loop)];
    if (found == nullptr || !found->keeps_matrix()) {
      result.push_back({section});
      continue;
    }
    const Loop& loop = *found;
    const std::size_t ends[] = {loop.matrix_begin, loop.matrix_end, section.end};
    Section next = section;
    for (int part = 0; part < 3; ++part) {
      next.end = ends[part];
      result.push_back({next, part});
      next.begin = next.end;
    }
  }
  return result;
}

}  // namespace dalembert
