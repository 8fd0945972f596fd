#pragma once

#include "dalembert/expression/quadrature.hpp"
#include "dalembert/method/method.hpp"

namespace dalembert {

/// The coefficients of the Lobatto families with the same nodes c and weights b, for s >= 2 stages.
struct LobattoTableaux {
  using Coefficients = std::vector<std::vector<Constant>>;
  std::vector<Constant> b, c;
  Coefficients a;      ///< IIIA: collocation
  Coefficients a_hat;  ///< IIIB: b_j - b_j a_ji / b_i
  Coefficients d;      ///< IIID: the mean of IIIC and its conjugate
};
LobattoTableaux lobatto_tableaux(int stages);

/// The s-stage Lobatto method for nonholonomic systems, in Lagrangian form: constraints linear,
/// affine or nonlinear in the velocities (Chetaev's rule), any regular Lagrangian, external forces.
/// The constraint is imposed on the momenta of the IIIA tableau, not on the stage velocities. Order
/// 2 s - 2 in q and v; multipliers of order s for even s, s - 1 for odd s. Carries the multiplier;
/// symmetric. Two stages, constant mass and linear constraints: the leap-frog. Source:
/// [MartinDeDiegoSato2018], Eq. (14).
struct Lobatto {
  int stages = 3;

  static constexpr std::string_view name = "lobatto";
  static std::vector<Option<Lobatto>> options();
  static std::vector<std::string> formula();
  Facts facts() const;
  Requirements requirements() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

/// Jay's SPARK method with Lobatto tableaux: constraints in a weighted mean over the stages and at
/// the new node. Order 2 s - 2, symmetric; carries nothing. Source: [Jay2009], with the tableaux of
/// [MartinDeDiegoSato2018].
struct Spark {
  int stages = 3;
  std::string constraint_tableau = "IIIB";

  static constexpr std::string_view name = "spark";
  static std::vector<Option<Spark>> options();
  static std::vector<std::string> formula();
  Facts facts() const;
  Requirements requirements() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
