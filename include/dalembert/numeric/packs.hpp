#pragma once
/// \file
/// Packs: what one machine register holds, and the few operations that compilers do not write with
/// an operator. Internal to this folder; `lanes.hpp` builds on it.
///
/// The headers of this folder are compiled once per instruction set, and by every user with options
/// of his own. The inline namespace keeps these copies apart, so that the linker never gives a
/// machine code that it cannot run, nor the library a user's rounding: the library's units are in
/// `library`, its kernels in namespaces of their instruction sets, everyone else's in `user`.

#ifdef __FAST_MATH__
#error "dalembert needs IEEE arithmetic: compile without -ffast-math and with -ffp-contract=off"
#endif
#ifndef DALEMBERT_INSTRUCTION_SET_NAMESPACE
#ifdef DALEMBERT_BUILDS_LIBRARY
#define DALEMBERT_INSTRUCTION_SET_NAMESPACE library
#else
#define DALEMBERT_INSTRUCTION_SET_NAMESPACE user
#define DALEMBERT_IS_USER 1
#endif
#endif
#define DALEMBERT_ALWAYS_INLINE [[gnu::always_inline]] inline
#define DALEMBERT_INLINE_LAMBDA __attribute__((always_inline))

// The arithmetic itself stands in `arithmetic/*.h`, in a language that is C as well as C++: what is
// compiled here and what is printed as C for others are one text. `Number` is a double, a pack, or
// lanes; in C a type. The words below are what the two languages do not share.
#define DALEMBERT_PACK_FUNCTION \
  template <class Number>       \
  DALEMBERT_ALWAYS_INLINE
// One that is called rather than inlined, for its size; and one that is rarely called.
#define DALEMBERT_LONG_FUNCTION \
  template <class Number>       \
  [[gnu::noinline]] inline
#define DALEMBERT_RARE_PACK_FUNCTION \
  template <class Number>            \
  DALEMBERT_OPAQUE
#define DALEMBERT_FUNCTION        \
  template <DoubleOrLanes Number> \
  inline
#define DALEMBERT_RARE_FUNCTION   \
  template <DoubleOrLanes Number> \
  DALEMBERT_OPAQUE
#define DALEMBERT_GENERIC_FUNCTION \
  template <class Number>          \
  inline
// In C a function that is compiled for the very size of a system, and a loop in it that may be
// unrolled: systems are small there. Here sizes are known when the step runs.
#define DALEMBERT_INLINED_FUNCTION DALEMBERT_GENERIC_FUNCTION
#define DALEMBERT_UNROLLED
#define DALEMBERT_STRUCT(name) \
  template <class Number>      \
  struct name
#define DALEMBERT_TYPE(name) name<Number>
#define DALEMBERT_CONSTANT inline constexpr
#define DALEMBERT_INFINITY __builtin_inf()
#define DALEMBERT_NAN __builtin_nan("")
// A function of one double, also where others compute with packs, and one of C's own.
#define DALEMBERT_DOUBLE_FUNCTION inline
#define DALEMBERT_LIBRARY(name) __builtin_##name

