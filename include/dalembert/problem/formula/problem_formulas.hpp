#pragma once

#include <string>
#include <vector>

#include "dalembert/mechanics/system.hpp"

namespace dalembert::study {

/// `left = right`, where left is "0" or a name.
struct Formula {
  std::string left;             ///< "0" of constraints, else a name
  Expr right = 0.0;             ///< in the graph of the other formulas
  std::string multiplier = {};  ///< name of the multiplier of a constraint; else empty
};

/// The equations of a system as a paper lists them, expressions of one graph.
struct ProblemFormulas {
  std::vector<Formula> parts;        ///< by name, where they occur more than once in long formulas
  std::vector<Formula> energies;     ///< T and V, or L, or H
  std::vector<Formula> structure;    ///< the entries above the diagonal of Pi, but for zeros
  std::vector<Formula> constraints;  ///< on velocities
  std::vector<Formula> holonomic;    ///< on positions
  std::vector<Formula> reactions;    ///< of constraints that are not ideal, by coordinate
  std::vector<Formula> forces;       ///< F_x, or F_R[1] by velocity of an element of a group
  std::vector<Formula> integrals;    ///< declared conserved quantities
};

/// The equations of a system, with parts that occur more than once in long formulas put aside.
ProblemFormulas problem_formulas(const System& system);

}  // namespace dalembert::study
