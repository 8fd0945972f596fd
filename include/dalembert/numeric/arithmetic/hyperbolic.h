/* Hyperbolic functions. */

/* 2^(1-n) sinh and 2^(1-n) cosh of a number from 0 on, and n, in numbers of twice the precision. */
DALEMBERT_STRUCT(Hyperbolic) {
  DALEMBERT_TYPE(Twofold) sine, cosine;
  Number n;
};

DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Hyperbolic) hyperbolic_of(Number unlimited) {
  /* Beyond 711 the results are inf all the same; a nan passes. */
  const Number most = broadcast_as(unlimited, 711.0);
  const DALEMBERT_TYPE(Exponent) e =
      exponent_of(pack_select(less(most, unlimited), most, unlimited));
  const DALEMBERT_TYPE(Exponential) grown = exp_near_zero(e.high, e.low);
  const DALEMBERT_TYPE(Twofold) up = sum_of_ordered(grown.one_and, grown.rest);
  const DALEMBERT_TYPE(Twofold) down =
      twofold_quotient(twofold_of(broadcast_as(up.high, 1.0), broadcast_as(up.high, 0.0)), up);
  /* 2^-2n; from n = 100 on it adds nothing. */
  const Number least = broadcast_as(e.n, 100.0);
  const Number few = pack_select(less(least, e.n), least, e.n);
  const Number shrink = power_of_two(integer_shift - 2.0 * few);
  DALEMBERT_TYPE(Hyperbolic) value;
  value.sine = sum_of_ordered(up.high, -shrink * down.high);
  value.cosine = sum_of_ordered(up.high, shrink * down.high);
  value.sine.low = value.sine.low + (up.low - shrink * down.low);
  value.cosine.low = value.cosine.low + (up.low + shrink * down.low);
  value.n = e.n;
  return value;
}

/* sinh(x) - x for |x| <= 1, relative to sinh(x) to 2^-55. */
DALEMBERT_PACK_FUNCTION
Number sinh_beyond_argument(Number x) {
  /* (sinh x / x - 1) / x^2 in x^2, 2^-56.5 */
  const double s1 = 0x1.5555555555556p-3, s2 = 0x1.11111111110a6p-7, s3 = 0x1.a01a01a0289bbp-13,
               s4 = 0x1.71de3a4659949p-19, s5 = 0x1.ae64671c5ecf8p-26, s6 = 0x1.611a5599f692dp-33,
               s7 = 0x1.b4c783f3356cep-41;
  const Number z = x * x, w = z * z;
  return x * z * ((s1 + z * s2) + w * ((s3 + z * s4) + w * ((s5 + z * s6) + w * s7)));
}

/* sinh(x), error below 0.85 units in the last place; inf beyond the range of double. */
DALEMBERT_LONG_FUNCTION
Number pack_sinh(Number x) {
  const Number size = pack_abs(x), one = broadcast_as(x, 1.0);
  const DALEMBERT_TYPE(Hyperbolic) h = hyperbolic_of(size);
  const Number large = times_power_of_two(h.sine.high + h.sine.low, h.n - 1.0);
  return pack_select(less(size, one), x + sinh_beyond_argument(x), pack_copysign(large, x));
}

/* cosh(x), error below 0.85 units in the last place; inf beyond the range of double. */
DALEMBERT_LONG_FUNCTION
Number pack_cosh(Number x) {
  const DALEMBERT_TYPE(Hyperbolic) h = hyperbolic_of(pack_abs(x));
  return times_power_of_two(h.cosine.high + h.cosine.low, h.n - 1.0);
}

/* tanh(x), error below 1.2 units in the last place. */
DALEMBERT_LONG_FUNCTION
Number pack_tanh(Number x) {
  const Number size = pack_abs(x), one = broadcast_as(x, 1.0);
  const DALEMBERT_TYPE(Hyperbolic) h = hyperbolic_of(size);
  /* Below 1, where n is 0 or 1, the sine by its series, at the scale of the cosine: 2^(1-n). */
  const DALEMBERT_TYPE(WordOf) small = less(size, one);
  const Number limited = pack_select(small, size, one), scale = 2.0 - pack_select(small, h.n, one);
  const DALEMBERT_TYPE(Twofold) sine =
      sum_of_ordered(scale * limited, scale * sinh_beyond_argument(limited));
  const DALEMBERT_TYPE(Twofold) quotient =
      twofold_quotient(twofold_of(pack_select(small, sine.high, h.sine.high),
                                  pack_select(small, sine.low, h.sine.low)),
                       h.cosine);
  return pack_copysign(quotient.high + quotient.low, x);
}
