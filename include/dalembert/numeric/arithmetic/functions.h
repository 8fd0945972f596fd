/* Elementary functions where the reduction or the exponent leaves its range: there the C library
   is asked. */

/* `sine_and_cosine` where an x is beyond largest_near_angle. */
DALEMBERT_RARE_FUNCTION
DALEMBERT_TYPE(SinCos) sine_and_cosine_of_far(Number x, DALEMBERT_TYPE(mask_of) far) {
  DALEMBERT_TYPE(SinCos) value = sin_cos_of_far(x);
  const DALEMBERT_TYPE(mask_of) large = negation(abs(x) <= largest_reduced_angle);
  if (!all(far)) {
    const DALEMBERT_TYPE(SinCos) near = sin_cos_of_near(x);
    value.sine = select(far, value.sine, near.sine);
    value.cosine = select(far, value.cosine, near.cosine);
  }
  if (any(large)) {
    value.sine = repaired(value.sine, x, large, library_sin);
    value.cosine = repaired(value.cosine, x, large, library_cos);
  }
  return value;
}

/* sin(x) and cos(x), error below 0.85 units in the last place for |x| <= 1e9, the sign of zero
   kept. Beyond 1e9 from the C library; nan for inf and nan. */
DALEMBERT_FUNCTION
DALEMBERT_TYPE(SinCos) sine_and_cosine(Number x) {
  const DALEMBERT_TYPE(mask_of) far = negation(abs(x) <= largest_near_angle);
  return rarely(any(far)) ? sine_and_cosine_of_far(x, far) : sin_cos_of_near(x);
}

/* sin(x), the same bits as from `sine_and_cosine`. */
DALEMBERT_FUNCTION
Number sin(Number x) { return sine_and_cosine(x).sine; }

/* cos(x), the same bits as from `sine_and_cosine`. */
DALEMBERT_FUNCTION
Number cos(Number x) { return sine_and_cosine(x).cosine; }

/* log(x), error below 0.9 units in the last place; -inf at 0, nan below. Subnormal numbers, 0, inf
   and nan go to the C library. */
DALEMBERT_FUNCTION
Number log(Number x) {
  const Number value = normal_log(x);
  const DALEMBERT_TYPE(mask_of) odd = negation((x >= 0x1p-1022) & (x < infinity));
  return rarely(any(odd)) ? repaired(value, x, odd, library_log) : value;
}
