#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "dalembert/expression/instruction.hpp"
#include "dalembert/expression/vector.hpp"

namespace dalembert {

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
  void fuse(const std::vector<Register>& outputs);
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
