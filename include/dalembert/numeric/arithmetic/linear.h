/* LU factorization with partial pivoting of small dense matrices, in the caller's storage. */

/* Exchanges a and b where the mask says so. */
DALEMBERT_INLINED_FUNCTION
void exchange_where(DALEMBERT_TYPE(mask_of) where, Number* a, Number* b) {
  const Number old = *a;
  *a = select(where, *b, old);
  *b = select(where, old, *b);
}

/* Exchanges, in each lane, row `row` with the row below it that `pivot` names in that lane. */
DALEMBERT_INLINED_FUNCTION
void exchange_rows(int n, int row, Number pivot, Number* rows, int columns) {
  if (all(pivot == Number(row))) return;
  DALEMBERT_UNROLLED
  for (int i = row + 1; i < n; ++i) {
    const DALEMBERT_TYPE(mask_of) here = pivot == Number(i);
    if (!any(here)) continue;
    DALEMBERT_UNROLLED
    for (int j = 0; j < columns; ++j)
      exchange_where(here, rows + row * columns + j, rows + i * columns + j);
  }
}

/* One column of the factorization of the n x n matrix a (row-major): P a = L U. L has a unit
   diagonal and is stored below it; of U the diagonal is stored as reciprocals. pivot[k] receives
   the row that was exchanged with row k, as a number, per lane. The magnitude of the pivot. */
DALEMBERT_INLINED_FUNCTION
Number lu_factor_column(int n, int k, Number* a, Number* pivot) {
  Number largest = abs(a[k * n + k]), row = Number(k);
  DALEMBERT_UNROLLED
  for (int i = k + 1; i < n; ++i) {
    const Number candidate = abs(a[i * n + k]);
    const DALEMBERT_TYPE(mask_of) better = candidate > largest;
    largest = select(better, candidate, largest);
    row = select(better, Number(i), row);
  }
  pivot[k] = row;
  exchange_rows(n, k, row, a, n);
  const Number reciprocal = Number(1.0) / a[k * n + k];
  a[k * n + k] = reciprocal;
  DALEMBERT_UNROLLED
  for (int i = k + 1; i < n; ++i) {
    const Number factor = a[i * n + k] * reciprocal;
    a[i * n + k] = factor;
    DALEMBERT_UNROLLED
    for (int j = k + 1; j < n; ++j) a[i * n + j] = a[i * n + j] - factor * a[k * n + j];
  }
  return largest;
}

/* Solves a x = b for `columns` right-hand sides at once: b is n x columns, row-major, and is
   replaced by x. Takes what the factorization left in a and pivot; where that was singular x is inf
   or nan. */
DALEMBERT_INLINED_FUNCTION
void lu_solve_columns(int n, const Number* a, const Number* pivot, Number* b, int columns) {
  DALEMBERT_UNROLLED
  for (int k = 0; k < n; ++k) exchange_rows(n, k, pivot[k], b, columns);
  DALEMBERT_UNROLLED
  for (int i = 1; i < n; ++i)
    DALEMBERT_UNROLLED
    for (int k = 0; k < i; ++k)
      DALEMBERT_UNROLLED
      for (int j = 0; j < columns; ++j)
        b[i * columns + j] = b[i * columns + j] - a[i * n + k] * b[k * columns + j];
  DALEMBERT_UNROLLED
  for (int i = n - 1; i >= 0; --i) {
    DALEMBERT_UNROLLED
    for (int k = i + 1; k < n; ++k)
      DALEMBERT_UNROLLED
      for (int j = 0; j < columns; ++j)
        b[i * columns + j] = b[i * columns + j] - a[i * n + k] * b[k * columns + j];
    DALEMBERT_UNROLLED
    for (int j = 0; j < columns; ++j) b[i * columns + j] = b[i * columns + j] * a[i * n + i];
  }
}

/* The factorization of a matrix. */
DALEMBERT_INLINED_FUNCTION
void factor_linear_system(int n, Number* a, Number* pivot) {
  DALEMBERT_UNROLLED
  for (int k = 0; k < n; ++k) (void)lu_factor_column(n, k, a, pivot);
}

/* One linear system: b is replaced by the solution of a x = b. A singular matrix gives infinities
   or nan. */
DALEMBERT_INLINED_FUNCTION
void solve_linear_system(int n, Number* a, Number* pivot, Number* b) {
  factor_linear_system(n, a, pivot);
  lu_solve_columns(n, a, pivot, b, 1);
}
