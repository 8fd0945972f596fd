#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "dalembert/expression/table/table.hpp"
#include "dalembert/expression/tape/instruction.hpp"
#include "dalembert/expression/tape/stage_iteration.hpp"
#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// Straight-line code with iteration loops over a compact array of slots: constants, inputs, then
/// reused temporaries. Plain data: immutable once written, shared by any number of interpreters.
struct Tape {
  std::vector<Instruction> code;      ///< all instructions, the setup first
  std::size_t setup_end = 0;          ///< [0, setup_end) depends on setup inputs only and runs once
  std::vector<TapeSection> sections;  ///< code after the setup, in the order in which it runs
  TapeSection further;                ///< code after them, for the further outputs alone
  std::vector<TapeStages> stages;     ///< stage iterations, in the order of their sections
  std::vector<TapeLoop> loops;        ///< iteration loops, in the order of their sections
  std::vector<TapeLoopGroup> loop_groups;  ///< groups of all loops
  std::vector<TapeIterate> iterates;       ///< iterates of all groups
  std::vector<std::uint32_t>
      residuals;  ///< slots of the residual at the iterate before the last correction
  std::vector<std::uint32_t> solve_pool;        ///< slots of the operands and results of systems
  std::vector<TablePointer> tables;             ///< tables by number
  std::vector<numeric::TableView> table_views;  ///< plain pointers to `tables`
  std::vector<std::pair<std::uint32_t, Constant>> constants;    ///< slot and value
  std::vector<std::uint32_t> inputs, outputs, further_outputs;  ///< slots of each
  std::size_t slot_count = 0;                                   ///< number of slots
  std::size_t largest_solve = 0;  ///< unknowns of the largest linear system

  /// Plain pointers to the code, valid as long as the tape lives and is not changed.
  TapeView view() const { return {code.data(), solve_pool.data(), table_views.data()}; }
  /// Number of instructions of one kind after the setup.
  std::size_t count(TapeOperation operation) const;
};

/// Writes a tape from expressions. Order of calls: the constructor names the inputs; then `input`,
/// `define`, `loop` and at last `finish`. Values that depend on setup inputs alone are hoisted into
/// the setup part. sin(2 x) and cos(2 x) are made of sin(x) and cos(x) in every tape.
class TapeWriter {
 public:
  /// `setup_inputs` come first in the tape's inputs, then `inputs`. All are symbols. Every
  /// expression given is one of `graph` (RequestError otherwise), which is not frozen.
  TapeWriter(GraphPointer graph, const Vector& setup_inputs, const Vector& inputs);
  ~TapeWriter();

  /// Adds an input, which is a symbol, after those before. RequestError if it is one already.
  void input(const Expr& symbol);
  /// Makes `symbol` stand for `value` from now on.
  void define(const Expr& symbol, const Expr& value);

  /// Unknowns of a loop whose convergence is judged together.
  struct LoopGroup {
    Vector iterate;      ///< symbols of the iterates
    Vector start;        ///< first values of these
    Vector correction;   ///< subtracted from the iterates in each pass
    Vector value;        ///< unknowns themselves, for the scale of the correction
    bool judged = true;  ///< false: convergence is not judged on them
    /// False: no unknowns, but what a secant method remembers from pass to pass. Such groups come
    /// last, and are not judged.
    bool is_unknown = true;
  };
  /// Writes an iteration loop. Where symbols `stand_ins` stand for the residual in the corrections,
  /// the part that does not depend on them is a matrix that may be kept from pass to pass.
  void loop(const std::vector<LoopGroup>& groups, const Vector& residual,
            const Vector& stand_ins = {});

  /// Writes a stage iteration: its rates have values after `end_stages`. In between stands the code
  /// that finds them where the sweeps do not converge, in the same symbols, if there is to be such
  /// a fallback; what else it defines is unknown afterwards. `blocks` in an order in which each
  /// depends on those before.
  void begin_stages(const StageIteration& stages, const std::vector<StageBlock>& blocks);
  /// Ends the stage iteration; `has_fallback` if code of a fallback has been written since its
  /// begin.
  void end_stages(bool has_fallback);

  /// Writes lines that run again and again: part k, a section of its own, computes `outputs[k]`,
  /// and then the symbols `state[k]`, which are inputs, stand for other numbers. What depends on no
  /// such symbol is computed once, before. The outputs are the first ones of the tape.
  void repeat(const std::vector<Vector>& outputs, const std::vector<Vector>& state);

  /// Tape of all that was written, with these outputs. `further` outputs have lines of their own,
  /// which may be left out; what they share with the others is computed once.
  Tape finish(const Vector& outputs, const Vector& further = {});

 private:
  class Emitter;
  std::unique_ptr<Emitter> emitter_;
};

/// A tape without loops that computes `outputs` from `inputs`, which are symbols.
Tape write_tape(const Vector& inputs, const Vector& outputs);

}  // namespace dalembert
