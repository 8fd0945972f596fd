#pragma once
// What the tests of the numeric room share: reproducible arguments, bits, errors in units in the
// last place against quadruple precision (where the compiler has it).

#include <bit>
#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
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

/// Enough for every digit of 2/pi that an angle of a double needs.
using Wide = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<1300, boost::multiprecision::digit_base_2>>;

struct SineCosine {
  Extended sine, cosine;
};

/// sin(x) and cos(x), after a reduction without a rounding that matters: Boost's own loses digits
/// next to multiples of pi/2.
inline SineCosine sine_and_cosine(double x) {
  namespace mp = boost::multiprecision;
  static const Wide right_angle = boost::math::constants::half_pi<Wide>();
  const Wide count = mp::floor(Wide(Wide(x) / right_angle + 0.5));
  const Extended angle(Wide(Wide(x) - count * right_angle));
  const Extended s = mp::sin(angle), c = mp::cos(angle);
  const SineCosine turned[] = {{s, c}, {c, -s}, {-s, -c}, {-c, s}};
  return turned[static_cast<int>(count - 4 * mp::floor(Wide(count / 4)))];
}

}  // namespace numeric_test
