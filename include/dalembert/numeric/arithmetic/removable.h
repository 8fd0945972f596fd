/* Functions with a removable singularity, for difference quotients that must not lose digits. */

/* sin(x) / x, 1 at 0, error below 1.5 units in the last place (the quotient of two accurate
   numbers loses nothing, however small x). nan for inf and nan. */
DALEMBERT_FUNCTION
Number sinc(Number x) { return select(x == Number(0.0), Number(1.0), sin(x) / x); }

/* sinh(x) / x, 1 at 0, error a few units in the last place; inf beyond the range of sinh, nan for
   inf and nan. */
DALEMBERT_FUNCTION
Number sinhc(Number x) { return select(x == Number(0.0), Number(1.0), sinh(x) / x); }

/* Up to here the series, beyond it the recurrence, which divides by x^2 at every order. The series
   with alternating signs loses digits as x grows. */
DALEMBERT_CONSTANT double sinc_series_limit = 2.5, sinhc_series_limit = 5.0;

/* Sum over m of (sign z / 2)^m / (m! (2k+1)!! (2k+3) (2k+5) ... (2k+2m+1)), k the order, |x| up to
   the limit; the first term left out is below 1e-18 of the sum. */
DALEMBERT_FUNCTION
Number removable_series(int sign, int order, Number z) {
  const int terms = sign < 0 ? 14 : 18;
  Number sum = Number(1.0);
  double factorial = 1.0;
  for (int m = terms; m > 0; --m) {
    const double divisor = 2.0 * m * (2.0 * order + 2.0 * m + 1.0);
    sum = 1.0 + (z * sum) * (sign / divisor);
  }
  for (int m = 1; m <= order; ++m) factorial *= 2.0 * m + 1.0;
  return sum / Number(factorial);
}

/* From f_{-1} and f_0 to f_order by f_{k+1} = sign (f_{k-1} - (2k+1) f_k) / z. */
DALEMBERT_FUNCTION
Number removable_recurrence(int sign, int order, Number before, Number value, Number z) {
  for (int k = 0; k < order; ++k) {
    const Number weight = Number(2.0 * k + 1.0);
    const Number next = sign > 0 ? (before - weight * value) / z : (weight * value - before) / z;
    before = value;
    value = next;
  }
  return value;
}

/* f_k(x) with f_0 = sinc and f_k' = -x f_{k+1}: j_k(x) / x^k for the spherical Bessel function
   j_k, 1 / (1 3 5 ... (2k+1)) at 0. So sinc'(x) = -x f_1(x). Absolute error below 1e-15 for orders
   to 4; the relative error grows with the order, see the tests. */
DALEMBERT_FUNCTION
Number sinc_of_order(int order, Number x) {
  const Number z = x * x;
  const DALEMBERT_TYPE(mask_of) is_near = abs(x) < Number(sinc_series_limit);
  if (order == 0) return sinc(x);
  if (all(is_near)) return removable_series(-1, order, z);
  const Number far_value = removable_recurrence(-1, order, cos(x), sinc(x), z);
  if (!any(is_near)) return far_value;
  return select(is_near, removable_series(-1, order, z), far_value);
}

/* F_k(t) = f_k(sqrt t) for k >= -1, where f_{-1} = cos and f_k is `sinc_of_order`: entire in t,
   with F_k' = -F_{k+1} / 2 and F_k(0) = 1 / (1 3 5 ... (2k+1)). Meant for t >= 0. Above -6.25 a
   negative t gives the continuation f_k(i sqrt(-t)) = cosh, sinhc, ...; below it nan, as from inf.
   Absolute error below 1e-15 for orders to 4. */
DALEMBERT_FUNCTION
Number sinc_root_of_order(int order, Number t) {
  const DALEMBERT_TYPE(mask_of) is_near = abs(t) < Number(sinc_series_limit * sinc_series_limit);
  if (all(is_near)) return removable_series(-1, order, t);
  const Number x = sqrt(t), cosine = cos(x);
  const Number far_value = order < 0 ? cosine : removable_recurrence(-1, order, cosine, sinc(x), t);
  if (!any(is_near)) return far_value;
  return select(is_near, removable_series(-1, order, t), far_value);
}

/* g_k(x) = f_k(i x): g_0 = sinhc and g_k' = x g_{k+1}. */
DALEMBERT_FUNCTION
Number sinhc_of_order(int order, Number x) {
  const Number z = x * x;
  const DALEMBERT_TYPE(mask_of) is_near = abs(x) < Number(sinhc_series_limit);
  if (order == 0) return sinhc(x);
  if (all(is_near)) return removable_series(1, order, z);
  const Number far_value = removable_recurrence(1, order, cosh(x), sinhc(x), z);
  if (!any(is_near)) return far_value;
  return select(is_near, removable_series(1, order, z), far_value);
}
