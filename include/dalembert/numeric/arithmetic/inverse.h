/* The tangent and the inverse trigonometric functions. */

/* tan(x), error below 1.2 units in the last place, the sign of zero kept; nan for inf and nan. */
DALEMBERT_LONG_FUNCTION
Number pack_tan(Number x) {
  const DALEMBERT_TYPE(Turn) turn = turn_of(x);
  const DALEMBERT_TYPE(SinCosParts) parts = sin_cos_parts(turn.angle);
  const DALEMBERT_TYPE(Twofold) sine = sum_of_ordered(parts.sine, -parts.sine_rest);
  const DALEMBERT_TYPE(Twofold) cosine = sum_of_ordered(parts.cosine, parts.cosine_rest);
  /* After an odd number of right angles -cos / sin. */
  const DALEMBERT_TYPE(BitsOf) is_odd = to_bits(turn.shifted) & 1;
  const DALEMBERT_TYPE(WordOf) odd = to_word(real_of_bits(-is_odd));
  const DALEMBERT_TYPE(Twofold) quotient = twofold_quotient(
      twofold_of(pack_select(odd, cosine.high, sine.high), pack_select(odd, cosine.low, sine.low)),
      twofold_of(pack_select(odd, sine.high, cosine.high), pack_select(odd, sine.low, cosine.low)));
  const Number value = real_of_bits(to_bits(quotient.high + quotient.low) ^ (is_odd << 63));
  return pack_select(less(broadcast_as(x, 0.0), pack_abs(x)), value, x);
}

/* The arc tangent of 1/2, in two parts. */
DALEMBERT_CONSTANT double arc_of_half_high = 0x1.dac670561bb4fp-2;
DALEMBERT_CONSTANT double arc_of_half_low = 0x1.a2b7f222f65e2p-56;

/* a / b reduced by the tangent c = 0, 1/2 or 1: (a - c b) / (b + c a). */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Twofold) reduced_tangent(DALEMBERT_TYPE(Twofold) a, DALEMBERT_TYPE(Twofold) b,
                                        Number c) {
  DALEMBERT_TYPE(Twofold) numerator = sum_of(a.high, -c * b.high);
  DALEMBERT_TYPE(Twofold) denominator = sum_of_ordered(b.high, c * a.high);
  numerator.low = numerator.low + (a.low - c * b.low);
  denominator.low = denominator.low + (b.low + c * a.low);
  return twofold_quotient(numerator, denominator);
}

/* The angle of the point (x, y), from -pi to pi, error below 0.85 units in the last place; signs of
   zeros as in C. */
