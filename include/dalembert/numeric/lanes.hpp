#pragma once
/// \file
/// Lanes: N doubles that advance together, one trajectory per lane, and the vocabulary with which a
/// template is written once for one number and for lanes.
///
/// Every operation is the IEEE operation on each lane, so a lane holds the same bits as the same
/// computation on one `double` (the payload and sign of a NaN excepted).

#include "dalembert/numeric/packs.hpp"

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// N truth values, one per lane: the result of comparing Lanes. Stored as words of all ones or
/// zero.
template <int N>
struct Mask {
  /// Lanes of a pack.
  static constexpr int width = N < detail::native_width ? N : detail::native_width;
  static constexpr int packs = N / width;  ///< number of packs
  using Word = typename detail::PackOf<width>::Word;
  static_assert(N >= 2 && N % width == 0, "the number of lanes is a power of two");

  Word pack[packs];  ///< words of the lanes, pack after pack

  Mask() = default;
  DALEMBERT_ALWAYS_INLINE Mask(bool everywhere) {
    for (int k = 0; k < packs; ++k) pack[k] = Word{} - (everywhere ? 1LL : 0LL);
  }
  /// The truth value of one lane.
  DALEMBERT_ALWAYS_INLINE bool get(int lane) const { return pack[lane / width][lane % width] != 0; }
  /// Sets the truth value of one lane.
  DALEMBERT_ALWAYS_INLINE void set(int lane, bool value) {
    pack[lane / width][lane % width] = value ? -1 : 0;
  }
  DALEMBERT_ALWAYS_INLINE friend Mask operator&(const Mask& a, const Mask& b) {
    Mask r;
    for (int k = 0; k < packs; ++k) r.pack[k] = a.pack[k] & b.pack[k];
    return r;
  }
  DALEMBERT_ALWAYS_INLINE friend Mask operator|(const Mask& a, const Mask& b) {
    Mask r;
    for (int k = 0; k < packs; ++k) r.pack[k] = a.pack[k] | b.pack[k];
    return r;
  }
  DALEMBERT_ALWAYS_INLINE friend Mask operator!(const Mask& a) {
    Mask r;
    for (int k = 0; k < packs; ++k) r.pack[k] = ~a.pack[k];
    return r;
  }
  DALEMBERT_ALWAYS_INLINE friend bool any(const Mask& a) {
    Word sum = a.pack[0];
    for (int k = 1; k < packs; ++k) sum |= a.pack[k];
    return detail::pack_any(sum);
  }
  DALEMBERT_ALWAYS_INLINE friend bool none(const Mask& a) { return !any(a); }
  DALEMBERT_ALWAYS_INLINE friend bool all(const Mask& a) { return !any(!a); }
};

/// N doubles, one per lane, with the arithmetic of `double` on each. A `double` broadcasts.
/// Aligned to a machine register, so arrays on the heap need an aligned allocation.
template <int N>
struct Lanes {
  static constexpr int size = N;                ///< number of lanes
  static constexpr int width = Mask<N>::width;  ///< lanes of a pack
  static constexpr int packs = Mask<N>::packs;  ///< number of packs
  using Pack = typename detail::PackOf<width>::Real;

  Pack pack[packs];  ///< numbers of the lanes, pack after pack

  Lanes() = default;
  // By whole packs: a compiler's own copy may go in smaller pieces, and reading a pack soon after
  // that waits for the pieces to reach the cache.
  DALEMBERT_ALWAYS_INLINE Lanes(const Lanes& other) {
    for (int k = 0; k < packs; ++k) pack[k] = other.pack[k];
  }
  DALEMBERT_ALWAYS_INLINE Lanes& operator=(const Lanes& other) {
    for (int k = 0; k < packs; ++k) pack[k] = other.pack[k];
    return *this;
  }
  /// One value in every lane. (Subtracting zero, not adding it, keeps the sign of -0.)
  DALEMBERT_ALWAYS_INLINE Lanes(double value) {
    for (int k = 0; k < packs; ++k) pack[k] = value - Pack{};
  }

  /// The number of one lane.
  DALEMBERT_ALWAYS_INLINE double get(int lane) const { return pack[lane / width][lane % width]; }
  /// Sets the number of one lane.
  DALEMBERT_ALWAYS_INLINE void set(int lane, double value) {
    pack[lane / width][lane % width] = value;
  }
  /// Reads N doubles that need no alignment.
  DALEMBERT_ALWAYS_INLINE static Lanes load(const double* from) {
    Lanes r;
    for (int k = 0; k < packs; ++k) __builtin_memcpy(&r.pack[k], from + k * width, sizeof(Pack));
    return r;
  }
  /// Writes N doubles to where no alignment is needed.
  DALEMBERT_ALWAYS_INLINE void store(double* to) const {
    for (int k = 0; k < packs; ++k) __builtin_memcpy(to + k * width, &pack[k], sizeof(Pack));
  }

#define DALEMBERT_LANES_ARITHMETIC(op)                                      \
  DALEMBERT_ALWAYS_INLINE friend Lanes operator op(Lanes a, Lanes b) {      \
    Lanes r;                                                                \
    for (int k = 0; k < packs; ++k) r.pack[k] = a.pack[k] op b.pack[k];     \
    return r;                                                               \
  }                                                                         \
  DALEMBERT_ALWAYS_INLINE friend Lanes& operator op##=(Lanes& a, Lanes b) { \
    for (int k = 0; k < packs; ++k) a.pack[k] = a.pack[k] op b.pack[k];     \
    return a;                                                               \
  }
  DALEMBERT_LANES_ARITHMETIC(+)
  DALEMBERT_LANES_ARITHMETIC(-)
  DALEMBERT_LANES_ARITHMETIC(*)
  DALEMBERT_LANES_ARITHMETIC(/)
