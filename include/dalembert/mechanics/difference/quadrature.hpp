#pragma once

#include <cstddef>
#include <vector>

#include "dalembert/expression/constant.hpp"

namespace dalembert {

/// A quadrature rule on [0, 1], nodes ascending, to about 100 bits.
struct QuadratureRule {
  std::vector<Constant> nodes, weights;  ///< as many of both; the weights sum to 1
};

/// The largest Gauss rule.
inline constexpr int most_quadrature_nodes = 64;

/// Gauss-Legendre with 1 to `most_quadrature_nodes` nodes: exact for degree 2 points - 1.
QuadratureRule gauss_rule(int points);
/// Gauss-Lobatto with `points` >= 2 nodes, the ends among them: exact for degree 2 points - 3.
QuadratureRule lobatto_rule(int points);
/// Radau IIA with `points` >= 1 nodes, the right end among them: exact for degree 2 points - 2.
QuadratureRule radau_rule(int points);

/// The Lagrange polynomial l_j of the nodes at x.
Constant lagrange_value(const std::vector<Constant>& nodes, std::size_t j, const Constant& x);

/// int_0^end l_j for the Lagrange polynomials of the nodes.
std::vector<Constant> integrated_lagrange(const std::vector<Constant>& nodes, const Constant& end);

/// Coefficients a_ij = int_0^{c_i} l_j of collocation at the nodes.
std::vector<std::vector<Constant>> collocation_coefficients(const std::vector<Constant>& nodes);

}  // namespace dalembert
