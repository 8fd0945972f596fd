#pragma once
/// \file
/// The words in which a kernel is written once for one trajectory and for eight. The fused kernels
/// take the C library's sines on one number, all others the engine's.

#include <cmath>
#include <numbers>

#include "dalembert/numeric/angles.hpp"
#include "dalembert/numeric/elementary.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS {

using dalembert::numeric::all;
using dalembert::numeric::any;
using dalembert::numeric::select;
/// Eight trajectories in one register.
using Eight = dalembert::numeric::Lanes<8>;

#ifdef DALEMBERT_BENCH_ENGINE_SINES
inline double sine_of(double x) { return dalembert::numeric::sin(x); }
inline void sine_and_cosine(double x, double& sine, double& cosine) {
  dalembert::numeric::sincos(x, sine, cosine);
}
#else
inline double sine_of(double x) { return std::sin(x); }
inline void sine_and_cosine(double x, double& sine, double& cosine) {
  sine = std::sin(x);
  cosine = std::cos(x);
}
#endif
inline Eight sine_of(const Eight& x) { return dalembert::numeric::sin(x); }
inline void sine_and_cosine(const Eight& x, Eight& sine, Eight& cosine) {
  dalembert::numeric::sincos(x, sine, cosine);
}

template <class Number>
Number larger_of(const Number& a, const Number& b) {
  return select(a < b, b, a);
}
template <class Number>
Number magnitude(const Number& a) {
  return larger_of<Number>(a, -a);
}

/// Brings an angle back to [-pi, pi].
inline void wrap(double& angle, double& turns) {
  if (std::abs(angle) <= std::numbers::pi) return;
  // A turn in two parts, the first with zeros at its end.
  constexpr double turn_high = 0x1.921fb544p+2, turn_low = 0x1.0b4611a626331p-32;
  const double sign = std::copysign(1.0, angle);
  angle = (angle - sign * turn_high) - sign * turn_low;
  turns += sign;
}
inline void wrap(Eight& angle, Eight& turns) { dalembert::numeric::wrap(angle, turns); }

/// x - x is zero for finite x and nan otherwise.
template <class Number>
bool is_finite(const Number& sum) {
  return all(sum - sum == Number(0.0));
}

/// Newton's corrections shrink quadratically: with equations that are as nonlinear as those of a
/// step here, what is left after one of this size is below 1e-17.
inline constexpr double last_correction = 1e-8;
/// More passes than any step needs from a fair guess.
inline constexpr int most_passes = 20;

/// Whether Newton's iteration goes on after such a correction, in any lane.
template <class Number>
bool goes_on(const Number& correction) {
  return !all(correction <= Number(last_correction));
}

/// Gauss' rule with eight nodes, from -1/2 to 1/2.
inline constexpr int gauss_count = 8;
inline constexpr double gauss_nodes[] = {-0.48014492824876811584, -0.3983332387068133698,
                                         -0.26276620495816449291, -0.09171732124782490247,
                                         0.09171732124782490247,  0.26276620495816449291,
                                         0.3983332387068133698,   0.48014492824876811584};
inline constexpr double gauss_weights[] = {0.050614268145188129576, 0.11119051722668723527,
                                           0.15685332293894364367,  0.18134189168918099148,
                                           0.18134189168918099148,  0.15685332293894364367,
                                           0.11119051722668723527,  0.050614268145188129576};

/// Extrapolated linearly from the last two steps.
template <class Number>
struct Extrapolated {
  Number last = 0.0, before = 0.0;

  Number next() const { return 2.0 * last - before; }
  void push(const Number& value) {
    before = last;
    last = value;
  }
};

}  // namespace bench::DALEMBERT_BENCH_KERNELS
