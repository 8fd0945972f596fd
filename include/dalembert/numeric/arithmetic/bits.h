/* Absolute values, signs and rounding, on the bits of numbers. */

DALEMBERT_CONSTANT unsigned long long sign_bit = 1ULL << 63, magnitude_bits = ~(1ULL << 63);

/* Adding 1.5 * 2^52 rounds to an integer, which then stands in the low bits of the sum. */
DALEMBERT_CONSTANT double integer_shift = 0x1.8p52;

DALEMBERT_CONSTANT double infinity = DALEMBERT_INFINITY;

/* Up to here sin and cos are computed by a reduction of this library, and by its faster one. */
DALEMBERT_CONSTANT double largest_reduced_angle = 1e9, largest_near_angle = 512.0;

/* |x|, exact. */
DALEMBERT_PACK_FUNCTION
Number pack_abs(Number x) { return real_of_bits(to_bits(x) & magnitude_bits); }

/* The magnitude of one number with the sign of another, exact. */
DALEMBERT_PACK_FUNCTION
Number pack_copysign(Number magnitude, Number sign) {
  return real_of_bits((to_bits(magnitude) & magnitude_bits) | (to_bits(sign) & sign_bit));
}

/* Nearest integer, ties to even; what has no fraction (and inf, nan) comes back unchanged. */
DALEMBERT_PACK_FUNCTION
Number pack_round(Number x) {
  const Number magnitude = pack_abs(x), shift = broadcast_as(x, 0x1p52);
  const Number rounded = (magnitude + shift) - shift;
  return pack_select(less(magnitude, shift), pack_copysign(rounded, x), x);
}

/* Largest integer not above x, exact; inf and nan come back. */
DALEMBERT_PACK_FUNCTION
Number pack_floor(Number x) {
  const Number rounded = pack_round(x);
  const Number lower = rounded - to_real(less(x, rounded) & to_word(broadcast_as(x, 1.0)));
  return pack_copysign(lower, x);
}
