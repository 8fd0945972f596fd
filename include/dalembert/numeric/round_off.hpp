#pragma once

#include <limits>

#include "dalembert/numeric/elementary.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// The distance from 1 to the next number, per lane.
template <class Number>
constexpr Number round_off() {
  if constexpr (DoubleOrLanes<Number>) {
    return Number(0x1p-52);
  } else {
    return std::numeric_limits<Number>::epsilon();
  }
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
