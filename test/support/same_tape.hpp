#pragma once
// Whether two tapes are the same in every instruction, table and bit.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "dalembert/expression/tape/tape.hpp"

namespace test_support {

inline bool same_bits(double x, double y) {
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

template <class List, class Same>
bool same_list(const List& x, const List& y, Same same) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
}

inline bool same_tape(const dalembert::Tape& x, const dalembert::Tape& y) {
  using namespace dalembert;
  const bool code = same_list(x.code, y.code, [](const Instruction& a, const Instruction& b) {
    return a.operation == b.operation && a.target == b.target && a.a == b.a && a.b == b.b &&
           a.c == b.c;
  });
  const bool constants = same_list(x.constants, y.constants, [](const auto& a, const auto& b) {
    return a.first == b.first && same_bits(a.second.high, b.second.high) &&
           same_bits(a.second.low, b.second.low);
  });
  const bool sections = same_list(x.sections, y.sections, [](const auto& a, const auto& b) {
    return a.begin == b.begin && a.end == b.end && a.loop == b.loop && a.stages == b.stages &&
           a.is_fallback == b.is_fallback;
  });
  const bool iterates = same_list(x.iterates, y.iterates, [](const auto& a, const auto& b) {
    return a.iterate == b.iterate && a.correction == b.correction && a.value == b.value;
  });
  const bool groups = same_list(x.loop_groups, y.loop_groups, [](const auto& a, const auto& b) {
    return a.begin == b.begin && a.end == b.end && a.judged == b.judged;
  });
  const bool stages = same_list(x.stages, y.stages, [](const TapeStages& a, const TapeStages& b) {
    return same_tape(*a.rates, *b.rates) && a.components == b.components && a.shared == b.shared &&
           a.before == b.before && a.results == b.results && a.fallback == b.fallback &&
           a.fallback_end == b.fallback_end;
  });
  return code && constants && sections && stages && iterates && groups &&
         x.setup_end == y.setup_end && x.loops.size() == y.loops.size() &&
         x.residuals == y.residuals && x.solve_pool == y.solve_pool && x.inputs == y.inputs &&
         x.outputs == y.outputs && x.slot_count == y.slot_count &&
         x.largest_solve == y.largest_solve;
}

}  // namespace test_support
