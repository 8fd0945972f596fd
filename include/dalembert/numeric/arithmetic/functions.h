/* Elementary functions where the reduction or the exponent leaves its range: there the C library
   is asked. */

/* sin(x) and cos(x), error below 0.85 units in the last place for |x| <= 1e9, the sign of zero
   kept. Beyond 1e9 from the C library; nan for inf and nan. */
DALEMBERT_FUNCTION
DALEMBERT_TYPE(SinCos) sine_and_cosine(Number x) {
  DALEMBERT_TYPE(SinCos) value = reduced_sin_cos(x);
  const DALEMBERT_TYPE(mask_of) large = negation(abs(x) <= largest_reduced_angle);
  if (rarely(any(large))) {
    value.sine = repaired(value.sine, x, large, library_sin);
    value.cosine = repaired(value.cosine, x, large, library_cos);
  }
  return value;
}

/* sin(x), the same bits as from `sine_and_cosine`. */
DALEMBERT_FUNCTION
Number sin(Number x) {
  const Number value = reduced_sin(x);
  const DALEMBERT_TYPE(mask_of) large = negation(abs(x) <= largest_reduced_angle);
  return rarely(any(large)) ? repaired(value, x, large, library_sin) : value;
}

/* cos(x), the same bits as from `sine_and_cosine`. */
DALEMBERT_FUNCTION
Number cos(Number x) {
  const Number value = reduced_cos(x);
  const DALEMBERT_TYPE(mask_of) large = negation(abs(x) <= largest_reduced_angle);
  return rarely(any(large)) ? repaired(value, x, large, library_cos) : value;
}

/* log(x), error below 0.9 units in the last place; -inf at 0, nan below. Subnormal numbers, 0, inf
   and nan go to the C library. */
DALEMBERT_FUNCTION
Number log(Number x) {
  const Number value = normal_log(x);
  const DALEMBERT_TYPE(mask_of) odd = negation((x >= 0x1p-1022) & (x < infinity));
  return rarely(any(odd)) ? repaired(value, x, odd, library_log) : value;
}
