#pragma once

#include <vector>

#include "dalembert/method/stage/tableau.hpp"

namespace dalembert {

/// The coefficients of the Lobatto families with the same nodes c and weights b, for s >= 2 stages.
struct LobattoTableaux {
  using Coefficients = Tableau::Coefficients;
  std::vector<Constant> b, c;  ///< weights and nodes, s of each; nodes from 0 to 1
  Coefficients a;              ///< IIIA: collocation
  Coefficients a_hat = {};     ///< IIIB: b_j - b_j a_ji / b_i
  Coefficients c3 = {};  ///< IIIC: stiffly accurate, b in the last row and b_1 in the first column
  Coefficients c3_star = {};  ///< IIIC*: the conjugate of IIIC
  Coefficients d = {};        ///< IIID: the mean of these two
  /// Weights of Lambda_2 .. Lambda_s in Lambda_1, where it follows from them; else empty.
  std::vector<Constant> closing = {};
};
/// The Lobatto families for 2 to 20 stages; `closing` is empty. RequestError for another number.
LobattoTableaux lobatto_tableaux(int stages);

}  // namespace dalembert
