#pragma once
/// \file
/// Angles kept in [-pi, pi] with the number of turns beside them. An angle left to grow loses a
/// digit of its fraction with every doubling, and the energy error then grows faster than linearly.

#include "dalembert/numeric/compensated.hpp"
#include "dalembert/numeric/elementary.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

namespace detail {

/// x - n pi/2 by `subtract_half_pis`.
DALEMBERT_ALWAYS_INLINE Split<double> without_half_pis(double x, double n) {
  return subtract_half_pis(x, n);
}
/// x - n pi/2 in every pack.
template <int N>
DALEMBERT_ALWAYS_INLINE Split<Lanes<N>> without_half_pis(const Lanes<N>& x, const Lanes<N>& n) {
  Split<Lanes<N>> rest;
  for (int k = 0; k < Lanes<N>::packs; ++k) {
    const auto part = subtract_half_pis(x.pack[k], n.pack[k]);
    rest.high.pack[k] = part.high;
    rest.low.pack[k] = part.low;
  }
  return rest;
}

#include "dalembert/numeric/arithmetic/angles.h"

}  // namespace detail

/// Brings an angle to [-pi, pi] and adds to `winding` the turns taken away; `lost` is what the
/// rounding lost. The result is true where an angle was outside. See `wrap_angle_and_tell`.
template <DoubleOrLanes T>
DALEMBERT_ALWAYS_INLINE mask_of<T> wrap_and_tell(T& angle, T& winding, T& lost) {
  return detail::wrap_angle_and_tell(&angle, &winding, &lost);
}

/// Wraps an angle and gives up what the rounding lost.
template <DoubleOrLanes T>
DALEMBERT_ALWAYS_INLINE void wrap(T& angle, T& winding) {
  T lost = T(0.0);
  static_cast<void>(wrap_and_tell(angle, winding, lost));
}

/// Wraps an angle; `carry` takes what the rounding lost, and losses alternate in sign:
/// `wrap_angle`.
template <DoubleOrLanes T>
DALEMBERT_ALWAYS_INLINE void wrap(T& angle, T& winding, T& carry) {
  detail::wrap_angle(&angle, &winding, &carry);
}

/// Wraps an angle that is a compensated sum, angle + carry: `wrap_angle_sum`.
template <DoubleOrLanes T>
DALEMBERT_ALWAYS_INLINE void wrap_sum(T& angle, T& winding, T& carry) {
  detail::wrap_angle_sum(&angle, &winding, &carry);
}

/// The angle with its turns, angle + 2 pi winding, with an error below one unit in the last place;
/// for |winding| < 2^30. Exact for winding = 0.
template <DoubleOrLanes T>
inline T unwrapped(const T& angle, const T& winding) {
  return detail::unwrapped_angle<T>(angle, winding);
}

/// Wraps an angle of any other number type, with 2 pi rounded to that type: exact no-op inside,
/// else an error of a few units in the last place of the angle before wrapping.
template <class T>
requires(!DoubleOrLanes<T>) inline void wrap(T& angle, T& winding) {
  const T pi = T(4.0) * atan(T(1.0));
  if (!(abs(angle) > pi) || !(abs(angle) <= T(detail::largest_reduced_angle))) return;
  const T turns = floor(angle / (T(2.0) * pi) + T(0.5));
  angle = angle - turns * (T(2.0) * pi);
  winding = winding + turns;
}
/// Wraps such an angle; the carry stays as it is.
template <class T>
requires(!DoubleOrLanes<T>) inline void wrap(T& angle, T& winding, T& /*carry*/) {
  wrap(angle, winding);
}
/// Wraps such an angle; the carry stays as it is.
template <class T>
requires(!DoubleOrLanes<T>) inline void wrap_sum(T& angle, T& winding, T& /*carry*/) {
  wrap(angle, winding);
}
/// The angle with its turns, angle + 2 pi winding, with 2 pi rounded to that type.
template <class T>
requires(!DoubleOrLanes<T>) inline T unwrapped(const T& angle, const T& winding) {
  return angle + winding * (T(8.0) * atan(T(1.0)));
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
