#pragma once
/// \file
/// From expressions to the lines of a draft. Only for the sources of this room.

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "dalembert/expression/node_map.hpp"
#include "dalembert/expression/tape/tape.hpp"
#include "draft.hpp"

namespace dalembert {

/// The registers with the values of nodes; most nodes of a graph get one.
class NodeRegisters {
 public:
  using Register = TapeDraft::Register;

  bool contains(NodeId id) const { return id < of_.size() && of_[id] != none; }
  Register at(NodeId id) const {
    if (!contains(id)) throw std::logic_error("a node has no register");
    return of_[id];
  }
  void set(NodeId id, Register value) {
    if (id >= of_.size()) of_.resize(std::max<std::size_t>(id + 1, 2 * of_.size()), none);
    of_[id] = value;
  }
  void erase(NodeId id) { of_[id] = none; }

 private:
  static constexpr Register none = std::numeric_limits<Register>::max();
  std::vector<Register> of_;
};

/// Turns expressions into lines, each node once.
class TapeWriter::Emitter {
 public:
  using Register = TapeDraft::Register;
  using Line = TapeDraft::Line;

  Emitter(GraphPointer graph, const Vector& setup_inputs, const Vector& inputs);

  void add_input(const Expr& symbol, bool setup);

  void define(const Expr& symbol, const Expr& value);

  void loop(const std::vector<LoopGroup>& groups, const Vector& residual, const Vector& stand_ins);

  void repeat(const std::vector<Vector>& outputs, const std::vector<Vector>& state);

  void begin_stages(const StageIteration& iteration, const std::vector<StageBlock>& blocks);

  void end_stages(bool has_fallback);

  Tape finish(const Vector& outputs, const Vector& further);

 private:
  std::vector<Register> emit_outputs(const Vector& outputs);

  Register new_register();

  Register constant_register(const Constant& value);

  Register pinned_copy(Register source);

  /// What is evaluated in the place of a node, if not itself: the definition of a symbol; for the
  /// sine or cosine of a doubled angle, products of those of the angle, which mostly are needed
  /// too. That depends on nothing but the node, so that a value has the same bits in every tape.
  std::optional<NodeId> substitute_of(NodeId id) const;

  /// The operands of a node, or what is evaluated in its place.
  void operands_of(NodeId id, std::vector<NodeId>& operands) const;

  /// The value of an expression, computed now unless it is known. Iterative: graphs can be deep.
  Register emit(const Expr& expression);

  void emit_node(NodeId id);

  Line solve_line(NodeId id);

  Line line_of(NodeId id);

  Register index_of_table(const TablePointer& table);

  /// Adds a line to the setup if all that it reads is known there.
  Register push(Line line);

  void forget_values_since(std::size_t mark);

  /// Gives the iterates registers that hold their first values.
  TapeDraft::Loop start_loop(const std::vector<LoopGroup>& groups);

  /// The nodes of a loop's body that do not depend on the iterates, operands first: they are
  /// computed once, before the loop.
  std::vector<NodeId> steady_nodes(const std::vector<LoopGroup>& groups, const Vector& residual,
                                   const Vector& stand_ins) const;

  void emit_corrections(const std::vector<LoopGroup>& groups, TapeDraft::Loop& loop);

  void emit_residual(const std::vector<LoopGroup>& groups, const Vector& residual,
                     TapeDraft::Loop& loop);

  void emit_matrix(const std::vector<LoopGroup>& groups, const Vector& stand_ins);

  void factorize(NodeId id);

  /// The nodes of expressions that do not depend on the symbols, operands first.
  std::vector<NodeId> nodes_without(const Vector& symbols, const std::vector<Vector>& roots) const;

  /// How far expressions are looked into: to what has a value, or to symbols and constants.
  enum class Depth { to_known, to_leaves };

  /// Calls visit(node, whether it depends on the symbols) for the nodes of expressions, operands
  /// first, and says the same of each; not for the symbols themselves.
  template <class Visit>
  NodeMap<bool> visit_nodes(const Vector& symbols, const std::vector<Vector>& roots, Depth depth,
                            Visit visit) const {
    std::vector<NodeId> stack, operands;
    NodeMap<bool> varies;
    for (const Vector& some : roots) {
      for (const Expr& root : some) {
        if (!root.is_constant()) stack.push_back(root.id());
      }
    }
    for (const Expr& symbol : symbols) varies[symbol.id()] = true;
    while (!stack.empty()) {
      const NodeId id = stack.back();
      if (varies.contains(id)) {
        stack.pop_back();
        continue;
      }
      operands_of(id, operands);
      if (depth == Depth::to_known && value_.contains(id)) operands.clear();
      const std::size_t before = stack.size();
      for (const NodeId operand : operands) {
        if (!varies.contains(operand)) stack.push_back(operand);
      }
      if (stack.size() > before) continue;
      stack.pop_back();
      const bool node_varies = std::any_of(operands.begin(), operands.end(),
                                           [&](NodeId operand) { return varies.at(operand); });
      varies[id] = node_varies;
      visit(id, node_varies);
    }
    return varies;
  }

  /// What expressions need that is the same whatever the symbols stand for: parts of which they
  /// consist but for what depends on the symbols.
  Vector known_parts(const Vector& symbols, const Vector& expressions) const;

  /// The tape of the rates, and what this one shares with it.
  void write_rates(const StageIteration& iteration, const std::vector<StageBlock>& blocks,
                   TapeDraft::Stages& stages);

  /// The same of the function whose means the rates use, part by part.
  void write_function(const StageIteration& iteration, TapeDraft::Stages& stages);

  static Vector chosen(const Vector& all, const std::vector<std::size_t>& which);
  /// Symbols of what the rates of these components move.
  static Vector moved_by(const StageIteration& iteration,
                         const std::vector<std::size_t>& components);
  static TapeStages::Part appended(std::vector<std::uint32_t>& list,
                                   const std::vector<std::size_t>& more);
  std::vector<Register> constant_registers(const std::vector<std::vector<Constant>>& rows);
  /// What an inner tape shares with this one: known values, then its constants.
  std::vector<Register> shared_registers(const Vector& known, const Tape& inner);

  /// The values of expressions in registers that keep their slots.
  std::vector<Register> kept(const Vector& expressions);

  /// Forgets what depends on the symbols, which stand for other numbers from now on.
  void forget_values_of(const Vector& symbols);

  /// What is known before a fallback, which may be left out.
  struct BeforeFallback {
    Vector rates;
    NodeRegisters value;
    std::unordered_map<NodeId, NodeId> definition;
    std::size_t recent = 0;
  };

  GraphPointer shared_graph_;
  Graph& graph_;
  TapeDraft draft_;
  NodeRegisters value_;
  std::vector<NodeId> recent_;  // nodes in the order they received a value in straight or loop code
  std::vector<bool> setup_register_;
  std::unordered_map<NodeId, NodeId> definition_;
  std::unordered_map<NodeId, std::vector<Register>> factors_;  // of the systems of this loop
  BeforeFallback before_fallback_;
};

}  // namespace dalembert
