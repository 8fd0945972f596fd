#pragma once
/// \file
/// The elementary functions of one argument, one row each. From the rows follow operations of
/// graphs and tapes, functions of expressions, names in texts, derivatives, signs, values of
/// constants, instructions, and what tests compare with. A new function needs a row here, and its
/// arithmetic: a function of its name in `numeric` (or a formula in the interpreter's `ROW`).
///
/// ROW(name, constant, argument, sign, slope):
///   name      of the function, everywhere
///   constant  how it is taken of a constant: `rounded`, by the C library in long double, or
///             `exact`, to all 106 bits by a function of Constant
///   argument  what is known of special arguments: `any`, nothing is used; `odd` and `even`, a sign
///             is taken out; `magnitude` and `direction`, those of abs and sign
///   sign      the rule in graph.cpp for the sign of the value: `unknown`, `of_argument`,
///             `positive`, `nonnegative`, `of_direction`
///   slope     the derivative, in terms of the argument x and the value f
#define DALEMBERT_ELEMENTARY_FUNCTIONS(ROW)                                   \
  ROW(sqrt, exact, any, nonnegative, 0.5 / f)                                 \
  ROW(sin, rounded, odd, unknown, cos(x))                                     \
  ROW(cos, rounded, even, unknown, -sin(x))                                   \
  ROW(tan, rounded, any, unknown, 1.0 + square(f))                            \
  ROW(asin, rounded, any, unknown, 1.0 / sqrt(1.0 - square(x)))               \
  ROW(acos, rounded, any, unknown, -1.0 / sqrt(1.0 - square(x)))              \
  ROW(atan, rounded, any, of_argument, 1.0 / (1.0 + square(x)))               \
  ROW(sinh, rounded, any, of_argument, cosh(x))                               \
  ROW(cosh, rounded, any, positive, sinh(x))                                  \
  ROW(tanh, rounded, any, of_argument, 1.0 - square(f))                       \
  ROW(exp, rounded, any, positive, f)                                         \
  ROW(log, rounded, any, unknown, 1.0 / x)                                    \
  ROW(abs, exact, magnitude, nonnegative, sign(x))                            \
  ROW(sign, exact, direction, of_direction, 0.0) /* +1 for x >= 0, else -1 */ \
  ROW(floor, exact, any, unknown, 0.0)