#undef DALEMBERT_LANES_ARITHMETIC

  DALEMBERT_ALWAYS_INLINE friend Lanes operator-(Lanes a) {
    for (int k = 0; k < packs; ++k) a.pack[k] = -a.pack[k];
    return a;
  }
  DALEMBERT_ALWAYS_INLINE friend Lanes operator+(Lanes a) { return a; }

#define DALEMBERT_LANES_COMPARISON(op)                                                \
  DALEMBERT_ALWAYS_INLINE friend Mask<N> operator op(Lanes a, Lanes b) {              \
    Mask<N> r;                                                                        \
    for (int k = 0; k < packs; ++k)                                                   \
      r.pack[k] = __builtin_bit_cast(typename Mask<N>::Word, a.pack[k] op b.pack[k]); \
    return r;                                                                         \
  }
  DALEMBERT_LANES_COMPARISON(<)
  DALEMBERT_LANES_COMPARISON(<=)
  DALEMBERT_LANES_COMPARISON(>)
  DALEMBERT_LANES_COMPARISON(>=)
  DALEMBERT_LANES_COMPARISON(==)
  DALEMBERT_LANES_COMPARISON(!=)
#undef DALEMBERT_LANES_COMPARISON

  /// In each lane a where the mask is true, b where it is false.
  DALEMBERT_ALWAYS_INLINE friend Lanes select(Mask<N> mask, Lanes a, Lanes b) {
    for (int k = 0; k < packs; ++k)
      a.pack[k] = detail::pack_select(mask.pack[k], a.pack[k], b.pack[k]);
    return a;
  }
};

// The same words for one number of any type: its mask is a bool.

/// Type `mask_of<T>` of a number.
template <class T>
struct MaskOf {
  using type = bool;
};
/// Type `mask_of<T>` of lanes.
template <int N>
struct MaskOf<Lanes<N>> {
  using type = Mask<N>;
};
/// Type of a comparison of two T: `Mask<N>` for `Lanes<N>`, `bool` for a number.
template <class T>
using mask_of = typename MaskOf<T>::type;

/// Number of lanes of a T: N for `Lanes<N>`, else 1.
template <class T>
inline constexpr int lane_count = 1;
template <int N>
inline constexpr int lane_count<Lanes<N>> = N;  ///< number of lanes

namespace detail {
/// T itself, where it is not to be deduced.
template <class T>
struct Identity {
  using type = T;
};
}  // namespace detail

/// a if the condition holds, else b. The type of a decides the type of the result.
template <class T>
DALEMBERT_ALWAYS_INLINE constexpr T select(bool condition, const T& a,
                                           const typename detail::Identity<T>::type& b) {
  return condition ? a : b;
}
/// True if the condition holds in any lane; here there is one.
DALEMBERT_ALWAYS_INLINE constexpr bool any(bool condition) { return condition; }
/// True if the condition holds in all lanes; here there is one.
DALEMBERT_ALWAYS_INLINE constexpr bool all(bool condition) { return condition; }
/// True if the condition holds in no lane; here there is one.
DALEMBERT_ALWAYS_INLINE constexpr bool none(bool condition) { return !condition; }

/// True where the condition is false.
DALEMBERT_ALWAYS_INLINE constexpr bool negation(bool condition) { return !condition; }
/// True in each lane where the condition is false.
template <int N>
DALEMBERT_ALWAYS_INLINE Mask<N> negation(const Mask<N>& mask) {
  return !mask;
}
/// The condition, which is nearly always false.
DALEMBERT_ALWAYS_INLINE constexpr bool rarely(bool condition) {
  return __builtin_expect(static_cast<long>(condition), 0L) != 0;
}

/// One lane of a value; of a plain number the number itself, whatever the lane.
template <class T>
DALEMBERT_ALWAYS_INLINE T get_lane(const T& value, int /*lane*/) {
  return value;
}
/// The number of one lane.
template <int N>
DALEMBERT_ALWAYS_INLINE double get_lane(const Lanes<N>& value, int lane) {
  return value.get(lane);
}
/// The truth value of one lane.
template <int N>
DALEMBERT_ALWAYS_INLINE bool get_lane(const Mask<N>& value, int lane) {
  return value.get(lane);
}
/// Sets one lane of a value; of a plain number the number itself, whatever the lane.
template <class T>
DALEMBERT_ALWAYS_INLINE void set_lane(T& to, int /*lane*/, const T& value) {
  to = value;
}
/// Sets the number of one lane.
template <int N>
DALEMBERT_ALWAYS_INLINE void set_lane(Lanes<N>& to, int lane, double value) {
  to.set(lane, value);
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
