#pragma once

#include <span>
#include <string>
#include <vector>

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// Energy and integrals that a system keeps, with the reasons. In skew-gradient form
/// the energy is kept, and integrals are not tested.
struct Conservation {
  /// Verdict on a quantity along motions.
  enum class Kept {
    yes,
    no,
    unknown  ///< not changed where it was looked at, but forces may act elsewhere or later
  };
  Kept energy = Kept::yes;  ///< verdict on v.dL/dv - L
  /// Reasons for the verdict on the energy, clauses: why it is kept, what changes it, or what may.
  std::vector<std::string> reasons;
  /// Verdict on one declared integral.
  struct Integral {
    std::string name;      ///< name in the problem
    Kept kept = Kept::no;  ///< verdict from its rate
    double rate = 0.0;     ///< largest rate of change found, relative to the size of its terms
  };
  /// The declared integrals, with their rates along the motion at random admissible states.
  std::vector<Integral> integrals;
  int states = 0;  ///< number of admissible states tested, at most 8; 0 in skew-gradient form

  bool keeps_energy() const { return energy == Kept::yes; }  ///< false for unknown, too
};

/// Finds out whether the energy v.dL/dv - L is kept: its rate is v.force - dL/dt + lambda.(dPhi/dv)
/// v, so it is kept if nothing depends on time, no external force does work, and the constraints
/// are homogeneous in v where they hold (Euler's theorem; linear ones are, affine ones are not).
/// Identities that are not evident from the expressions for these parameters, and the rates of
/// declared integrals, are tested at random states near (q, v), each [dof], or near the origin if
/// they are empty, to round-off: certain but for coincidences where something changes, and where
/// smooth terms that all act there cancel. Terms with pieces, and terms that vanish at all these
/// states, may act elsewhere or later: of them nothing is known. Parameters in the order of the
/// description, the defaults if empty; RequestError if their number is wrong. Source:
/// [FassoSansonetto2016] for affine constraints.
Conservation conservation(const System& system, std::span<const double> q = {},
                          std::span<const double> v = {}, std::span<const double> parameters = {});

}  // namespace dalembert
