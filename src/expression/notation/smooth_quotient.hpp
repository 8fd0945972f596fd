#pragma once
// Functions like sin(x)/x in elementary functions. Only for the notations.

#include <string>

#include "dalembert/expression/graph.hpp"

namespace dalembert {

/// sinc, sinhc or sinc_root of an order as Python text: a quotient of polynomials times sines and
/// cosines, with its value at zero apart. Source: [DLMF], Eqs. 10.51.1 and 10.51.4: f_(k+1) =
/// ((2 k + 1) f_k - f_(k-1))/x^2, g_(k+1) = (g_(k-1) - (2 k + 1) g_k)/x^2.
std::string smooth_quotient_text(Operation operation, int order, const std::string& argument);

}  // namespace dalembert
