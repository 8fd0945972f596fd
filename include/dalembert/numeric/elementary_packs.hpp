#pragma once
/// \file
/// The elementary functions on one pack (a double, or the doubles of one machine register), from
/// basic IEEE operations only, so that one number and any lane get the same bits with every
/// compiler and instruction set. `elementary.hpp` makes them available for numbers and lanes.

#include "dalembert/numeric/lanes.hpp"

#ifdef __clang__
#define DALEMBERT_OPAQUE [[gnu::noinline]] inline
#else
#define DALEMBERT_OPAQUE [[gnu::noipa]] inline
#endif

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {
namespace detail {

/// Pack of the type of the first argument with the value in every place.
template <class V>
DALEMBERT_ALWAYS_INLINE V broadcast_as(V /*pack*/, double value) {
  return value - V{};
}
/// a < b as words of all ones or zero, for a double as for a register.
template <class V>
DALEMBERT_ALWAYS_INLINE WordOf<V> less(V a, V b) {
  if constexpr (sizeof(V) == sizeof(double))
    return a < b ? -1LL : 0LL;
  else
    return __builtin_bit_cast(WordOf<V>, a < b);
}
/// a == b as words of all ones or zero, for a double as for a register.
template <class V>
DALEMBERT_ALWAYS_INLINE WordOf<V> equal(V a, V b) {
  if constexpr (sizeof(V) == sizeof(double))
    return a == b ? -1LL : 0LL;
  else
    return __builtin_bit_cast(WordOf<V>, a == b);
}

/// y, but f(x) in the places of the mask, one after the other. Rare, hence not inlined.
template <class V>
DALEMBERT_OPAQUE V pack_repaired(V y, V x, WordOf<V> where, double (*f)(double)) {
  if constexpr (sizeof(V) == sizeof(double)) {
    return where != 0 ? f(x) : y;
  } else {
    for (int i = 0; i < static_cast<int>(sizeof(V) / sizeof(double)); ++i)
      if (where[i] != 0) y[i] = f(x[i]);
    return y;
  }
}

// In this order: each needs those before it.
// clang-format off
#include "dalembert/numeric/arithmetic/bits.h"
#include "dalembert/numeric/arithmetic/sums.h"
#include "dalembert/numeric/arithmetic/twofold.h"
#include "dalembert/numeric/arithmetic/exponential.h"
#include "dalembert/numeric/arithmetic/huge_angles.h"
#include "dalembert/numeric/arithmetic/trigonometry.h"
#include "dalembert/numeric/arithmetic/inverse.h"
#include "dalembert/numeric/arithmetic/hyperbolic.h"
#include "dalembert/numeric/arithmetic/power.h"
// clang-format on

}  // namespace detail
}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
