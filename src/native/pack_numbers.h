/* What C on packs of doubles has in the place of lanes: packs are vectors of GCC and clang, Number,
   with words of all ones or zero, Mask. */

DALEMBERT_PACK_FUNCTION
Number broadcast(double value) { return value - (Number){0.0}; }

DALEMBERT_PACK_FUNCTION
Mask nowhere(void) { return (Mask){0}; }

DALEMBERT_PACK_FUNCTION
Mask everywhere(void) { return ~(Mask){0}; }

DALEMBERT_PACK_FUNCTION
Word to_word(Number x) { return (Word)x; }

DALEMBERT_PACK_FUNCTION
Bits to_bits(Number x) { return (Bits)x; }

DALEMBERT_PACK_FUNCTION
Number to_real(Word word) { return (Number)word; }

DALEMBERT_PACK_FUNCTION
Number real_of_bits(Bits bits) { return (Number)bits; }

DALEMBERT_PACK_FUNCTION
Number broadcast_as(Number pack, double value) {
  (void)pack;
  return broadcast(value);
}

DALEMBERT_PACK_FUNCTION
Word less(Number a, Number b) { return a < b; }

DALEMBERT_PACK_FUNCTION
Word equal(Number a, Number b) { return a == b; }

DALEMBERT_PACK_FUNCTION
Number pack_select(Word mask, Number a, Number b) {
  return to_real((to_word(a) & mask) | (to_word(b) & ~mask));
}

DALEMBERT_PACK_FUNCTION
Number select(Mask mask, Number a, Number b) { return pack_select(mask, a, b); }

DALEMBERT_PACK_FUNCTION
int any(Mask mask) {
#if defined(__AVX512DQ__) && DALEMBERT_PACK_WIDTH == 8
  return __builtin_ia32_cvtq2mask512(mask) != 0;
#elif defined(__AVX__) && DALEMBERT_PACK_WIDTH == 4
  return __builtin_ia32_movmskpd256((Number)mask) != 0;
#elif defined(__SSE2__) && DALEMBERT_PACK_WIDTH == 2
  return __builtin_ia32_movmskpd((Number)mask) != 0;
#else
  long long all_bits = 0;
  for (int i = 0; i < DALEMBERT_PACK_WIDTH; ++i) all_bits |= mask[i];
  return all_bits != 0;
#endif
}

DALEMBERT_PACK_FUNCTION
Mask negation(Mask mask) { return ~mask; }

DALEMBERT_PACK_FUNCTION
int all(Mask mask) { return !any(~mask); }

DALEMBERT_PACK_FUNCTION
int rarely(int condition) { return __builtin_expect(condition, 0); }

DALEMBERT_PACK_FUNCTION
int pack_any(Word mask) { return any(mask); }

DALEMBERT_RARE_FUNCTION
Number pack_repaired(Number y, Number x, Word where, double (*f)(double)) {
  for (int i = 0; i < DALEMBERT_PACK_WIDTH; ++i)
    if (where[i]) y[i] = f(x[i]);
  return y;
}

DALEMBERT_PACK_FUNCTION
Number pack_sqrt(Number x) {
#ifdef __clang__  /* whose later versions have no other root */
#if __has_builtin(__builtin_elementwise_sqrt)
#define PREFIX_elementwise_sqrt
#endif
#endif
#ifdef PREFIX_elementwise_sqrt
  return __builtin_elementwise_sqrt(x);
#elif defined(__AVX512F__) && defined(__clang__) && DALEMBERT_PACK_WIDTH == 8
  return __builtin_ia32_sqrtpd512(x, 4);
#elif defined(__AVX512F__) && DALEMBERT_PACK_WIDTH == 8
  return __builtin_ia32_sqrtpd512_mask(x, x, (signed char)-1, 4);
#elif defined(__AVX__) && DALEMBERT_PACK_WIDTH == 4
  return __builtin_ia32_sqrtpd256(x);
#elif defined(__SSE2__) && DALEMBERT_PACK_WIDTH == 2
  return __builtin_ia32_sqrtpd(x);
#else
  for (int i = 0; i < DALEMBERT_PACK_WIDTH; ++i) x[i] = DALEMBERT_LIBRARY(sqrt)(x[i]);
  return x;
#endif
}
