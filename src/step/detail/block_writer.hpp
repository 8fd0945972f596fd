#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/expression/linear_solve.hpp"
#include "dalembert/expression/tape/tape.hpp"
#include "dalembert/step/detail/named_parts.hpp"
#include "dalembert/step/detail/tearing.hpp"
#include "dalembert/step/step_program.hpp"
#include "sparse_block.hpp"
#include "start_history.hpp"

namespace dalembert {

/// One scalar unknown of the step.
struct StepUnknown {
  Expr symbol, start, value;
  std::size_t group;
  bool is_multiplier;
  std::string name;
};

/// Writes blocks of equations onto a tape, one after the other in the order in which they can be
/// solved: afterwards their unknowns have values.
class BlockWriter {
 public:
  /// `velocities`: those before the step.
  BlockWriter(std::vector<StepUnknown> unknowns, Expr step_size, Vector velocities,
              TapeWriter& writer);

  /// Whether loops from now on begin where earlier steps let expect their end.
  void remember_starts(bool on) { remembers_ = on; }
  const StartHistory& history() const { return history_; }

  /// Solves `functions` = 0 for the unknowns `which` with a small linear system: what follows from
  /// other unknowns is eliminated.
  StepProgram::Block write(const Vector& functions, const std::vector<std::size_t>& which);
  /// The same for linear functions whose matrix is that of another block, or the transposed of it:
  /// `known` is how that was eliminated, if it was in a sparse order.
  StepProgram::Block write(const Vector& functions, const std::vector<std::size_t>& which,
                           const std::vector<Pivot>& known);
  /// How the block before was eliminated; empty if not in a sparse order.
  const std::vector<Pivot>& sparse_order() const { return sparse_order_; }
  /// The same by Newton's method for all unknowns at once, with the whole Jacobian.
  StepProgram::Block write_plain(const Vector& functions, const std::vector<std::size_t>& which);
  /// Solves `functions` = 0 for all unknowns of the step by Broyden's method.
  StepProgram::Block write_secant(const Vector& functions, const SecantIteration& secant);
  /// These have values by other means.
  StepProgram::Block found_by_sweeps(const std::vector<bool>& which);

 private:
  /// An unknown that is iterated: one of the step's, or a part of its equations.
  struct Iterate {
    Expr symbol, start, value, correction;
    std::vector<NodeId> kind;  ///< those of one kind are judged together
    bool is_multiplier;
  };

  /// The corrections of iterates; and the same with symbols that stand for the residual, where the
  /// matrix may be kept.
  struct Corrections {
    Vector known, by_stand_ins = {}, stand_ins = {};
  };

  /// Equations that are eliminated in an order of their own, and what that gives: the corrections
  /// of unknowns, or themselves.
  struct SparseForm {
    NamedFactors equations;
    SparseBlock block;
    Corrections solution;

    Vector solved(const Vector& right_side) const;
  };

  std::optional<SparseForm> sparse_form(const NamedFactors& equations,
                                        const std::vector<std::size_t>& which, bool linear,
                                        double most_work) const;
  SparseForm sparse_form(const NamedFactors& equations, const SparseBlock& block,
                         bool linear) const;
  StepProgram::Block write_sparse(const SparseForm& form, const std::vector<std::size_t>& which,
                                  bool linear);
  std::vector<Iterate> iterates_of(const std::vector<std::size_t>& which) const;
  std::vector<bool> are_multipliers(const std::vector<std::size_t>& which) const;
  Tearing tear_block(const NamedParts& named, const Matrix& slopes) const;
  bool is_small(const Expr& function) const;
  void define_single(const Expr& function, const Expr& symbol);
  /// What unknowns that follow from others are, and the same as their values.
  static Vector assigned_values(const NamedParts& named, const Tearing& tearing,
                                const Matrix& slopes);
  void define_assigned(const NamedParts& named, const Tearing& tearing, const Vector& values);
  Iterate iterate_of_unknown(std::size_t unknown, const std::vector<std::size_t>& own) const;
  Iterate iterate_of_part(const NamedParts::Part& part, const Expr& symbol,
                          const std::vector<std::size_t>& own) const;
  /// Solves by `solved` once: an elimination of many unknowns takes most of the time to compile.
  template <class Solved>
  Corrections corrections_of(const Vector& residual, const Solved& solved) const;
  /// The iteration by which the residual becomes zero; `assigned` are unknowns that follow.
  void write_loop(std::vector<Iterate> iterates, const Vector& residual, const Vector& assigned,
                  const Corrections& corrections);
  void write_loop(std::vector<Iterate> iterates, const Vector& residual, const Vector& stand_ins,
                  bool remembers, const std::vector<TapeWriter::LoopGroup>& memory = {});
  Expr known_form(Expr expression, const std::vector<std::size_t>& own) const;
  Vector symbols_of(const std::vector<std::size_t>& which) const;
  StepProgram::Block finish(StepProgram::Block::Kind kind, const std::vector<std::size_t>& which,
                            std::size_t system_size);

  std::vector<StepUnknown> unknowns_;
  Expr step_size_;
  Vector velocities_;
  TapeWriter& writer_;
  StartHistory history_;
  bool remembers_ = false;
  bool is_large_;
  std::vector<Pivot> sparse_order_ = {};
  std::vector<bool> found_;  // which unknowns have a value by now
};

}  // namespace dalembert