namespace dalembert::numeric {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

namespace detail {

/// Number of doubles in a machine register.
#if defined(__AVX512F__) && defined(__AVX512DQ__)
inline constexpr int native_width = 8;
#elif defined(__AVX__)
inline constexpr int native_width = 4;
#else
inline constexpr int native_width = 2;
#endif

// A pack is what one machine register holds: W doubles, or the W integers of a comparison.
using Pack2 [[gnu::vector_size(16)]] = double;
using Pack4 [[gnu::vector_size(32)]] = double;
using Pack8 [[gnu::vector_size(64)]] = double;
using Word2 [[gnu::vector_size(16)]] = long long;
using Word4 [[gnu::vector_size(32)]] = long long;
using Word8 [[gnu::vector_size(64)]] = long long;
using Bits2 [[gnu::vector_size(16)]] = unsigned long long;
using Bits4 [[gnu::vector_size(32)]] = unsigned long long;
using Bits8 [[gnu::vector_size(64)]] = unsigned long long;

/// Types of a pack of W doubles, of signed and of unsigned integers.
template <int W>
struct PackOf;
template <>
struct PackOf<1> {
  using Real = double;
  using Word = long long;
  using Bits = unsigned long long;
};
template <>
struct PackOf<2> {
  using Real = Pack2;
  using Word = Word2;
  using Bits = Bits2;
};
template <>
struct PackOf<4> {
  using Real = Pack4;
  using Word = Word4;
  using Bits = Bits4;
};
template <>
struct PackOf<8> {
  using Real = Pack8;
  using Word = Word8;
  using Bits = Bits8;
};
template <class V>
using WordOf = typename PackOf<static_cast<int>(sizeof(V) / sizeof(double))>::Word;
template <class V>
using BitsOf = typename PackOf<static_cast<int>(sizeof(V) / sizeof(double))>::Bits;
template <class I>
using RealOf = typename PackOf<static_cast<int>(sizeof(I) / sizeof(long long))>::Real;

/// Bits of a pack as signed integers.
template <class V>
DALEMBERT_ALWAYS_INLINE WordOf<V> to_word(V v) {
  return __builtin_bit_cast(WordOf<V>, v);
}
/// Pack with the bits of signed integers.
template <class I>
DALEMBERT_ALWAYS_INLINE RealOf<I> to_real(I i) {
  return __builtin_bit_cast(RealOf<I>, i);
}
/// Bits of a pack as unsigned integers.
template <class V>
DALEMBERT_ALWAYS_INLINE BitsOf<V> to_bits(V v) {
  return __builtin_bit_cast(BitsOf<V>, v);
}
/// Pack with the bits of unsigned integers.
template <class I>
DALEMBERT_ALWAYS_INLINE RealOf<I> real_of_bits(I i) {
  return __builtin_bit_cast(RealOf<I>, i);
}

/// a where the mask word is all ones, b where it is zero.
template <class V>
DALEMBERT_ALWAYS_INLINE V pack_select(WordOf<V> mask, V a, V b) {
#if defined(__SSE4_2__) || !defined(__x86_64__)
  if constexpr (sizeof(V) > sizeof(double)) return mask ? a : b;
#endif
  return to_real((to_word(a) & mask) | (to_word(b) & ~mask));
}

/// True if the sign bit of any word is set.
template <class I>
DALEMBERT_ALWAYS_INLINE bool pack_any(I mask) {
  constexpr int width = static_cast<int>(sizeof(I) / sizeof(long long));
  if constexpr (width == 1) {
    return mask < 0;
  } else {
#ifdef __AVX512DQ__
    if constexpr (width == 8) return __builtin_ia32_cvtq2mask512(mask) != 0;
#endif
#ifdef __AVX__
    if constexpr (width == 4) return __builtin_ia32_movmskpd256(to_real(mask)) != 0;
#endif
#ifdef __SSE2__
    if constexpr (width == 2) return __builtin_ia32_movmskpd(to_real(mask)) != 0;
#endif
    long long sum = 0;
    for (int i = 0; i < width; ++i) sum |= mask[i];
    return sum < 0;
  }
}

/// Square root of each member, correctly rounded.
template <class V>
DALEMBERT_ALWAYS_INLINE V pack_sqrt(V v) {
  constexpr int width = static_cast<int>(sizeof(V) / sizeof(double));
  if constexpr (width == 1) {
    return __builtin_sqrt(v);
  } else {
#if __has_builtin(__builtin_elementwise_sqrt)  // of a later clang, which has no other
    return __builtin_elementwise_sqrt(v);
#else
#if defined(__AVX512F__) && defined(__clang__)
    if constexpr (width == 8) return __builtin_ia32_sqrtpd512(v, 4);
#elif defined(__AVX512F__)
    if constexpr (width == 8)
      return __builtin_ia32_sqrtpd512_mask(v, v, static_cast<signed char>(-1), 4);
#endif
#ifdef __AVX__
    if constexpr (width == 4) return __builtin_ia32_sqrtpd256(v);
#endif
#ifdef __SSE2__
    if constexpr (width == 2) return __builtin_ia32_sqrtpd(v);
#endif
    V root{};
    for (int i = 0; i < width; ++i) root[i] = __builtin_sqrt(v[i]);
    return root;
#endif
  }
}

}  // namespace detail

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert::numeric
