#pragma once
// What the tests of the numeric room share: reproducible arguments, bits, errors in units in the
// last place against quadruple precision (where the compiler has it).

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "study/extended.hpp"

namespace numeric_test {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

/// splitmix64: the same numbers with every compiler and library.
struct Random {
  std::uint64_t state;

  std::uint64_t next() {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Uniform in [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
  }
  /// Random sign, significand and exponent of base 2 in [low, high].
  double spread(int low, int high) {
    const int exponent = low + static_cast<int>(next() % static_cast<unsigned>(high - low + 1));
    const double value = std::ldexp(uniform(1.0, 2.0), exponent);
    return next() % 2 == 0 ? value : -value;
  }
};

inline std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

/// Same bits, or both nan (the payload and sign of a nan are not promised).
inline bool same(double a, double b) {
  return bits(a) == bits(b) || (std::isnan(a) && std::isnan(b));
}

/// FNV-1a over the bits of doubles, any nan counting as one value.
struct Checksum {
  std::uint64_t value = 0xcbf29ce484222325u;

  void add(double x) {
    const std::uint64_t b = std::isnan(x) ? 0x7ff8000000000000u : bits(x);
    for (int k = 0; k < 64; k += 8) value = (value ^ ((b >> k) & 0xff)) * 0x100000001b3u;
  }
};

using dalembert::study::Extended;

/// |computed - exact| in units in the last place of the exact value.
inline double ulps(double computed, const Extended& exact) {
  int exponent = 0;
  std::frexp(static_cast<double>(exact), &exponent);
  const double unit = std::ldexp(1.0, exponent - 53 < -1074 ? -1074 : exponent - 53);
  const Extended error = (Extended(computed) - exact) / unit;
  return static_cast<double>(error < 0 ? Extended(-error) : error);
}

}  // namespace numeric_test
