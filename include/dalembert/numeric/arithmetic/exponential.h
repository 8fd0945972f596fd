/* Exponential and logarithm. The polynomials are minimax fits, as those of the sine. */

/* A number as n log 2 + high + low, with an integer n and |high| <= log(2)/2 and a rounding beyond;
   for |x| < 2^20. */
DALEMBERT_STRUCT(Exponent) { Number n, high, low; };

DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Exponent) exponent_of(Number x) {
  const double log2_e = 0x1.71547652b82fep+0;
  const double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
  DALEMBERT_TYPE(Exponent) e;
  e.n = (x * log2_e + integer_shift) - integer_shift;
  const Number high = x - e.n * ln2_high, low = e.n * ln2_low;
  e.high = high - low;
  e.low = (high - e.high) - low;
  return e;
}

/* exp(r + r_low) = one_and + rest. What rounding r + r^2/2 loses is in the rest: that is half of
   the error otherwise. */
DALEMBERT_STRUCT(Exponential) { Number one_and, rest; };

DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Exponential) exp_near_zero(Number r, Number r_low) {
  /* (exp x - 1 - x - x^2/2) / x^3, 2^-60 */
  const double c3 = 0x1.5555555555556p-3, c4 = 0x1.5555555555556p-5, c5 = 0x1.11111111109b5p-7,
               c6 = 0x1.6c16c16c15dcap-10, c7 = 0x1.a01a01a7c2dcdp-13, c8 = 0x1.a01a01a9346a0p-16,
               c9 = 0x1.71de0db33dadcp-19, c10 = 0x1.27e4d4d90189fp-22, c11 = 0x1.af389e2f8f7e0p-26,
               c12 = 0x1.1f7f1e2a664b8p-29;
  const Number z = r * r, w = z * z;
  const Number tail = ((c3 + r * c4) + z * (c5 + r * c6)) +
                      w * (((c7 + r * c8) + z * (c9 + r * c10)) + w * (c11 + r * c12));
  const Number half = 0.5 * z, sum = r + half, lost = (r - sum) + half;
  DALEMBERT_TYPE(Exponential) value;
  value.one_and = 1.0 + sum;
  const Number lost_too = (1.0 - value.one_and) + sum;
  value.rest = lost_too + (lost + (r * z * tail + (r_low + r * r_low)));
  return value;
}

/* 2^n, where `shifted` is n + integer_shift and n an exponent of double. */
DALEMBERT_PACK_FUNCTION
Number power_of_two(Number shifted) { return real_of_bits((to_bits(shifted) + 1023) << 52); }

/* 2^n y in two factors, since n alone may leave the range of exponents. */
DALEMBERT_PACK_FUNCTION
Number times_power_of_two(Number y, Number n) {
  const Number shifted = 0.5 * n + integer_shift, half = shifted - integer_shift;
  return y * power_of_two(shifted) * power_of_two((n - half) + integer_shift);
}

/* exp(x), error below 0.6 units in the last place (1 where the result is subnormal); inf and 0
   beyond the range of double. */
DALEMBERT_PACK_FUNCTION
Number pack_exp(Number unlimited) {
  /* Beyond these the result is inf or 0 all the same; a nan passes. */
  const Number most = broadcast_as(unlimited, 710.0), least = broadcast_as(unlimited, -746.0);
  const Number below = pack_select(less(most, unlimited), most, unlimited);
  const DALEMBERT_TYPE(Exponent) e = exponent_of(pack_select(less(below, least), least, below));
  const DALEMBERT_TYPE(Exponential) value = exp_near_zero(e.high, e.low);
  return times_power_of_two(value.one_and + value.rest, e.n);
}

/* A positive normal finite number as 2^n m with m in [sqrt(1/2), sqrt(2)); unsigned words, which
   may wrap. */
DALEMBERT_STRUCT(Significand) { Number n, m; };

DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Significand) significand_of(Number x) {
  const unsigned long long sqrt_half = 0x3fe6a09e667f3bcdULL, not_significand = 0xfffULL << 52;
  const DALEMBERT_TYPE(BitsOf) word = to_bits(x);
  const DALEMBERT_TYPE(BitsOf) power = (word - sqrt_half) & not_significand;
  /* n + 1024 as the last digits of 2^52 + n + 1024: a double without a conversion. */
  const DALEMBERT_TYPE(BitsOf) digits = (power + (1024ULL << 52)) >> 52;
  DALEMBERT_TYPE(Significand) part;
  part.m = real_of_bits(word - power);
  part.n = real_of_bits(digits | 0x4330000000000000ULL) - (0x1p52 + 1024.0);
  return part;
}

/* log(2^n m), error below 0.9 units in the last place. */
DALEMBERT_PACK_FUNCTION
Number log_of_significand(Number n, Number m) {
  const double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
  /* (log((1 + s)/(1 - s)) / s - 2) / s^2 in s^2, 2^-58 */
  const double l1 = 0x1.5555555555592p-1, l2 = 0x1.999999997fdbep-2, l3 = 0x1.24924941f0efbp-2,
               l4 = 0x1.c71c52097c584p-3, l5 = 0x1.74663ee269343p-3, l6 = 0x1.39a1bb601d16fp-3,
               l7 = 0x1.2f055bf1805c1p-3;
  const Number f = m - 1.0, s = f / (2.0 + f), z = s * s, w = z * z;
  const Number tail = z * ((l1 + z * l2) + w * ((l3 + z * l4) + w * ((l5 + z * l6) + w * l7)));
  const Number half = 0.5 * f * f;
  return n * ln2_high - ((half - (s * (half + tail) + n * ln2_low)) - f);
}

/* log(x) for positive normal finite x; garbage, but no trap, elsewhere. */
DALEMBERT_PACK_FUNCTION
Number pack_log(Number x) {
  const DALEMBERT_TYPE(Significand) part = significand_of(x);
  return log_of_significand(part.n, part.m);
}

/* log(x) for positive subnormal x. */
DALEMBERT_PACK_FUNCTION
Number pack_log_of_subnormal(Number x) {
  const DALEMBERT_TYPE(Significand) part = significand_of(0x1p54 * x);
  return log_of_significand(part.n - 54.0, part.m);
}
