#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "dalembert/mechanics/state_function.hpp"

namespace dalembert {

/// The quantity that the method `leapfrog` keeps to round-off.
///
/// Let S be coordinates with constant mass M and quadratic potential q.K q/2 - f.q, both apart from
/// the rest, such that every constraint on their velocities contains no others: A v_S = 0, with any
/// A(q), of all coordinates. Then between the nodes k and k + 1, with v = (q_{k+1} - q_k)/h,
///
///   v.M v/2 + q_k.K q_{k+1}/2 - f.(q_k + q_{k+1})/2
///
/// is the same for all k: M (v+ - v-) = h (f - K q_k + A^T lambda) and A (v+ + v-) = 0, multiplied
/// by (v+ + v-)/2, is its change. So `leapfrog` keeps a number O(h^2) from the energy, whether or
/// not the system is reversible. For nonholonomically coupled systems S are the passengers; this is
/// why their energy error does not drift there, [ModinVerdier2020], Sect. 6, open problem (2).
///
/// The states (q, v) of `leapfrog(first=drift)` lie in the middle between two such nodes, which are
/// q - h/2 v and q + h/2 v: there it is v.M v/2 + q.K q/2 - f.q - h^2 v.K v/8.
/// Source of the method: [McLachlanPerlmutter2006], Sect. 5.1; of the invariant: this library.
///
/// Accuracy: round-off of q/h in v, so about (machine epsilon) |q| |v|/h.
class DiscreteEnergy {
 public:
  /// `coordinates` are the names of S; the largest possible S if empty. Throws
  /// RequestError, saying what is in the way, if the named ones do not form such a set or
  /// there is none.
  explicit DiscreteEnergy(const System& system, std::span<const double> parameters = {},
                          const std::vector<std::string>& coordinates = {});

  /// Its value between two successive nodes a step h apart; angles unwrapped.
  double operator()(std::span<const double> q0, std::span<const double> q1, double h) const;
  /// Its value between a node and the one that `leapfrog` takes from it in a step h, with the
  /// multiplier that the node carries.
  double at_node(std::span<const double> q, std::span<const double> v,
                 std::span<const double> lambda, double h);

  /// Its value at a state of `leapfrog` with first = drift and the step h; angles unwrapped.
  double at_state(std::span<const double> q, std::span<const double> v, double h) const;

  /// The indices of S.
  const std::vector<std::size_t>& coordinates() const { return indices_; }

 private:
  std::vector<std::size_t> indices_;
  std::vector<double> mass_, stiffness_, force_;  ///< M and K by rows, f
  StateFunction<double> acceleration_;            ///< with lambda -> all of v'
  std::vector<double> ahead_;
};

}  // namespace dalembert
