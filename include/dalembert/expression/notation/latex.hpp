#pragma once

#include <string>
#include <string_view>

#include "dalembert/expression/expr.hpp"

namespace dalembert {

/// The expression in LaTeX for mathematics mode, with real fractions and roots. What is made of
/// pieces and entries of `solve` nodes need the package amsmath. RequestError for more than a
/// million characters, as of the other notations.
std::string to_latex(const Expr& expression);

/// The name of a symbol or function in LaTeX: "theta_dot" as theta with a dot above, "x_1" and
/// "R[1,2]" with an index, "V'" with its prime, longer names upright.
std::string latex_name(std::string_view name);

/// Text for LaTeX outside mathematics mode: what LaTeX would read as a command is written out.
std::string latex_text(std::string_view text);

}  // namespace dalembert
