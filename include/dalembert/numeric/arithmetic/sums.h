/* Compensated sums: a running value with the digits that its rounding lost beside it. */

/* sum = a + b rounded and error = what the rounding lost, exactly (Knuth), whatever the magnitudes;
   without branches. Not for sums that overflow: there the error is nan. */
DALEMBERT_GENERIC_FUNCTION
void sum_and_error(Number a, Number b, Number* sum, Number* error) {
  const Number s = a + b, b_seen = s - a, a_seen = s - b_seen;
  *error = (a - a_seen) + (b - b_seen);
  *sum = s;
}

/* Adds an increment to value + carry. `value` is the sum rounded to working precision, ready for
   use; `carry` (zero at first) holds what is below its last digit. After m additions the error of
   value + carry is about m eps^2 times the sum of magnitudes, as in twice the precision.
   The two are a state: save both to continue bit for bit. An increment that is not finite makes
   both nan or inf. */
DALEMBERT_GENERIC_FUNCTION
void add_compensated(Number* value, Number* carry, Number increment) {
  Number sum, lost, step, lost_too;
  sum_and_error(increment, *carry, &step, &lost_too);
  sum_and_error(*value, step, &sum, &lost);
  const Number rest = lost + lost_too;
  const Number rounded = sum + rest; /* rest may have grown beyond half a digit of the sum */
  *carry = rest - (rounded - sum);
  *value = rounded;
}
