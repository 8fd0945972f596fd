/* Sine and cosine. The polynomials are minimax fits (Remez exchange in 60 digits, coefficients
   rounded to double); the error of the fit, relative to the function, stands beside each. */

/* A number as high - low, low below 2^-47 of high. (The minus lets a zero keep its sign.) */
DALEMBERT_STRUCT(Split) { Number high, low; };

/* pi/2 as a sum: four parts of 23 bits, then 53 more; 145 bits in all. */
DALEMBERT_CONSTANT double half_pi_1 = 0x1.921fb4p+0;
DALEMBERT_CONSTANT double half_pi_2 = 0x1.4442dp-24;
DALEMBERT_CONSTANT double half_pi_3 = 0x1.846988p-48;
DALEMBERT_CONSTANT double half_pi_4 = 0x1.8cc514p-72;
DALEMBERT_CONSTANT double half_pi_5 = 0x1.80dc1cd129025p-95;

/* x - n pi/2 for an integer n next to x / (pi/2), |n| < 2^30, to a relative error of 2^-58 even
   for the x nearest to a multiple of pi/2. Why: each product with a part of 23 bits is exact, and
   so are the first two differences, because x and the product are multiples of ulp(x) or of 2^-46
   and what is left is small. From then on the rounding errors are kept; `a - b` loses exactly
   `(a - d) - b` when a is a multiple of ulp(b). */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Split) subtract_half_pis(Number x, Number n) {
  const Number r2 = (x - n * half_pi_1) - n * half_pi_2;
  const Number p3 = n * half_pi_3, r3 = r2 - p3, e3 = (r2 - r3) - p3;
  const Number p4 = n * half_pi_4, r4 = r3 - p4, e4 = (r3 - r4) - p4;
  const Number rest = n * half_pi_5 - (e3 + e4);
  DALEMBERT_TYPE(Split) difference;
  difference.high = r4 - rest;
  difference.low = rest - (r4 - difference.high);
  return difference;
}

/* sin and cos of r.high - r.low, |r| <= pi/4 and a rounding beyond, as sine - sine_rest and
   cosine + cosine_rest.
   The large terms are added last and exactly enough: sin r = r + (small), cos r = (1 - r^2/2 with
   its rounding error) + (small); r.low enters by the first term of its Taylor series. */
DALEMBERT_STRUCT(SinCosParts) { Number sine, sine_rest, cosine, cosine_rest; };

DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(SinCosParts) sin_cos_parts(DALEMBERT_TYPE(Split) r) {
  const Number x = r.high, z = x * x, w = z * z;
  /* (sin x / x - 1) / x^2, 2^-57 */
  const double s1 = -0x1.5555555555549p-3, s2 = 0x1.111111110f928p-7, s3 = -0x1.a01a019c34174p-13,
               s4 = 0x1.71de359ad96ecp-19, s5 = -0x1.ae5e82d9b9d66p-26, s6 = 0x1.5d9b20713dc6ep-33;
  /* (cos x - 1 + x^2/2) / x^4, 2^-60 */
  const double c1 = 0x1.555555555554bp-5, c2 = -0x1.6c16c16c15035p-10, c3 = 0x1.a01a019c8b4eep-16,
               c4 = -0x1.27e4f7e5386fcp-22, c5 = 0x1.1ee9cc6518105p-29, c6 = -0x1.8f9b5ba770c73p-37;
  const Number sin_tail = (s1 + z * s2) + w * ((s3 + z * s4) + w * (s5 + z * s6));
  const Number cos_tail = ((c1 + z * c2) + w * (c3 + z * c4)) + (w * w) * (c5 + z * c6);
  const Number half = 0.5 * z, rest = 1.0 - half;
  DALEMBERT_TYPE(SinCosParts) parts;
  parts.sine = x;
  parts.sine_rest = r.low * rest - (x * z) * sin_tail;
  parts.cosine = rest;
  parts.cosine_rest = ((1.0 - rest) - half) + (w * cos_tail + x * r.low);
  return parts;
}

/* pi/2 once more, for few multiples: two parts of 42 bits, then 53 more; 138 bits in all. */
DALEMBERT_CONSTANT double near_half_pi_1 = 0x1.921fb54442800p+0;
DALEMBERT_CONSTANT double near_half_pi_2 = 0x1.4611a62633000p-42;
DALEMBERT_CONSTANT double near_half_pi_3 = 0x1.45c06e0e68948p-86;

/* x - n pi/2 for an integer n next to x / (pi/2), |n| < 2^9, to a relative error of 2^-60, and
   with `high` there early. Why: the first two products are exact, and so is the first difference,
   because it is a multiple of 2^-53 below 1. What the second one loses is `(a - high) - b`, exactly:
   where it is the smaller one, a - b is a multiple of 2^-83 below 2^-31 and nothing is lost. */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Split) subtract_few_half_pis(Number x, Number n) {
  const Number a = x - n * near_half_pi_1, b = n * near_half_pi_2;
  DALEMBERT_TYPE(Split) difference;
  difference.high = a - b;
  difference.low = n * near_half_pi_3 - ((a - difference.high) - b);
  return difference;
}