DALEMBERT_PACK_FUNCTION
Number angle_of_point(DALEMBERT_TYPE(Twofold) y, DALEMBERT_TYPE(Twofold) x) {
  /* (atan t / t - 1) / t^2 in t^2 for |t| <= 7/16, 2^-56.7 */
  const double a1 = -0x1.555555555550bp-2, a2 = 0x1.999999998e714p-3, a3 = -0x1.2492491feea06p-3,
               a4 = 0x1.c71c6fd976bdfp-4, a5 = -0x1.745cdb7948595p-4, a6 = 0x1.3b0f1d9be3058p-4,
               a7 = -0x1.10d5e4e29f47dp-4, a8 = 0x1.dddc2f78219fdp-5, a9 = -0x1.979a5dc4d207bp-5,
               a10 = 0x1.2b09649886773p-5, a11 = -0x1.0a621d3dfc252p-6;
  const Number zero = broadcast_as(x.high, 0.0), one = broadcast_as(x.high, 1.0);
  const Number across = pack_abs(y.high), along = pack_abs(x.high);
  const Number across_low = y.low * pack_copysign(one, y.high);
  const Number along_low = x.low * pack_copysign(one, x.high);
  const DALEMBERT_TYPE(WordOf) steep = less(along, across);
  Number a = pack_select(steep, along, across), b = pack_select(steep, across, along);
  /* Infinite, then both zero. */
  const DALEMBERT_TYPE(WordOf) infinite = equal(b, broadcast_as(b, infinity));
  a = pack_select(infinite, pack_select(equal(a, b), one, zero), a);
  b = pack_select(infinite | equal(b, zero), one, b);
  /* Scaled, so that neither is subnormal where it matters, nor too large for its halves. */
  const DALEMBERT_TYPE(WordOf) large = less(broadcast_as(b, 0x1p300), b);
  const Number scale = pack_select(large, broadcast_as(b, 0x1p-100), broadcast_as(b, 0x1p600));
  a = a * scale;
  b = b * scale;
  const Number a_low = scale * pack_select(steep, along_low, across_low);
  const Number b_low = scale * pack_select(steep, across_low, along_low);
  const DALEMBERT_TYPE(WordOf) above = less(0.4375 * b, a), near_one = less(0.6875 * b, a);
  const Number half = broadcast_as(b, 0.5);
  const Number c = pack_select(near_one, one, pack_select(above, half, zero));
  const DALEMBERT_TYPE(Twofold) t =
      reduced_tangent(twofold_of(a, a_low), twofold_of(b, b_low), c);
  const Number z = t.high * t.high, w = z * z, w2 = w * w;
  const Number tail = ((a1 + z * a2) + w * (a3 + z * a4)) +
                      w2 * (((a5 + z * a6) + w * (a7 + z * a8)) + w2 * ((a9 + z * a10) + w * a11));
  /* The arc of c, 0, atan(1/2) or pi/4, and that of t. */
  const DALEMBERT_TYPE(WordOf) upper = less(half, c), lower = less(zero, c);
  const Number arc =
      pack_select(upper, broadcast_as(b, 0.5 * right_angle_high),
                  pack_select(lower, broadcast_as(b, arc_of_half_high), zero));
  const Number arc_low = pack_select(upper, broadcast_as(b, 0.5 * right_angle_low),
                                     pack_select(lower, broadcast_as(b, arc_of_half_low), zero));
  const DALEMBERT_TYPE(Twofold) octant = sum_of_ordered(arc, t.high);
  const Number octant_low = octant.low + (arc_low + (t.low + t.high * z * tail));
  /* So many right angles, plus or minus the angle in the octant. */
  const DALEMBERT_TYPE(WordOf) is_back = less(pack_copysign(one, x.high), zero);
  const Number angles = pack_select(steep, one, pack_select(is_back, broadcast_as(b, 2.0), zero));
  const Number sign = pack_select(steep, -one, one) * pack_select(is_back, -one, one);
  const DALEMBERT_TYPE(Twofold) sum = sum_of_ordered(angles * right_angle_high, sign * octant.high);
  const Number angle = sum.high + (sum.low + (angles * right_angle_low + sign * octant_low));
  const DALEMBERT_TYPE(WordOf) ordered = equal(across, across) & equal(along, along);
  return pack_select(ordered, pack_copysign(angle, y.high), x.high + y.high);
}

/* The angle of the point (x, y); nan if one of them is. */
DALEMBERT_LONG_FUNCTION
Number pack_atan2(Number y, Number x) {
  const Number zero = broadcast_as(x, 0.0);
  return angle_of_point(twofold_of(y, zero), twofold_of(x, zero));
}

/* The cosine that belongs to a sine s, and the other way round: sqrt((1 - s)(1 + s)); nan for
   |s| > 1. */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Twofold) other_leg(Number s) {
  const Number one = broadcast_as(s, 1.0), zero = broadcast_as(s, 0.0);
  const DALEMBERT_TYPE(Twofold) below = sum_of_ordered(one, -s), above = sum_of_ordered(one, s);
  const DALEMBERT_TYPE(Twofold) product = twofold_product(below, above);
  const Number root = pack_sqrt(product.high);
  const DALEMBERT_TYPE(Twofold) square = product_of(root, root);
  const Number rest = ((product.high - square.high) - square.low) + product.low;
  return twofold_of(root, pack_select(less(zero, root), rest / (root + root), zero));
}

/* asin(x), error below 0.85 units in the last place; nan for |x| > 1. */
DALEMBERT_LONG_FUNCTION
Number pack_asin(Number x) {
  return angle_of_point(twofold_of(x, broadcast_as(x, 0.0)), other_leg(x));
}

/* acos(x), error below 0.85 units in the last place; nan for |x| > 1. */
DALEMBERT_LONG_FUNCTION
Number pack_acos(Number x) {
  return angle_of_point(other_leg(x), twofold_of(x, broadcast_as(x, 0.0)));
}

/* atan(x), error below 0.85 units in the last place. */
DALEMBERT_LONG_FUNCTION
Number pack_atan(Number x) { return pack_atan2(x, broadcast_as(x, 1.0)); }
