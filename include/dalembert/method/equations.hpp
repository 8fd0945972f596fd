#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/expression/tape/stage_iteration.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/method/facts.hpp"

namespace dalembert {

/// A state between steps, as expressions. Before a step it has what the step starts from: q, v,
/// lambda, carried and t. The state after a step may have more.
struct State {
  /// Positions [storage_count] and velocities [dof]; v is empty in skew-gradient form.
  Vector q, v;
  /// Multipliers [constraints]. After a step they are empty if the method reports the continuous
  /// multiplier at the node.
  Vector lambda = {};
  /// Further values that a method carries to the next step, or reports at the node, in the order of
  /// Method::carried_names.
  Vector carried = {};
  Expr t = 0.0;                ///< time
  Vector error_estimate = {};  ///< estimates of the errors that the step made, in any order
  /// Positions (as increments from the start of the step), velocities and multipliers at the nodes
  /// of the method's dense output, without its first and last.
  Vector dense = {};
};

/// The unknowns of one step. Each is represented as guess + increment, and the increment is what is
/// solved for: so round-off stays relative to the change within a step, not to the size of the
/// state.
class Unknowns {
 public:
  /// Unknowns that were made together. All vectors have one entry for each of them.
  struct Group {
    std::string name;  ///< name from which those of the symbols are made; printed by `describe`
    Vector symbols;    ///< the increments; the unknowns themselves in groups of `whole`
    Vector start;      ///< values of the symbols from which an iteration starts
    Vector value;      ///< guess + increment
    bool is_multiplier = false;  ///< made by `multiplier`
  };
  /// No unknowns yet; symbols will be made in this graph.
  explicit Unknowns(GraphPointer graph) : graph_(std::move(graph)) {}

  /// Makes unknowns near `guess`. Returns their values, guess + increment.
  Vector vector(const std::string& name, const Vector& guess);
  /// Makes unknowns that are solved for themselves, not by their increments. An iteration starts
  /// from `start`.
  Vector whole(const std::string& name, const Vector& start);
  /// Makes multipliers: linear systems are solved about zero; an iteration starts from `start`.
  Vector multiplier(const std::string& name, const Vector& start);
  /// All groups in the order in which they were made.
  const std::vector<Group>& groups() const { return groups_; }

 private:
  GraphPointer graph_;
  std::vector<Group> groups_;
};

/// Relation of the second half of a step's equations and unknowns to the first, n of each. Tangent:
/// equation n + i is the derivative of equation i, with unknown n + j as the tangent of unknown j.
/// Adjoint: equation n + j is that of the adjoint along unknown j, with unknown n + i as the
/// multiplier of equation i.
enum class Companion { none, tangent, adjoint };

/// Broyden's method for the equations of a step, without derivatives of them. Source:
/// [Broyden1965].
struct SecantIteration {
  /// Matrix near the inverse of the derivative of the first k equations in the first k unknowns,
  /// k x k, from which the iteration of the first step starts. Further unknowns, n - k of them, are
  /// corrected by their own equations, which are the unknown less a value that follows from the
  /// others.
  Matrix inverse;
  /// Weights of the squares of these unknowns in the size of a correction, k: kinetic energies, so
  /// that units do not matter.
  Vector weights;
};

/// The equations of one step: `zero` and `constraint` vanish, and `after` is the new state.
struct Equations {
  Vector zero;  ///< the dynamics
  /// Conditions on the new state alone: its velocity satisfies the constraints there.
  Vector constraint;
  State after;  ///< the new state, in the unknowns
  /// Change of the velocity [dof] in terms as small as itself, for compensated sums of methods that
  /// find the new velocity as a whole and not by its change. With it the round-off of a step is
  /// that of the change. Empty: after.v - before.v, in which terms cancel.
  Vector velocity_change = {};
  /// Correction [dof] that is left out of the change, of the order of its round-off, and goes into
  /// the carry of the sum. The old velocity, as it is stored, lies beside the constraint by its own
  /// rounding, and the new one does not start from there. Methods that keep an energy add what the
  /// change lacks to the exact change of that energy.
  Vector velocity_rest = {};
  /// Fixed point of stages with the same solution, whose rates are unknowns made by
  /// `Unknowns::whole`. Everything else that the new state needs follows from the rates, by
  /// equations that these do not contain.
  std::optional<StageIteration> stages = {};
  /// Way to solve `zero` where derivatives of it are much more work than itself; there is no
  /// `constraint` then. Without it: Newton's iteration.
  std::optional<SecantIteration> secant = {};
  /// Relation of the second half of `zero` and `constraint`, one after the other, to the first,
  /// from which the structure of the second half is known.
  Companion companion = Companion::none;
};

/// One piece of a splitting: a map of states for a fraction of the step, as equations of its own.
struct SplittingPiece {
  Required<std::string> name;  ///< name in print, as "drift"
  /// The equations of the piece for the time `time` from `before`.
  Required<std::function<Equations(const System& system, const State& before, Unknowns& unknowns,
                                   const Expr& time)>>
      map;
  bool moves_time = false;  ///< t moves on by the time of this piece
  /// Two of these maps, one after the other, are the one for the sum of their times.
  bool is_flow = false;
  Constant fraction{1.0};  ///< part of the step that the piece takes; may be negative
};

/// The equations of all pieces, one after the other, as one step. Conditions on the new state are
/// those of the last piece alone; error estimates and dense output are dropped.
Equations apply_pieces(const std::vector<SplittingPiece>& pieces, const System& system,
                       const State& before, Unknowns& unknowns, const Expr& h);

/// The symmetric sequence a_1(h/2) .. a_(n-1)(h/2) a_n(h) a_(n-1)(h/2) .. a_1(h/2) of pieces a_1
/// .. a_n, whatever their fractions were: [HairerLubichWanner2006], Sect. II.5.
std::vector<SplittingPiece> symmetric_sequence(std::vector<SplittingPiece> pieces);

}  // namespace dalembert
