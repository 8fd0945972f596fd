#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "dalembert/expression/constant.hpp"

namespace dalembert {

/// What a node of the expression graph computes.
enum class Operation : std::uint8_t {
  constant,
  symbol,
  negate,
  add,
  subtract,
  multiply,
  divide,
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
  sign,       ///< +1 for arguments >= 0, else -1; derivative 0
  sinc,       ///< f_k(x), f_0 = sin(x)/x, f_k' = -x f_{k+1}; smooth at 0
  sinhc,      ///< g_k(x), g_0 = sinh(x)/x, g_k' = x g_{k+1}; smooth at 0
  solve,      ///< solution of a dense linear system; read through `component`
  component,  ///< one entry of a `solve` node
  function,   ///< an opaque named function of one argument, for printing equations; never evaluated
};

/// What is known of the sign of a node for every admissible value of its symbols.
struct SignFacts {
  bool nonzero = false;
  bool nonnegative = false;
  bool nonpositive = false;

  static constexpr SignFacts positive() { return {true, true, false}; }
  bool is_positive() const { return nonzero && nonnegative; }
};

using NodeId = std::uint32_t;

/// A node: operation and operands. `steady` marks what depends on constants and steady symbols
/// (parameters, the step size) only: such factors are kept together, so that they can be computed
/// once for all steps. The meaning of `a` and `b` beyond operands: constant and symbol: `a` indexes
/// the table; sinc and sinhc: `b` is the order; component: `b` is the entry; solve: `a` is the
/// offset of its n*n + n operands (matrix by rows, then right-hand side) in the operand pool and
/// `b` is n; function: `b` indexes the name.
struct Node {
  Operation operation;
  SignFacts facts;
  bool steady = false;
  NodeId a = 0;
  NodeId b = 0;
};

/// A hash-consed expression graph: equal expressions are one node, operands always come before
/// their users. Not safe for building from several threads at once; `System` guards its own graph.
class Graph {
 public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  const Node& node(NodeId id) const { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }
  const Constant& constant_value(NodeId id) const { return constants_[nodes_[id].a]; }
  /// The name of a symbol or opaque function node.
  const std::string& name(NodeId id) const;
  /// The operands of a node, whatever its kind.
  void operands(NodeId id, std::vector<NodeId>& out) const;
  std::span<const NodeId> solve_operands(NodeId id) const;

  NodeId constant(Constant value);
  /// A new symbol, different from every other even if it has the same name.
  NodeId symbol(std::string name, SignFacts facts = {}, bool steady = false);
  NodeId unary(Operation operation, NodeId a, NodeId parameter = 0);
  NodeId binary(Operation operation, NodeId a, NodeId b);
  NodeId solve(std::span<const NodeId> matrix_then_right_side, NodeId size);
  NodeId component(NodeId solve_node, NodeId entry);
  NodeId function(const std::string& name, NodeId argument);

 private:
  struct Key {
    Operation operation;
    NodeId a, b;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  NodeId intern(Operation operation, NodeId a, NodeId b, SignFacts facts);
  SignFacts facts_of(Operation operation, NodeId a, NodeId b) const;

  std::deque<Node> nodes_;
  std::vector<Constant> constants_;
  std::vector<std::string> names_;
  std::vector<NodeId> operand_pool_;
  std::unordered_map<Key, NodeId, KeyHash> interned_;
  std::unordered_map<std::string, NodeId>
      interned_bytes_;  // constants, solves and function names by content
};

}  // namespace dalembert
