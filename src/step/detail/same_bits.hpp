#pragma once
// Whether two kernels have done the same.

#include <bit>
#include <cmath>
#include <cstdint>

#include "dalembert/step/step_view.hpp"

namespace dalembert {

/// In how many steps another kernel has to agree.
inline constexpr std::uint64_t steps_compared = 16;

/// The same bits. What a nan is made of is nobody's promise.
inline bool same_number(double a, double b) {
  if (std::isnan(a) && std::isnan(b)) return true;
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

inline bool same_report(const AdvanceReport& a, const AdvanceReport& b) {
  return a.status == b.status && a.steps == b.steps && a.iterations == b.iterations &&
         same_number(a.residual, b.residual);
}

}  // namespace dalembert
