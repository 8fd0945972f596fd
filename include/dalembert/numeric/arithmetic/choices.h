/* Choices by sign. What is not taken may be infinite or nan, so it is chosen, not multiplied. */

/* +1 for x >= 0, else -1. */
DALEMBERT_GENERIC_FUNCTION
Number sign_of(Number x) { return select(x >= Number(0.0), Number(1.0), Number(-1.0)); }

/* x where condition >= 0, 0 where it is negative, else the condition, which is nan. */
DALEMBERT_GENERIC_FUNCTION
Number where_nonnegative(Number condition, Number x) {
  const Number rest = select(condition < Number(0.0), Number(0.0), condition);
  return select(condition >= Number(0.0), x, rest);
}

/* x where condition < 0, 0 where it is not, else the condition, which is nan. */
DALEMBERT_GENERIC_FUNCTION
Number where_negative(Number condition, Number x) {
  const Number rest = select(condition >= Number(0.0), Number(0.0), condition);
  return select(condition < Number(0.0), x, rest);
}
