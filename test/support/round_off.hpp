#pragma once
// Tolerances that are round-off.

#include <limits>

namespace test_support {

/// What `operations` roundings of numbers of size `scale` may add up to in the arithmetic of
/// `Number`: half a unit in the last place each.
template <class Number = double>
constexpr double round_off_of(double operations, double scale = 1.0) {
  return operations * static_cast<double>(std::numeric_limits<Number>::epsilon()) / 2.0 * scale;
}

}  // namespace test_support
