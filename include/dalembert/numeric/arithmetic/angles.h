/* Angles kept in [-pi, pi] with the number of turns beside them. */

/* The double next to pi; pi lies between it and the following double. */
DALEMBERT_CONSTANT double pi = 0x1.921fb54442d18p+1;

/* Brings an angle to [-pi, pi] and adds to `winding` the turns taken away, so that
   `angle + 2 pi winding` stays. The new angle has an error of half a unit in its last place and a
   rounding of that, even next to a multiple of 2 pi. Leaves everything as it is, bit for bit, where
   |angle| <= pi already, and also where |angle| > 1e9 or not finite (nothing useful is left there).
   `lost` is what the rounding lost. Where an angle was outside. */
DALEMBERT_FUNCTION
DALEMBERT_TYPE(mask_of) wrap_angle_and_tell(Number* angle, Number* winding, Number* lost) {
  const double turns_per_radian = 0x1.45f306dc9c883p-3;
  const Number magnitude = abs(*angle);
  const DALEMBERT_TYPE(mask_of) outside = (magnitude > pi) & (magnitude <= largest_reduced_angle);
  if (!rarely(any(outside))) return outside;
  Number turns = round_to_nearest(*angle * turns_per_radian);
  const Number first = without_half_pis(*angle, 4.0 * turns).high;
  /* Next to an odd multiple of pi the quotient may round to the wrong side. */
  turns = turns + select(first > pi, Number(1.0), Number(0.0)) -
          select(first < -pi, Number(1.0), Number(0.0));
  const DALEMBERT_TYPE(Split) rest = without_half_pis(*angle, 4.0 * turns);
  *lost = -rest.low;
  *angle = select(outside, rest.high, *angle);
  *winding = select(outside, *winding + turns, *winding);
  return outside;
}

/* The same where `carry` takes what is lost. In a steady rotation every turn loses the same; after
   an odd number of turns the angle therefore goes to its other neighbour, so that losses alternate
   in sign and do not add up. */
DALEMBERT_FUNCTION
void wrap_angle(Number* angle, Number* winding, Number* carry) {
  Number lost = Number(0.0);
  const DALEMBERT_TYPE(mask_of) outside = wrap_angle_and_tell(angle, winding, &lost);
  if (!rarely(any(outside))) return;
  const DALEMBERT_TYPE(mask_of) odd = floor(Number(0.5) * *winding) * Number(2.0) != *winding;
  const Number neighbour = *angle + (lost + lost);
  const Number shift = select(outside & odd, neighbour - *angle, Number(0.0));
  *angle = *angle + shift;
  *carry = select(outside, *carry + (lost - shift), *carry);
}

/* The same for an angle that is a compensated sum, angle + carry: the sum stays, the carry is again
   below half a digit of the angle, and where it was as often positive as negative it remains so. A
   carry that is of one sign after every turn would be a bias in the energy. */
DALEMBERT_FUNCTION
void wrap_angle_sum(Number* angle, Number* winding, Number* carry) {
  Number lost = Number(0.0), sum, rest;
  const DALEMBERT_TYPE(mask_of) outside = wrap_angle_and_tell(angle, winding, &lost);
  if (!rarely(any(outside))) return;
  sum_and_error(*angle, *carry + lost, &sum, &rest);
  *angle = select(outside, sum, *angle);
  *carry = select(outside, rest, *carry);
}

/* 2 pi in parts: two of 23 bits, whose products with up to 2^30 are exact, and the rest. */
DALEMBERT_CONSTANT double turn_1 = 0x1.921fb4p+2, turn_2 = 0x1.4442dp-22,
                          turn_rest = 0x1.8469898cc5170p-46;

/* The angle with its turns, angle + 2 pi winding, with an error below one unit in the last place;
   for |winding| < 2^30. Exact for winding = 0. */
DALEMBERT_FUNCTION
Number unwrapped_angle(Number angle, Number winding) {
  return winding * turn_1 + (winding * turn_2 + (winding * turn_rest + angle));
}
