/* Piecewise polynomials of degree three, held constant outside their knots. */

/* The interval in which a number between the first and the last knot lies; at a knot the one to its
   right. */
DALEMBERT_GENERIC_FUNCTION
size_t interval_of(const TableView* table, Number x) {
  size_t low = 0, high = table->intervals;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (x < Number(table->knots[middle])) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return low;
}

/* The derivative of that order, from 0 to 3, at one number; nan for nan. */
DALEMBERT_GENERIC_FUNCTION
Number table_value_at(const TableView* table, int order, Number x) {
  if (!(x == x)) return x;
  if (x < Number(table->knots[0])) return Number(order == 0 ? table->coefficients[0] : 0.0);
  if (!(x < Number(table->knots[table->intervals]))) return Number(order == 0 ? table->last : 0.0);
  const size_t i = interval_of(table, x);
  const double* c = table->coefficients + 4 * i;
  const Number s = x - Number(table->knots[i]);
  switch (order) {
    case 0:
      return Number(c[0]) + s * (Number(c[1]) + s * (Number(c[2]) + s * Number(c[3])));
    case 1:
      return Number(c[1]) + s * (Number(2.0 * c[2]) + s * (Number(3.0) * Number(c[3])));
    case 2:
      return Number(2.0 * c[2]) + s * (Number(6.0) * Number(c[3]));
    default:
      return Number(6.0) * Number(c[3]);
  }
}
