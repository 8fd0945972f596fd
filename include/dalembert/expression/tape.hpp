#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// What one instruction of a tape does. Fused multiply-and-add forms round twice, like the two
/// operations they stand for.
enum class TapeOperation : std::uint32_t {
  copy,                   ///< target = a
  negate,                 ///< target = -a
  add,                    ///< target = a + b
  subtract,               ///< target = a - b
  multiply,               ///< target = a * b
  divide,                 ///< target = a / b
  multiply_add,           ///< target = c + a * b
  multiply_subtract,      ///< target = a * b - c
  negative_multiply_add,  ///< target = c - a * b
  sine_cosine,            ///< target = sin a, c = cos a
  power,
  atan2,
  sqrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  abs,
  sign,
  sinc,   ///< target = f_c(a)
  sinhc,  ///< target = g_c(a)
  solve,  ///< linear system: `a` is the offset in the solve pool of n*n + n operand slots and n
          ///< result slots, `b` is n
};

/// One instruction on numbered slots.
struct Instruction {
  TapeOperation operation;
  std::uint32_t target = 0, a = 0, b = 0, c = 0;
};

/// Unknowns of one loop whose size is judged together: entries [begin, end) of the tape's
/// `iterates`.
struct TapeLoopGroup {
  std::uint32_t begin = 0, end = 0;
  bool judged = true;  ///< whether convergence is judged on this group
};

/// One iterate of a loop: the slots of the iterate, of the correction that is subtracted from it,
/// and of the unknown itself.
struct TapeIterate {
  std::uint32_t iterate = 0, correction = 0, value = 0;
};

/// One iteration loop of a tape: its body computes corrections for the iterates from their present
/// values.
struct TapeLoop {
  std::uint32_t group_begin = 0, group_end = 0;        ///< in the tape's `loop_groups`
  std::uint32_t residual_begin = 0, residual_end = 0;  ///< in the tape's `residuals`
};

/// A stretch of instructions: straight code, or the body of a loop.
struct TapeSection {
  std::size_t begin = 0, end = 0;
  int loop = -1;  ///< index of the loop, or -1 for straight code
};

/// Straight-line code with iteration loops over a compact array of slots: constants, inputs, then
/// reused temporaries. Plain data: immutable once written, shared by any number of interpreters.
struct Tape {
  std::vector<Instruction> code;
  std::size_t setup_end = 0;  ///< [0, setup_end) depends on setup inputs only and runs once
  std::vector<TapeSection> sections;
  std::vector<TapeLoop> loops;
  std::vector<TapeLoopGroup> loop_groups;
  std::vector<TapeIterate> iterates;
  std::vector<std::uint32_t>
      residuals;  ///< slots of the residual at the iterate before the last correction
  std::vector<std::uint32_t> solve_pool;
  std::vector<std::pair<std::uint32_t, Constant>> constants;  ///< slot and value
  std::vector<std::uint32_t> inputs, outputs;                 ///< slots
  std::size_t slot_count = 0;
  std::size_t largest_solve = 0;

  /// Number of instructions of one kind after the setup.
  std::size_t count(TapeOperation operation) const;
};

/// Writes a tape from expressions. Order of calls: the constructor names the inputs; then `define`,
/// `loop` and at last `finish`. Values that depend on setup inputs alone are hoisted into the setup
/// part.
class TapeWriter {
 public:
  /// `setup_inputs` come first in the tape's inputs, then `inputs`. All are symbols.
  TapeWriter(Graph& graph, const Vector& setup_inputs, const Vector& inputs);

  /// From now on `symbol` stands for `value`.
  void define(const Expr& symbol, const Expr& value);

  struct LoopGroup {
    Vector iterate;     ///< symbols
    Vector start;       ///< their first values
    Vector correction;  ///< what is subtracted from the iterates in each pass
    Vector value;       ///< the unknowns themselves, for the scale of the correction
    bool judged = true;
  };
  void loop(const std::vector<LoopGroup>& groups, const Vector& residual);

  Tape finish(const Vector& outputs);

 private:
  using Register = std::uint32_t;
  struct Line {
    TapeOperation operation;
    Register target = 0, a = 0, b = 0, c = 0;
    std::vector<Register> operands, results;  // solve only
    bool setup = false;
  };
  Register new_register();
  Register constant_register(const Constant& value);
  Register emit(const Expr& expression);
  Register emit_node(NodeId id);
  Register push(Line line);
  bool is_setup(Register value) const { return setup_register_[value]; }
  void forget_values_since(std::size_t mark);
  void fuse();
  static std::vector<Register> uses_of(const Line& line);
  static std::vector<Register> targets_of(const Line& line);
  Tape allocate(const std::vector<Register>& outputs) const;

  Graph& graph_;
  std::vector<Line> setup_, lines_;
  struct Loop {
    std::size_t begin, end;
    struct Group {
      std::vector<Register> iterate, correction, value;
      bool judged;
    };
    std::vector<Group> groups;
    std::vector<Register> residual;
  };
  std::vector<Loop> loops_;
  std::unordered_map<NodeId, Register> value_;
  std::vector<NodeId> recent_;  // nodes in the order they received a value in straight or loop code
  std::vector<bool> setup_register_, pinned_;
  std::vector<std::pair<Register, Constant>> constants_;
  std::vector<Register> inputs_;
  std::unordered_map<NodeId, Expr> definition_;
};

}  // namespace dalembert
