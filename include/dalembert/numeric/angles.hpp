#pragma once
/// \file
/// Angles kept in [-pi, pi] with the number of turns beside them. An angle left to grow loses a
/// digit of its fraction with every doubling, and the energy error then grows faster than linearly.

#include "dalembert/numeric/compensated.hpp"
#include "dalembert/numeric/elementary.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

namespace detail {

/// The double next to pi; pi lies between it and the following double.
inline constexpr double pi = 0x1.921fb54442d18p+1;
/// 2 pi in parts: two of 23 bits, whose products with up to 2^30 are exact, and the rest.
inline constexpr double turn_1 = 4.0 * half_pi_1, turn_2 = 4.0 * half_pi_2;
inline constexpr double turn_rest = 0x1.8469898cc5170p-46;

/// angle - turns 2 pi, rounded once but for 2^-58; `lost` is what that rounding lost.
DALEMBERT_ALWAYS_INLINE double subtract_turns(double angle, double turns, double& lost) {
  const Split<double> rest = subtract_half_pis(angle, 4.0 * turns);
  lost = -rest.low;
  return rest.high;
}
template <int N>
DALEMBERT_ALWAYS_INLINE Lanes<N> subtract_turns(Lanes<N> angle, const Lanes<N>& turns,
                                                Lanes<N>& lost) {
  for (int k = 0; k < Lanes<N>::packs; ++k) {
    const auto rest = subtract_half_pis(angle.pack[k], 4.0 * turns.pack[k]);
    angle.pack[k] = rest.high;
    lost.pack[k] = -rest.low;
  }
  return angle;
}

}  // namespace detail

/// Brings an angle to [-pi, pi] and adds to `winding` the turns taken away, so that
/// `angle + 2 pi winding` stays. The new angle has an error of half a unit in its last place and a
/// rounding of that, even next to a multiple of 2 pi. Leaves everything as it is, bit for bit,
/// where |angle| <= pi already, and also where |angle| > 1e9 or not finite (nothing useful is left
/// there).
/// `lost` is what the rounding lost.
template <DoubleOrLanes T>
inline mask_of<T> wrap_and_tell(T& angle, T& winding, T& lost) {
  constexpr double turns_per_radian = 0x1.45f306dc9c883p-3;
  const T magnitude = abs(angle);
  const mask_of<T> outside =
      (magnitude > detail::pi) & (magnitude <= detail::largest_reduced_angle);
  if (!any(outside)) [[likely]]
    return outside;
  T turns = round_to_nearest(angle * turns_per_radian);
  const T first = detail::subtract_turns(angle, turns, lost);
  // Next to an odd multiple of pi the quotient may round to the wrong side.
  turns = turns + select(first > detail::pi, T(1.0), T(0.0)) -
          select(first < -detail::pi, T(1.0), T(0.0));
  angle = select(outside, detail::subtract_turns(angle, turns, lost), angle);
  winding = select(outside, winding + turns, winding);
  return outside;
}

/// The same where what is lost is given up.
template <DoubleOrLanes T>
inline void wrap(T& angle, T& winding) {
  T lost = T(0.0);
  static_cast<void>(wrap_and_tell(angle, winding, lost));
}

/// The same where `carry` takes what is lost. In a steady rotation every turn loses the same; after
/// an odd number of turns the angle therefore goes to its other neighbour, so that losses alternate
/// in sign and do not add up.
template <DoubleOrLanes T>
inline void wrap(T& angle, T& winding, T& carry) {
  T lost = T(0.0);
  const mask_of<T> outside = wrap_and_tell(angle, winding, lost);
  if (!any(outside)) [[likely]]
    return;
  const mask_of<T> odd = floor(T(0.5) * winding) * T(2.0) != winding;
  const T neighbour = angle + (lost + lost),
          shift = select(outside & odd, neighbour - angle, T(0.0));
  angle = angle + shift;
  carry = select(outside, carry + (lost - shift), carry);
}

/// The same for an angle that is a compensated sum, angle + carry: the sum stays, the carry is
/// again below half a digit of the angle, and where it was as often positive as negative it remains
/// so. A carry that is of one sign after every turn would be a bias in the energy.
template <DoubleOrLanes T>
inline void wrap_sum(T& angle, T& winding, T& carry) {
  T lost = T(0.0);
  const mask_of<T> outside = wrap_and_tell(angle, winding, lost);
  if (!any(outside)) [[likely]]
    return;
  T sum, rest;
  two_sum(angle, carry + lost, sum, rest);
  angle = select(outside, sum, angle);
  carry = select(outside, rest, carry);
}

/// The angle with its turns, angle + 2 pi winding, with an error below one unit in the last place;
/// for |winding| < 2^30. Exact for winding = 0.
template <DoubleOrLanes T>
inline T unwrapped(const T& angle, const T& winding) {
  return winding * detail::turn_1 +
         (winding * detail::turn_2 + (winding * detail::turn_rest + angle));
}

/// The same for any other number type, with 2 pi rounded to that type: exact no-op inside, else an
/// error of a few units in the last place of the angle before wrapping.
template <class T>
requires(!DoubleOrLanes<T>) inline void wrap(T& angle, T& winding) {
  const T pi = T(4.0) * atan(T(1.0));
  if (!(abs(angle) > pi) || !(abs(angle) <= T(detail::largest_reduced_angle))) return;
  const T turns = floor(angle / (T(2.0) * pi) + T(0.5));
  angle = angle - turns * (T(2.0) * pi);
  winding = winding + turns;
}
template <class T>
requires(!DoubleOrLanes<T>) inline void wrap(T& angle, T& winding, T& /*carry*/) {
  wrap(angle, winding);
}
template <class T>
requires(!DoubleOrLanes<T>) inline void wrap_sum(T& angle, T& winding, T& /*carry*/) {
  wrap(angle, winding);
}
template <class T>
requires(!DoubleOrLanes<T>) inline T unwrapped(const T& angle, const T& winding) {
  return angle + winding * (T(8.0) * atan(T(1.0)));
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
