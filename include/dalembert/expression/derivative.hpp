#pragma once

#include "dalembert/expression/sparse/sparse_solve.hpp"

namespace dalembert {

/// Partial derivatives of `function` with respect to symbols, as expressions, by one reverse
/// sweep; the result can be differentiated again. `variables` must be symbols
/// (RequestError otherwise).
Vector gradient(const Expr& function, const Vector& variables);

/// Matrix of d functions[i] / d variables[j].
Matrix jacobian(const Vector& functions, const Vector& variables);

/// Jacobian without the entries that are zero by their form, in a time that grows with the number
/// of the others.
SparseRows<Expr> sparse_jacobian(const Vector& functions, const Vector& variables);

/// The derivative of each function along `direction`: sum_j d f_i/d variables[j] * direction[j].
Vector directional_derivative(const Vector& functions, const Vector& variables,
                              const Vector& direction);

/// Directional derivatives by one forward sweep through all functions: what they share is
/// differentiated once, so that the work is a small multiple of that of the functions, however many
/// these and the variables are.
Vector forward_derivative(const Vector& functions, const Vector& variables,
                          const Vector& direction);

}  // namespace dalembert
