#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// Choices of a reduction.
struct ReductionRequest {
  /// The coordinates on which nothing depends and whose velocities the constraints give: as many as
  /// there are constraints.
  std::vector<std::string> symmetry = {};
  /// N(q) in the symbols of the original, a reducing multiplier: in the time tau with dtau = N dt
  /// the reduced system is Lagrangian. Without it, the reduced system in its own time.
  std::function<Expr(const Symbols&)> multiplier = {};
  /// Keeps the symmetric coordinates, and with a multiplier the time, as further coordinates that
  /// follow by constraints.
  bool reconstruct = false;
};

/// A system without the coordinates along which it is symmetric (Chaplygin): with the constraints
/// solved for their velocities, s' = S(r) r', and L_c(r, r') = L(r, r', S r'),
///
///   d/dt dL_c/dr'_a - dL_c/dr_a = p_s (d_b S_a - d_a S_b) r'_b + (F_r + S^T F_s)_a,   p_s =
///   dL/ds',
///
/// whose first force does no work and reminds of the constraints. With a multiplier N(r) that
/// reduces, the equations in tau, dtau = N dt, are those of L_c(r, N dr/dtau) alone: Hamiltonian,
/// and dr dp in that time is an invariant measure.
///
/// Reconstruction adds s' = S r' and t' = 1/N as constraints, and to the Lagrangian half the square
/// of each, which with its slopes vanishes on them: the multipliers are zero, and methods that work
/// in momenta move r as if it was alone.
///
/// Source: [FedorovZenkov2005] and [Bloch2015] for Chaplygin systems and their multipliers.
struct ChaplyginReduction {
  System system;  ///< reduced system
  /// Places of the coordinates that are left, and of the symmetric ones, in the original.
  std::vector<std::size_t> left, symmetric;

  /// The start (q, v) of the reduced system for a start of the original; sizes as they have them
  /// (RequestError otherwise).
  std::pair<std::vector<double>, std::vector<double>> start(std::span<const double> q,
                                                            std::span<const double> v) const;

  System original;                 ///< system before the reduction
  std::vector<double> parameters;  ///< values of the original, in the order of its description
  ReductionRequest request;        ///< choices that it was made with
};

/// Parameters in the order of the description; the defaults if empty. They stay parameters, unless
/// the symmetry holds with these values only: then they are put in.
///
/// RequestError, by name, where there is no such reduction: systems with groups, with constraints
/// on positions or that are not linear in the velocities, or that depend on time; coordinates that
/// are none or of another number; an equation that depends on one; velocities that the constraints
/// do not give; a multiplier that has pieces, is not positive near zero, or in whose time the
/// equations are not those of the Lagrangian (looked at in numbers, at states near and far).
ChaplyginReduction chaplygin_reduction(const System& original, const ReductionRequest& request,
                                       std::span<const double> parameters = {});

}  // namespace dalembert
