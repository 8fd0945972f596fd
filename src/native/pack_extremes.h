/* The larger of two absolute values, in the order of their bits, of which a nan is the last. */
DALEMBERT_PACK_FUNCTION
Number larger_magnitude(Number a, Number b) { return pack_select(to_word(b) > to_word(a), b, a); }

/* The largest of the absolute values in a pack, in all of its places. */
DALEMBERT_PACK_FUNCTION
Number largest_magnitude(Number x) {
#if defined(__clang__) && DALEMBERT_PACK_WIDTH == 8
  x = larger_magnitude(x, __builtin_shufflevector(x, x, 4, 5, 6, 7, 0, 1, 2, 3));
  x = larger_magnitude(x, __builtin_shufflevector(x, x, 2, 3, 0, 1, 6, 7, 4, 5));
  return larger_magnitude(x, __builtin_shufflevector(x, x, 1, 0, 3, 2, 5, 4, 7, 6));
#elif defined(__clang__) && DALEMBERT_PACK_WIDTH == 4
  x = larger_magnitude(x, __builtin_shufflevector(x, x, 2, 3, 0, 1));
  return larger_magnitude(x, __builtin_shufflevector(x, x, 1, 0, 3, 2));
#elif DALEMBERT_PACK_WIDTH == 8
  x = larger_magnitude(x, __builtin_shuffle(x, (Word){4, 5, 6, 7, 0, 1, 2, 3}));
  x = larger_magnitude(x, __builtin_shuffle(x, (Word){2, 3, 0, 1, 6, 7, 4, 5}));
  return larger_magnitude(x, __builtin_shuffle(x, (Word){1, 0, 3, 2, 5, 4, 7, 6}));
#elif DALEMBERT_PACK_WIDTH == 4
  x = larger_magnitude(x, __builtin_shuffle(x, (Word){2, 3, 0, 1}));
  return larger_magnitude(x, __builtin_shuffle(x, (Word){1, 0, 3, 2}));
#else
  for (int i = 1; i < DALEMBERT_PACK_WIDTH; ++i) x = larger_magnitude(x, broadcast(x[i]));
  return broadcast(x[0]);
#endif
}
