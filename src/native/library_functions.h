/* What C on one number and on packs needs of the C library, and the view of a table. */

DALEMBERT_STRUCT(TableView) { const double *knots, *coefficients; size_t intervals; double last; };

/* The C library's functions. The arguments are volatile, because a compiler would replace a call on
   constants, or pow(x, 2), by something with other bits. */
DALEMBERT_FUNCTION
double library_sin(double x) {
  volatile double argument = x;
  return DALEMBERT_LIBRARY(sin)(argument);
}

DALEMBERT_FUNCTION
double library_cos(double x) {
  volatile double argument = x;
  return DALEMBERT_LIBRARY(cos)(argument);
}

DALEMBERT_FUNCTION
double library_tan(double x) {
  volatile double argument = x;
  return DALEMBERT_LIBRARY(tan)(argument);
}

DALEMBERT_FUNCTION
double library_asin(double x) {
  volatile double argument = x;
  return DALEMBERT_LIBRARY(asin)(argument);
}

DALEMBERT_FUNCTION
double library_acos(double x) {
  volatile double argument = x;
  return DALEMBERT_LIBRARY(acos)(argument);
}

DALEMBERT_FUNCTION
double library_atan(double x) {
  volatile double argument = x;
  return DALEMBERT_LIBRARY(atan)(argument);
}

DALEMBERT_FUNCTION
double library_sinh(double x) {
  volatile double argument = x;
  return DALEMBERT_LIBRARY(sinh)(argument);
}

DALEMBERT_FUNCTION
double library_cosh(double x) {
  volatile double argument = x;
  return DALEMBERT_LIBRARY(cosh)(argument);
}

DALEMBERT_FUNCTION
double library_tanh(double x) {
  volatile double argument = x;
  return DALEMBERT_LIBRARY(tanh)(argument);
}

DALEMBERT_FUNCTION
double library_log(double x) {
  volatile double argument = x;
  return DALEMBERT_LIBRARY(log)(argument);
}

DALEMBERT_FUNCTION
double library_atan2(double y, double x) {
  volatile double first = y, second = x;
  return DALEMBERT_LIBRARY(atan2)(first, second);
}

DALEMBERT_FUNCTION
double library_pow(double x, double y) {
  volatile double first = x, second = y;
  return DALEMBERT_LIBRARY(pow)(first, second);
}
