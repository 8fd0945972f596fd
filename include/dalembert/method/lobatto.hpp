#pragma once

#include "dalembert/mechanics/difference/quadrature.hpp"
#include "dalembert/mechanics/group/chart.hpp"
#include "dalembert/method/page.hpp"
#include "dalembert/method/stage/lobatto_tableaux.hpp"

namespace dalembert {

struct TableauPair;

/// Values at the s stages of a Lobatto step, with the equations that determine them.
struct LobattoStages {
  /// Q_i, V_i, vtilde_i (the old and the new velocity at the ends) and the multipliers, a vector
  /// for each stage.
  std::vector<Vector> position, velocity, node_velocity, lambda;
  Vector zero, constraint;  ///< expressions that vanish; `constraint` is on the new state alone
};

/// The s-stage Lobatto method for nonholonomic systems: constraints linear, affine or nonlinear in
/// the velocities (Chetaev's rule), constraints on positions, both together, any regular
/// Lagrangian, external forces, everything depending on time. The constraint is imposed on the
/// momenta of the IIIA tableau, not on the stage velocities. Order 2 s - 2 in q and v; multipliers
/// of order s - 1, by some choices of the first one s. Symmetric. Constraints on positions alone:
/// the constrained variational Runge-Kutta method. Source: [MartinDeDiegoSato2018], Eqs. (14) and
/// (15); [Jay1996].
///
/// The equations leave one multiplier of constraints on velocities open, that of the first stage.
/// Multiplier::closed, the default, asks sum_i d_i Lambda_i = 0 with d_i = prod_(j != i) 1/(c_i -
/// c_j): the multipliers are values of a polynomial of degree s - 2. A symmetric map of (q, v),
/// multipliers of order s - 1, nothing that could grow from step to step. On motions that are not
/// reversible its energy drifts.
///
/// Multiplier::carried, the published form, takes that of the step before: order s in lambda for
/// even s; two stages, constant mass and linear constraints are the leap-frog. It has a mode that
/// is not damped: an error of Lambda_1 comes back as one of Lambda_s of the same size. Where
/// motions approach an equilibrium, as driven and damped vehicles do, the error grows
/// exponentially, at a rate that the step does not change, and leads the motion away
/// (Facts::multiplier_growth). On the transmission of [ModinVerdier2020] it stays bounded but for
/// odd s on motions that are not reversible, where it grows linearly, at a rate like h^(s-1).
/// Multiplier::exact starts every step from the multiplier of the motion: order s in lambda for all
/// s and no such mode, but no symmetry: energies that the carried multiplier keeps on reversible
/// motions drift then, at a rate like h^(2s-1). Multiplier::turned, Lambda_1 = 2 lambda(q0, v0) -
/// lambda0 with lambda(q, v) that of the motion, changes the sign of the error in each step: order
/// s in lambda for odd s, bounded where the carried one grows linearly. Time turned round reflects
/// the carried multiplier there, too (Facts::reflects_multiplier). Where the error of the carried
/// one grows exponentially, this one does, too. We know of no earlier description of closed and
/// turned.
///
/// On Lie groups the same equations hold in the chart of the step (see Chart), and forces and
/// momenta are compared at its base point, so that momenta that symmetries keep stay at round-off.
/// With the base point in the middle the method is symmetric there; with ChartBase::start and the
/// carried multiplier it is the published form (see LieLobatto), which is not. The Hamiltonian
/// form, Multiplier::exact and turned, and dense output are for coordinates.
///
/// Other tableaux than Lobatto's carry the multiplier. They go by their nodes, for collocation, or
/// by their rows, with the second tableau conjugate to them, as published, equal, or any other with
/// their weights, which has the order min(p, q + 1, qhat + 1) at least by its own stage order qhat.
/// They need both ends of the step as nodes (H1 and H3) and a regular inner matrix (H2), and have
/// the orders of `predicted_orders`: of all collocation pairs with a conjugate Lobatto's alone lose
/// none. For constraints on velocities in coordinates.
///
/// The Hamiltonian form has other unknowns and the same solution; it needs a Lagrangian quadratic
/// in v. With dense output the dense part of the state holds the values between which DenseOutput
/// interpolates.
struct Lobatto {
  /// Unknowns of a step: stage velocities, or stage positions and momenta with the Hamiltonian.
  enum class Form { lagrangian, hamiltonian };
  /// Choice of the first stage's multiplier of constraints on velocities.
  enum class Multiplier {
    automatic,  ///< closed; carried with other tableaux than Lobatto's, as published
    closed,     ///< a combination of the others: Lambda is a polynomial of degree s - 2
    carried,    ///< the last one of the step before
    exact,      ///< the multiplier of the motion through the node
    turned,     ///< the carried one, reflected at that of the motion; for odd s
  };

