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
  std::vector<Instruction> code;
  std::size_t setup_end = 0;  ///< [0, setup_end) depends on setup inputs only and runs once
  std::vector<TapeSection> sections;
  TapeSection further;  ///< after them: what only the further outputs need
  std::vector<TapeStages> stages;
  std::vector<TapeLoop> loops;
  std::vector<TapeLoopGroup> loop_groups;
  std::vector<TapeIterate> iterates;
  std::vector<std::uint32_t>
      residuals;  ///< slots of the residual at the iterate before the last correction
  std::vector<std::uint32_t> solve_pool;
  std::vector<TablePointer> tables;
  std::vector<numeric::TableView> table_views;                  ///< of `tables`
  std::vector<std::pair<std::uint32_t, Constant>> constants;    ///< slot and value
  std::vector<std::uint32_t> inputs, outputs, further_outputs;  ///< slots
  std::size_t slot_count = 0;
  std::size_t largest_solve = 0;

  /// Valid as long as the tape lives and is not changed.
  TapeView view() const { return {code.data(), solve_pool.data(), table_views.data()}; }
  /// Number of instructions of one kind after the setup.
  std::size_t count(TapeOperation operation) const;
};

/// Writes a tape from expressions. Order of calls: the constructor names the inputs; then `input`,
/// `define`, `loop` and at last `finish`. Values that depend on setup inputs alone are hoisted into
/// the setup part. sin(2 x) and cos(2 x) are products of sin(x) and cos(x) in every tape.
class TapeWriter {
 public:
  /// `setup_inputs` come first in the tape's inputs, then `inputs`. All are symbols. Every
  /// expression given is one of `graph` (RequestError otherwise), which is not frozen.
  TapeWriter(GraphPointer graph, const Vector& setup_inputs, const Vector& inputs);
  ~TapeWriter();

  /// One more input, which is a symbol, after those before.
  void input(const Expr& symbol);
  /// From now on `symbol` stands for `value`.
  void define(const Expr& symbol, const Expr& value);

  struct LoopGroup {
    Vector iterate;     ///< symbols
    Vector start;       ///< their first values
    Vector correction;  ///< what is subtracted from the iterates in each pass
    Vector value;       ///< the unknowns themselves, for the scale of the correction
    bool judged = true;
  };
  /// Where symbols `stand_ins` stand for the residual in the corrections, what does not depend on
  /// them is a matrix that may be kept from pass to pass.
  void loop(const std::vector<LoopGroup>& groups, const Vector& residual,
            const Vector& stand_ins = {});

  /// Writes a stage iteration: its rates have values after `end_stages`. In between stands the code
  /// that finds them where the sweeps do not converge, in the same symbols, if there is to be such
  /// a fallback; what else it defines is unknown afterwards. `blocks` in an order in which each
  /// depends on those before.
  void begin_stages(const StageIteration& stages, const std::vector<StageBlock>& blocks);
  void end_stages(bool has_fallback);

  /// Writes lines that run again and again: part k, a section of its own, computes `outputs[k]`,
  /// and then the symbols `state[k]`, which are inputs, stand for other numbers. What depends on no
  /// such symbol is computed once, before. The outputs are the first ones of the tape.
  void repeat(const std::vector<Vector>& outputs, const std::vector<Vector>& state);

  /// `further` outputs have lines of their own, which may be left out; what they share with the
  /// others is computed once.
  Tape finish(const Vector& outputs, const Vector& further = {});

 private:
  class Emitter;
  std::unique_ptr<Emitter> emitter_;
};

/// A tape without loops that computes `outputs` from `inputs`, which are symbols.
Tape write_tape(const Vector& inputs, const Vector& outputs);

}  // namespace dalembert
