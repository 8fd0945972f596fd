/* Powers with any exponent. */

/* log(x) in twice the precision, relative error below 2^-68, for positive numbers. */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Twofold) twofold_log(Number x) {
  const double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
  const double third = 0x1.5555555555555p-2, third_low = 0x1.5555555555555p-56;
  const double fifth = 0x1.999999999999ap-3, fifth_low = -0x1.999999999999ap-57;
  /* (atanh(s)/s - 1 - s^2/3 - s^4/5) / s^6 in s^2; 2^-72.7 of atanh(s)/s */
  const double l1 = 0x1.24924924927d2p-3, l2 = 0x1.c71c71c659134p-4, l3 = 0x1.745d17d7fe9c5p-4,
               l4 = 0x1.3b13780326846p-4, l5 = 0x1.111dd6b144b1dp-4, l6 = 0x1.de9d16a814282p-5,
               l7 = 0x1.e7ec90d7ea4dbp-5;
  const Number zero = broadcast_as(x, 0.0), one = broadcast_as(x, 1.0);
  const DALEMBERT_TYPE(WordOf) subnormal = less(x, broadcast_as(x, 0x1p-1022));
  const DALEMBERT_TYPE(Significand) part =
      significand_of(x * pack_select(subnormal, broadcast_as(x, 0x1p54), one));
  const Number n = part.n - pack_select(subnormal, broadcast_as(x, 54.0), zero);
  const Number f = part.m - 1.0;
  const DALEMBERT_TYPE(Twofold) s =
      twofold_quotient(twofold_of(f, zero), sum_of_ordered(broadcast_as(x, 2.0), f));
  const DALEMBERT_TYPE(Twofold) z = twofold_product(s, s);
  const Number w = z.high * z.high;
  const Number tail = z.high * (((l1 + z.high * l2) + w * (l3 + z.high * l4)) +
                                (w * w) * ((l5 + z.high * l6) + w * l7));
  DALEMBERT_TYPE(Twofold) sum = sum_of_ordered(broadcast_as(x, fifth), tail);
  sum.low = sum.low + fifth_low;
  const DALEMBERT_TYPE(Twofold) second = twofold_product(z, sum);
  sum = sum_of_ordered(broadcast_as(x, third), second.high);
  sum.low = sum.low + (third_low + second.low);
  const DALEMBERT_TYPE(Twofold) first = twofold_product(z, sum);
  sum = sum_of_ordered(one, first.high);
  sum.low = sum.low + first.low;
  const DALEMBERT_TYPE(Twofold) half = twofold_product(s, sum);
  DALEMBERT_TYPE(Twofold) value = sum_of(n * ln2_high, 2.0 * half.high);
  value.low = value.low + (n * ln2_low + 2.0 * half.low);
  return sum_of_ordered(value.high, value.low);
}

/* exp(t), error below 0.6 units in the last place (1 where the result is subnormal). */
DALEMBERT_PACK_FUNCTION
Number exp_of_twofold(DALEMBERT_TYPE(Twofold) t) {
  const Number zero = broadcast_as(t.high, 0.0);
  const Number most = broadcast_as(t.high, 710.0), least = broadcast_as(t.high, -746.0);
  const DALEMBERT_TYPE(WordOf) inside = less(t.high, most) & less(least, t.high);
  const Number below = pack_select(less(most, t.high), most, t.high);
  const DALEMBERT_TYPE(Exponent) e = exponent_of(pack_select(less(below, least), least, below));
  const DALEMBERT_TYPE(Twofold) rest = sum_of(e.high, pack_select(inside, t.low, zero));
  const DALEMBERT_TYPE(Exponential) value = exp_near_zero(rest.high, rest.low + e.low);
  return times_power_of_two(value.one_and + value.rest, e.n);
}

/* x^y, error below 0.6 units in the last place (1 where the result is subnormal). nan for x < 0
   unless y is an integer; zeros, infinities and nan as in C. */
DALEMBERT_LONG_FUNCTION
Number pack_pow(Number x, Number y) {
  const Number zero = broadcast_as(x, 0.0), one = broadcast_as(x, 1.0);
  const Number unbounded = broadcast_as(x, infinity), size = pack_abs(x), half = 0.5 * y;
  DALEMBERT_TYPE(Twofold) logarithm = twofold_log(size);
  const Number end = pack_select(equal(size, zero), -unbounded, unbounded);
  const DALEMBERT_TYPE(WordOf) inside = less(zero, size) & less(size, unbounded);
  logarithm.high = pack_select(inside, logarithm.high, end);
  /* An exponent of 2^80 leaves the range of double whatever the base, but for 1. */
  const Number most = broadcast_as(x, 0x1p80);
  const Number limited = pack_select(less(most, pack_abs(y)), pack_copysign(most, y), y);
  DALEMBERT_TYPE(Twofold) product = product_of(limited, logarithm.high);
  product.low = product.low + limited * logarithm.low;
  Number value = exp_of_twofold(product);
  const DALEMBERT_TYPE(WordOf) is_whole = equal(pack_floor(y), y);
  const DALEMBERT_TYPE(WordOf) is_odd = is_whole & ~equal(pack_floor(half), half);
  value = pack_select(is_odd, pack_copysign(value, x), value);
  const DALEMBERT_TYPE(WordOf) is_real = is_whole | ~less(x, zero) | equal(size, unbounded);
  value = pack_select(is_real & equal(x, x) & equal(y, y), value,
                      pack_select(is_real, x + y, broadcast_as(x, DALEMBERT_NAN)));
  return pack_select(equal(y, zero) | equal(x, one), one, value);
}
