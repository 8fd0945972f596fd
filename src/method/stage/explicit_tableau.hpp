#pragma once
// The explicit Runge-Kutta methods among the baselines.

#include <vector>

#include "dalembert/expression/constant.hpp"

namespace dalembert {

struct ExplicitTableau {
  std::vector<std::vector<Constant>> a;  ///< row i: the i coefficients of stage i
  std::vector<Constant> b, c;
  std::vector<Constant> error;  ///< weights of the difference to the embedded method, or none
  std::vector<Constant> coarse_error = {};  ///< to a second one, of lower order, or none
};

/// The nodes that the rows say.
void set_nodes(ExplicitTableau& tableau);

/// Kutta's method of order 4.
ExplicitTableau classical_tableau();
/// The method of order 8 with its embedded one of order 7. Source of the coefficients:
/// [Fehlberg1968], Table X.
ExplicitTableau fehlberg_tableau();

}  // namespace dalembert
