/* Sums, products and quotients with what their rounding loses: numbers in twice the precision. */

/* A number as the sum of two, the low one below the last digit of the high one. */
DALEMBERT_STRUCT(Twofold) { Number high, low; };

/* high + low, both of the same pack. */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Twofold) twofold_of(Number high, Number low) {
  DALEMBERT_TYPE(Twofold) value;
  value.high = high;
  value.low = low;
  return value;
}

/* a + b exactly, where |a| >= |b| or a = 0 (Dekker). */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Twofold) sum_of_ordered(Number a, Number b) {
  const Number sum = a + b;
  return twofold_of(sum, (a - sum) + b);
}

/* a + b exactly, whatever the magnitudes (Knuth). */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Twofold) sum_of(Number a, Number b) {
  DALEMBERT_TYPE(Twofold) sum;
  sum_and_error(a, b, &sum.high, &sum.low);
  return sum;
}

/* The upper 26 digits of a number below 2^996 (Veltkamp). */
DALEMBERT_PACK_FUNCTION
Number upper_half(Number a) {
  const Number spread = 0x1.0000002p27 * a;
  return spread - (spread - a);
}

/* a b exactly, for factors below 2^996 whose product is 0, or finite and above 2^-968 (Dekker). */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Twofold) product_of(Number a, Number b) {
  const Number product = a * b, a_high = upper_half(a), b_high = upper_half(b);
  const Number a_low = a - a_high, b_low = b - b_high;
  const Number rest = ((a_high * b_high - product) + a_high * b_low) + a_low * b_high;
  return twofold_of(product, rest + a_low * b_low);
}

/* a b, relative error some 2^-102; factors as for `product_of`. */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Twofold) twofold_product(DALEMBERT_TYPE(Twofold) a, DALEMBERT_TYPE(Twofold) b) {
  const DALEMBERT_TYPE(Twofold) product = product_of(a.high, b.high);
  return sum_of_ordered(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/* a / b, relative error some 2^-102, the low part as it comes: within a rounding of the high one.
   The two divisions do not wait for one another. */
DALEMBERT_PACK_FUNCTION
DALEMBERT_TYPE(Twofold) twofold_quotient(DALEMBERT_TYPE(Twofold) a, DALEMBERT_TYPE(Twofold) b) {
  const Number quotient = a.high / b.high, reciprocal = 1.0 / b.high;
  const DALEMBERT_TYPE(Twofold) product = product_of(quotient, b.high);
  const Number rest = ((a.high - product.high) - product.low) + (a.low - quotient * b.low);
  return twofold_of(quotient, rest * reciprocal);
}
