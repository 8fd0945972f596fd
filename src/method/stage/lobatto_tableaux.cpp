#include "dalembert/method/stage/lobatto_tableaux.hpp"

#include "dalembert/mechanics/difference/quadrature.hpp"

namespace dalembert {
namespace {

/// IIIC: a_i1 = b_1, and exact integrals of polynomials of degree s - 2 up to each node.
LobattoTableaux::Coefficients lobatto_iiic(const std::vector<Constant>& b,
                                           const std::vector<Constant>& c) {
  const std::vector<Constant> rest(c.begin() + 1, c.end());
  LobattoTableaux::Coefficients a;
  for (const Constant& node : c) {
    const std::vector<Constant> integrals = integrated_lagrange(rest, node);
    std::vector<Constant> row{b[0]};
    for (std::size_t j = 0; j < rest.size(); ++j) {
      row.push_back(integrals[j] - b[0] * lagrange_value(rest, j, Constant{0.0}));
    }
    a.push_back(row);
  }
  return a;
}

}  // namespace

LobattoTableaux lobatto_tableaux(int stages) {
  const QuadratureRule rule = lobatto_rule(stages);
  LobattoTableaux result{rule.weights, rule.nodes, collocation_coefficients(rule.nodes)};
  result.a_hat = conjugate_tableau(result.a, result.b);
  // The forces at the last stage do not act on the stage velocities. As an exact zero, this halves
  // the systems that remain to be solved.
  for (std::vector<Constant>& row : result.a_hat) row.back() = Constant{0.0};
  result.c3 = lobatto_iiic(result.b, result.c);
  result.c3_star = conjugate_tableau(result.c3, result.b);
  result.d = result.c3;
  for (std::size_t i = 0; i < result.d.size(); ++i) {
    for (std::size_t j = 0; j < result.d.size(); ++j)
      result.d[i][j] = Constant{0.5} * (result.c3[i][j] + result.c3_star[i][j]);
  }
  return result;
}

}  // namespace dalembert
