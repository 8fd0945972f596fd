/* The larger of two numbers, of which a nan is not lost. */

/* The larger of two numbers, per lane; nan if either is. */
DALEMBERT_PACK_FUNCTION
Number larger_of(Number a, Number b) {
  const DALEMBERT_TYPE(mask_of) is_largest = b <= a, is_nan = a != a;
  return select(is_largest | is_nan, a, b);
}
