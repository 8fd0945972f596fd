#pragma once

#include "dalembert/method/page.hpp"

namespace dalembert {

/// Jay's SPARK method: constraints in a weighted mean over the stages and at the new node. Carries
/// nothing. Lobatto's tableaux have order 2 s - 2; those of Gauss order 2 s, symmetric, the most
/// accurate for their number of stages; Radau IIA order 2 s - 1. The multiplier of the last stage
/// has the orders s - 1 and s; Gauss, whose last stage is no node, reports that of the motion at
/// the new node. Lobatto's families IIIB, IIIC, IIIC* and IIID may be mixed freely in forces and
/// reactions. Constraints on positions go with Lobatto IIIB in the forces. Source: [Jay2009], with
/// the tableaux of [MartinDeDiegoSato2018].
struct Spark {
  /// Nodes of the stages, by collocation.
  enum class Nodes { lobatto, gauss, radau_iia };
  /// Tableau that multiplies forces in the stages' momenta.
  enum class Second {
    conjugate,  ///< conjugate to the first: IIIB of Lobatto IIIA, that of Gauss itself
    same,       ///< the first tableau itself
    iiic,       ///< Lobatto IIIC
    iiic_star,  ///< Lobatto IIIC*
    iiid,       ///< Lobatto IIID
  };
  /// Lobatto's family that multiplies constraint forces in the stages' momenta.
  enum class Constraints { iiib, iiic, iiic_star, iiid };

  int stages = 3;                     ///< number of stages s, 1 to 8; with Lobatto's nodes 2 to 8
  Nodes tableau = Nodes::lobatto;     ///< nodes of the first tableau
  Second second = Second::conjugate;  ///< tableau of forces; IIIC, IIIC* and IIID for Lobatto only
  /// Tableau of constraint forces with Lobatto's nodes; with others it is the second tableau.
  Constraints constraint_tableau = Constraints::iiib;

  static MethodPage<Spark> page();
  Facts facts() const;
  std::optional<std::string> conflict() const;
  /// Constraints on positions go with Lobatto IIIA and IIIB.
  Requirements requirements() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
