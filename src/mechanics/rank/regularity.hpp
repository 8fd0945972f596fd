#pragma once
// Checks of the equations of motion at a state. Only for the sources of mechanics.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// A list of numbers in messages: "(1, 0.5)".
std::string point_text(std::span<const double> values);

/// The Lagrangian, the mass and the constraint matrix at a state; `v` is empty where the position
/// alone is checked.
struct Regularity {
  const System& system;
  std::span<const double> q, v, values;

  std::size_t dof() const { return system.dof(); }
  std::span<const double> mass() const { return values.first(dof() * dof()); }
  std::span<const double> constraint_matrix() const {
    return values.subspan(dof() * dof(), values.size() - 1 - dof() * dof());
  }
  double lagrangian() const { return values.back(); }
  /// For messages, which are written where something is wrong, and nowhere else: starts of a
  /// million members are checked.
  std::string where() const;
};

/// Matrices that have passed: the last mass that was regular and the last rows of constraints that
/// were independent. Constant ones are looked at once, and those of a position not again for each
/// velocity.
struct CheckedMatrices {
  std::vector<double> mass, rows;
};

/// Throws RequestError where the Lagrangian or the mass is not finite, or the mass singular.
void check_mass(const Regularity& at, CheckedMatrices& passed);
/// Throws RequestError for rows of the constraint matrix that are not finite, vanish or depend on
/// those before them, and for Phi and phi unless a violation is allowed.
void check_constraints(const Regularity& at, std::span<const double> phi, bool allow_violation,
                       CheckedMatrices& passed);
/// det(A M^-1 B) with rows of A and columns of B of length one in the metric M^-1: how far
/// reactions with directions of their own can hold the constraints. `reactions` are rows of B^T.
double hold_of_reactions(const Regularity& at, std::span<const double> reactions);

}  // namespace dalembert
