#pragma once

#include <string>
#include <string_view>

#include "dalembert/expression/expr.hpp"

namespace dalembert {

/// The expression in presentation MathML: one element, to stand inside `<math>`.
std::string to_mathml(const Expr& expression);

/// The name of a symbol or function in MathML, one element: "theta_dot" as θ with a dot above,
/// "x_1" and "R[1,2]" with an index, "V'" with its prime, longer names upright.
std::string mathml_name(std::string_view name);

/// Elements of MathML as one formula of an HTML page, on a line of its own if it is displayed.
std::string math_element(const std::string& elements, bool is_displayed = false);

}  // namespace dalembert