DALEMBERT_STRUCT(SinCos) { Number sine, cosine; };

/* sin and cos of x = n pi/2 + r, where `shifted` is n + integer_shift. */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(SinCos) sin_cos_in_quadrant(DALEMBERT_TYPE(Split) r, Number shifted) {
  const DALEMBERT_TYPE(SinCosParts) parts = sin_cos_parts(r);
  const DALEMBERT_TYPE(BitsOf) quadrant = to_bits(shifted);
  const DALEMBERT_TYPE(BitsOf) s = to_bits(parts.sine - parts.sine_rest);
  const DALEMBERT_TYPE(BitsOf) c = to_bits(parts.cosine + parts.cosine_rest);
  const DALEMBERT_TYPE(BitsOf) exchange = (s ^ c) & -(quadrant & 1);
  DALEMBERT_TYPE(SinCos) value;
  value.sine = real_of_bits((s ^ exchange) ^ ((quadrant & 2) << 62));
  value.cosine = real_of_bits((c ^ exchange) ^ (((quadrant + 1) & 2) << 62));
  return value;
}

DALEMBERT_CONSTANT double two_over_pi = 0x1.45f306dc9c883p-1;
DALEMBERT_CONSTANT double right_angle_high = 0x1.921fb54442d18p+0;
DALEMBERT_CONSTANT double right_angle_low = 0x1.1a62633145c07p-54;

/* sin and cos for |x| <= largest_near_angle; garbage, but no trap, beyond. */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(SinCos) near_sin_cos(Number x) {
  const Number shifted = x * two_over_pi + integer_shift;
  return sin_cos_in_quadrant(subtract_few_half_pis(x, shifted - integer_shift), shifted);
}

/* sin and cos for |x| <= largest_reduced_angle; garbage, but no trap, beyond. */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(SinCos) far_sin_cos(Number x) {
  const Number shifted = x * two_over_pi + integer_shift;
  return sin_cos_in_quadrant(subtract_half_pis(x, shifted - integer_shift), shifted);
}

/* x as n pi/2 + angle, where `shifted` is n + integer_shift, n modulo 4 for large x. */
DALEMBERT_STRUCT(Turn) {
  DALEMBERT_TYPE(Split) angle;
  Number shifted;
};

/* Those of them beyond largest_reduced_angle; the others are 0, or nan. */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Turn) turn_of_largest(Number x) {
  const DALEMBERT_TYPE(WordOf) large = less(broadcast_as(x, largest_reduced_angle), pack_abs(x));
  const Number zero = x - x;
  const DALEMBERT_TYPE(Twofold) fraction =
      twofold_of(pack_repaired(zero, x, large, high_turn_of_huge),
                 pack_repaired(zero, x, large, low_turn_of_huge));
  const DALEMBERT_TYPE(Twofold) angle =
      twofold_product(fraction, twofold_of(broadcast_as(x, right_angle_high),
                                           broadcast_as(x, right_angle_low)));
  DALEMBERT_TYPE(Turn) turn;
  turn.angle.high = angle.high;
  turn.angle.low = -angle.low;
  turn.shifted = pack_repaired(zero, x, large, right_angles_in_huge) + integer_shift;
  return turn;
}

/* sin and cos of those beyond largest_reduced_angle; nan from inf and nan. */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(SinCos) largest_sin_cos(Number x) {
  const DALEMBERT_TYPE(Turn) turn = turn_of_largest(x);
  return sin_cos_in_quadrant(turn.angle, turn.shifted);
}

/* Any x, where one is beyond largest_near_angle. */
DALEMBERT_RARE_PACK_FUNCTION
DALEMBERT_TYPE(Turn) turn_of_far(Number x) {
  const Number shifted = x * two_over_pi + integer_shift;
  const DALEMBERT_TYPE(Split) angle = subtract_half_pis(x, shifted - integer_shift);
  const DALEMBERT_TYPE(WordOf) large = less(broadcast_as(x, largest_reduced_angle), pack_abs(x));
  DALEMBERT_TYPE(Turn) turn = turn_of_largest(x);
  turn.angle.high = pack_select(large, turn.angle.high, angle.high);
  turn.angle.low = pack_select(large, turn.angle.low, angle.low);
  turn.shifted = pack_select(large, turn.shifted, shifted);
  return turn;
}

/* Any x; nan from inf and nan. */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Turn) turn_of(Number x) {
  const Number shifted = x * two_over_pi + integer_shift;
  DALEMBERT_TYPE(Turn) turn;
  if (rarely(pack_any(less(broadcast_as(x, largest_near_angle), pack_abs(x)))))
    return turn_of_far(x);
  turn.angle = subtract_few_half_pis(x, shifted - integer_shift);
  turn.shifted = shifted;
  return turn;
}
