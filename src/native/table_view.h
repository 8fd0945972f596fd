/* The view of a table. */

DALEMBERT_STRUCT(TableView) { const double *knots, *coefficients; size_t intervals; double last; };