  /// Tableau that multiplies forces in the stages' momenta.
  enum class Second {
    conjugate,  ///< b_j - b_j a_ji/b_i: symplectic without constraints
    same,       ///< the tableau itself
  };

  int stages = 3;            ///< number of stages s, 2 to 8; nodes or a tableau have their own
  std::string nodes = {};    ///< nodes for collocation, as "0, 1/3, 2/3, 1"; empty: Lobatto's
  std::string tableau = {};  ///< rows, as "0, 0; 1/2, 1/2"; empty: that of the nodes
  Second second = Second::conjugate;  ///< second tableau, unless its rows are given
  std::string second_tableau = {};    ///< rows of the second tableau; with the weights of the first
  Form form = Form::lagrangian;       ///< unknowns of a step; the solution is the same
  Multiplier multiplier = Multiplier::automatic;  ///< multiplier of the first stage
  bool dense_output = false;                      ///< also compute State::dense
  Retraction retraction = Retraction::cayley;     ///< map tau by which a step moves on groups
  ChartBase base = ChartBase::middle;             ///< base point of the chart of a step on groups

  static MethodPage<Lobatto> page();
  Facts facts() const;
  /// Constraints on positions and Lie groups go with Lobatto's own tableaux only.
  Requirements requirements() const;
  std::optional<std::string> conflict() const;
  std::optional<std::string> misfit(const System& system) const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
  /// A sentence where errors of the multiplier grow, whatever the step is.
  std::optional<std::string> warning() const;
  /// Properties of the tableau in one line, as `tableau_text` writes them.
  std::vector<std::string> remarks() const;
  /// Fractions of the step between which polynomials interpolate: those of the stages, where they
  /// have the values Q_i, vtilde_i and Lambda_i, and one more.
  std::vector<Constant> interpolation_nodes() const;

 private:
  /// The choice that `multiplier` stands for, never automatic.
  Multiplier chosen_multiplier() const {
    if (multiplier != Multiplier::automatic) return multiplier;
    return has_own_pair() ? Multiplier::carried : Multiplier::closed;
  }
  bool has_own_tableau() const { return !nodes.empty() || !tableau.empty(); }
  /// True if anything but Lobatto's own pair is asked for.
  bool has_own_pair() const {
    return has_own_tableau() || second == Second::same || !second_tableau.empty();
  }
  TableauPair pair() const;
  /// Tableaux of Lobatto's nodes, or as nodes and rows say. RequestError where they make no sense.
  LobattoTableaux tableaux() const;
  TableauProperties properties() const;
  Facts own_tableau_facts() const;
  Vector interpolation_values(const LobattoTableaux& lobatto, const LobattoStages& all,
                              const Expr& h) const;
};

/// The Lobatto method on Lie groups as it was published, with the base point of its chart at the
/// start of the step and the multiplier carried: the same order as Lobatto, and not symmetric, so
/// that its energy drifts.
/// Source: [MartinDeDiegoSato2018], Sect. 6.
struct LieLobatto {
  int stages = 3;                              ///< number of stages s, 2 to 8; order 2 s - 2
  Retraction retraction = Retraction::cayley;  ///< map tau by which a step moves on groups

  static MethodPage<LieLobatto> page();
  Facts facts() const;
  Equations equations(const System& system, const State& before, Unknowns& unknowns,
                      const Expr& h) const;
};

}  // namespace dalembert
