/* Elementary functions where the reduction or the exponent leaves its range. */

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
    const DALEMBERT_TYPE(SinCos) largest = sin_cos_of_largest(x);
    value.sine = select(large, largest.sine, value.sine);
    value.cosine = select(large, largest.cosine, value.cosine);
  }
  return value;
}

/* sin(x) and cos(x), error below 0.85 units in the last place, the sign of zero kept; nan for inf
   and nan. */
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

/* log(x) where x is no positive normal finite number. */
DALEMBERT_RARE_FUNCTION
Number log_of_odd(Number x) {
  const Number zero = Number(0.0), end = Number(infinity);
  const Number beside = select(x == zero, -end, select(x == end, x, Number(DALEMBERT_NAN)));
  return select((x > zero) & (x < end), log_of_subnormal(x), beside);
}

/* log(x), error below 0.9 units in the last place; -inf at 0, nan below. */
DALEMBERT_FUNCTION
Number log(Number x) {
  const Number value = normal_log(x);
  const DALEMBERT_TYPE(mask_of) odd = negation((x >= 0x1p-1022) & (x < infinity));
  return rarely(any(odd)) ? select(odd, log_of_odd(x), value) : value;
}
