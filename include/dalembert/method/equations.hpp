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
/// lambda, carried and t. What a step ends with may have more.
struct State {
  Vector q, v;
  Vector lambda =
      {};  ///< multipliers; empty where a method reports the continuous multiplier at the node
  Vector carried = {};  ///< what else a method carries to the next step, or reports at the node
  Expr t = 0.0;
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
  struct Group {
    std::string name;
    Vector symbols;  ///< the increments
    Vector start;    ///< where an iteration starts
    Vector value;    ///< guess + increment
    bool is_multiplier = false;
  };
  explicit Unknowns(GraphPointer graph) : graph_(std::move(graph)) {}

  /// Unknowns near `guess`.
  Vector vector(const std::string& name, const Vector& guess);
  /// Unknowns that are solved for themselves, not by their increments; an iteration starts from
  /// `start`.
  Vector whole(const std::string& name, const Vector& start);
  /// Multipliers: linear systems are solved about zero; an iteration starts from `start`.
  Vector multiplier(const std::string& name, const Vector& start);
  const std::vector<Group>& groups() const { return groups_; }

 private:
  GraphPointer graph_;
  std::vector<Group> groups_;
};

/// What the second half of a step's equations and unknowns is to the first: equation n + i is the
/// derivative of equation i, in unknown n + j as the tangent of unknown j; or equation n + j is
/// that of the adjoint along unknown j, in unknown n + i as the multiplier of equation i.
enum class Companion { none, tangent, adjoint };

/// The equations of one step: `zero` and `constraint` vanish, and `after` is the new state.
struct Equations {
  Vector zero;        ///< the dynamics
  Vector constraint;  ///< conditions on the new state alone: its velocity satisfies the constraints
                      ///< there
  State after;
  /// For compensated sums, where a method finds the new velocity as a whole and not by its change:
  /// the change, in terms as small as itself. With it the round-off of a step is that of the
  /// change. Empty: after.v - before.v, in which terms cancel.
  Vector velocity_change = {};
  /// What is left out of it, of the order of its round-off, and goes into the carry of the sum: the
  /// old velocity, as it is stored, lies beside the constraint by its own rounding, and the new one
  /// does not start from there; and what the change lacks to the exact change of an energy.
  Vector velocity_rest = {};
  /// The same equations as a fixed point of stages, whose rates are unknowns made by
  /// `Unknowns::whole`. What else the new state needs follows from the rates, by equations that
  /// these do not contain.
  std::optional<StageIteration> stages = {};
  /// Then the structure of the second half, `zero` and `constraint` one after the other, is known
  /// from that of the first.
  Companion companion = Companion::none;
};

/// One piece of a splitting: a map of states for a fraction of the step, as equations of its own.
struct SplittingPiece {
  Required<std::string> name;  ///< as it is printed: "drift"
  /// The equations of the piece for the time `time` from `before`.
  Required<std::function<Equations(const System& system, const State& before, Unknowns& unknowns,
                                   const Expr& time)>>
      map;
  bool moves_time = false;  ///< whether t moves on with this piece
  /// Whether two of these maps, one after the other, are the one for the sum of their times.
  bool is_flow = false;
  Constant fraction{1.0};  ///< of the step
};

/// The equations of all pieces, one after the other, as one step. The last piece alone says what is
/// a condition on the new state.
Equations apply_pieces(const std::vector<SplittingPiece>& pieces, const System& system,
                       const State& before, Unknowns& unknowns, const Expr& h);

/// The symmetric sequence a_1(h/2) .. a_(n-1)(h/2) a_n(h) a_(n-1)(h/2) .. a_1(h/2) of pieces a_1
/// .. a_n, whatever their fractions were: [HairerLubichWanner2006], Sect. II.5.
std::vector<SplittingPiece> symmetric_sequence(std::vector<SplittingPiece> pieces);

}  // namespace dalembert
