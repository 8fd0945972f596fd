#pragma once

#include <string>
#include <vector>

#include "dalembert/expression/constant.hpp"

namespace dalembert {

/// The coefficients of a Runge-Kutta method with s stages, to about 100 bits.
struct Tableau {
  using Coefficients = std::vector<std::vector<Constant>>;  ///< rows, [s][s]
  Coefficients a;                                           ///< coefficients, [s][s]
  std::vector<Constant> b, c;                               ///< weights and nodes, [s]

  std::size_t stages() const { return b.size(); }  ///< number of stages s
};

/// Collocation at given nodes: a_ij = int_0^{c_i} l_j, b_j = int_0^1 l_j. RequestError, in words
/// that begin with a verb, for less than two nodes or nodes that do not ascend.
Tableau collocation_tableau(const std::vector<Constant>& nodes);
/// Collocation at Gauss nodes, order 2 s.
Tableau gauss_tableau(int stages);
/// Radau IIA: collocation at Radau nodes, order 2 s - 1.
Tableau radau_iia_tableau(int stages);

/// b_j - b_j a_ji/b_i: the second tableau of a symplectic pair. RequestError, in words that begin
/// with a verb, where a weight is zero.
Tableau::Coefficients conjugate_tableau(const Tableau::Coefficients& a,
                                        const std::vector<Constant>& b);

/// Numbers from "0, 1/3, sqrt(5)/5, 1": constant expressions of whole numbers, which 106 bits hold.
/// RequestError, in words that begin with a verb, for anything else, decimals included: they are
/// rounded, and an order cannot be better than its coefficients.
std::vector<Constant> tableau_numbers(const std::string& text);
/// A tableau whose last row holds the weights, from its rows: "0, 0; 1/2, 1/2". Nodes are sums of
/// rows. RequestError as above.
Tableau tableau_of_rows(const std::string& text);

/// Properties on which the orders of a method with this tableau and a second one with the same
/// weights depend. Source: [HairerLubichWanner2006], Sect. II.1; [Jay1996] for the conditions H1 to
/// H3 and CC2.
struct TableauProperties {
  int quadrature = 0;  ///< largest p with B(p): sum_j b_j c_j^(k-1) = 1/k for k <= p
  int stage = 0;       ///< largest q with C(q): sum_j a_ij c_j^(k-1) = c_i^k/k
  int adjoint = 0;     ///< largest r with D(r): sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k)/k
  int paired = 0;  ///< largest Q with CC2(Q): sum_jl a_ij ahat_jl c_l^(k-2) = c_i^k/(k (k-1)) for
                   ///< k = 2 .. Q; 1 where not even that of 2 holds
  bool starts_at_node = false;  ///< H1: the first row of a is zero
  bool is_regular = false;      ///< H2: a without its first row and column is regular
  bool ends_at_node = false;    ///< H3: the last row of a holds the weights
  double at_infinity = 0.0;     ///< R(inf) of a with H1 to H3; nan without
  bool is_symmetric = false;    ///< a_(s+1-i,s+1-j) + a_ij = b_j for both
};
/// Properties of a tableau with a second one, [s][s], that has the same weights and nodes.
/// Conditions hold if their defect is below 1e-24.
TableauProperties tableau_properties(const Tableau& tableau, const Tableau::Coefficients& second);

/// Orders of the Lobatto method of nonholonomic systems with a pair of tableaux.
struct TableauOrders {
  int states = 0, multiplier = 0;  ///< order in (q, v), and that of the carried multiplier
};
/// The orders that follow for the Lobatto method of nonholonomic systems with this tableau, where
/// |R(inf)| <= 1. With the conjugate, which has the stage order r: min(p, 2 r + 2) in (q, v); with
/// the tableau itself: min(p, 2 q, q + r + 1). The carried multiplier has the local order k = r + 1
/// or q, one more where a symmetric method needs k to be even (R = -1) or odd (R = 1), and the
/// order k, or k - 1 where R(inf) = 1 lets errors add up. Measured on three problems and ten
/// tableaux; for Lobatto's nodes it is [MartinDeDiegoSato2018], Theorem 5.2.
TableauOrders predicted_orders(const TableauProperties& properties, bool is_conjugate);

/// Least orders with any other second tableau with the same weights and nodes, by its own stage
/// order qhat: min(p, q + 1, qhat + 1) in (q, v), and min(q, qhat) in the multiplier, one less
/// where R(inf) = 1. Measured on pairs of Lobatto's families and of others.
TableauOrders least_orders(const TableauProperties& properties, int second_stage);

/// One line: "4 stages: B(4), C(4), D(0), CC2(1); H1, H2, H3; R(inf) = -1; symmetric".
std::string tableau_text(const Tableau& tableau, const TableauProperties& properties);

}  // namespace dalembert
