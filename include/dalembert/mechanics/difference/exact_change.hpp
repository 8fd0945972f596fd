#pragma once

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// f(from + change) - f(from) of functions f of the variables, written so that round-off is that of
/// the change and not of the values: every term is as small as the change itself. Sums, products,
/// quotients, square roots, linear systems and the functions sin, cos, tan, atan, atan2, exp, sinh
/// and cosh have such a form, smooth where nothing changes; of what has none the two values are
/// subtracted.
Vector exact_change(const Vector& functions, const Vector& variables, const Vector& from,
                    const Vector& change);
/// True if the change of these functions is free of the round-off of their values.
bool has_exact_change(const Vector& functions, const Vector& variables);
/// Changes entry by entry; functions and result have the same shape.
Matrix exact_change(const Matrix& functions, const Vector& variables, const Vector& from,
                    const Vector& change);

}  // namespace dalembert
