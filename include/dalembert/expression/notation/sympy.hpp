#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dalembert/expression/expr.hpp"

namespace dalembert {

/// The expression as Python text that SymPy evaluates. Its symbols stand there as `sympy_name`
/// calls them, and must be defined; tables and opaque functions are undefined functions. The names
/// of `sympy_functions` must be imported. Functions like sin(x)/x are written out, with their value
/// at zero; there SymPy's own derivatives of them are zero.
std::string to_sympy(const Expr& expression);

/// The name of a symbol or function as an identifier of Python that is none of Python's words, none
/// of `sympy_functions` and none of the words of the scripts that `dalembert export --sympy`
/// writes, as `lagrangian`: "R[1,2]" is R_1_2, "lambda" is lambda_. Names that differ stay
/// different, but for such as R_1_2 beside R[1,2].
std::string sympy_name(std::string_view name);

/// Names of SymPy that the text of an expression may call.
const std::vector<std::string>& sympy_functions();

}  // namespace dalembert
