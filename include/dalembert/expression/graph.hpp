#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "dalembert/expression/constant.hpp"
#include "dalembert/expression/elementary_functions.hpp"

namespace dalembert {

/// Operation of a node of the expression graph.
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
  where_nonnegative,  ///< b where a >= 0, zero where a < 0, nan where a is nan
  where_negative,     ///< b where a < 0, zero where a >= 0, nan where a is nan
#define DALEMBERT_ROW(name, ...) name,
  DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
      sinc,   ///< f_k(x), f_0 = sin(x)/x, f_k' = -x f_{k+1}; smooth at 0
  sinhc,      ///< g_k(x), g_0 = sinh(x)/x, g_k' = x g_{k+1}; smooth at 0
  sinc_root,  ///< F_k(t) = f_k(sqrt t), f_{-1} = cos, F_k' = -F_{k+1}/2; smooth at 0
  solve,      ///< solution of a dense linear system; read through `component`
  component,  ///< one entry of a `solve` node
  table,      ///< a function that is given by points, or a derivative of it
  function,   ///< an opaque named function of one argument, for printing equations; never evaluated
};

/// Known sign of a node, valid for every admissible value of its symbols.
struct SignFacts {
  bool nonzero = false;      ///< never 0
  bool nonnegative = false;  ///< never below 0
  bool nonpositive = false;  ///< never above 0

  static constexpr SignFacts positive() { return {true, true, false}; }  ///< always above 0
  bool is_positive() const { return nonzero && nonnegative; }            ///< true if always above 0
};

/// True for unary operations that are a family of functions, with the order beside the operand.
constexpr bool has_order(Operation operation) {
  return operation == Operation::sinc || operation == Operation::sinhc ||
         operation == Operation::sinc_root;
}

/// True for operations that take their second operand where the first one, a condition, has a sign.
constexpr bool has_condition(Operation operation) {
  return operation == Operation::where_nonnegative || operation == Operation::where_negative;
}

/// True for operations on two operands.
constexpr bool has_two_operands(Operation operation) {
  return operation >= Operation::add && operation <= Operation::where_negative;
}

/// Number of a node in its graph, from 0.
using NodeId = std::uint32_t;

/// A node: operation and operands. `steady` marks what depends on constants and steady symbols
/// (parameters, the step size) only: such factors are kept together, so that they can be computed
/// once for all steps. The meaning of `a` and `b` beyond operands: constant and symbol: `a` indexes
/// the table; sinc and sinhc: `b` is the order; sinc_root: `b` is the order + 1; component: `b` is
/// the entry; table: `b` is 4 times the index of the table, plus the order; solve: `a` is the
/// offset of its n*n + n operands (matrix by rows, then right-hand side) in the operand pool and
/// `b` is n; function: `b` indexes the name.
struct Node {
  Operation operation;  ///< kind of the node
  SignFacts facts;      ///< known sign of the value
  bool steady = false;  ///< depends on constants and steady symbols only
  NodeId a = 0;         ///< first operand, or an index as above
  NodeId b = 0;         ///< second operand, or a number as above
};

class Graph;
class Table;
/// Expressions share the ownership of their graph.
using GraphPointer = std::shared_ptr<Graph>;

/// A hash-consed expression graph: equal expressions are one node, operands always come before
/// their users.
///
/// A graph may be frozen, once and for all: then nothing can be added, and any number of threads
/// may read it. An overlay of a frozen graph reads the nodes of its base under their own numbers
/// and keeps new ones for itself, so that what is built in an overlay depends on the base and on
/// what is built, and on nothing else that was ever built on that base. A graph that is not frozen
/// belongs to one thread at a time.
class Graph {
 public:
  Graph() = default;
  /// An overlay of a frozen graph; std::logic_error if it is not frozen.
  explicit Graph(std::shared_ptr<const Graph> base);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void freeze() { frozen_ = true; }           ///< forbids new nodes, for good
  bool is_frozen() const { return frozen_; }  ///< true once `freeze` was called
  /// The number of leading nodes that both graphs have in common: those of the largest graph that
  /// both are or overlay; 0 for unrelated graphs.
  std::size_t shared_size(const Graph& other) const;

  /// Node of this number, which is below `size()`.
  const Node& node(NodeId id) const {
    const Graph* owner = this;
    while (id < owner->base_size_) owner = owner->base_.get();
    return owner->nodes_[id - owner->base_size_];
  }
  /// Number of nodes, with those of the base.
  std::size_t size() const { return base_size_ + nodes_.size(); }
  /// Value of a constant node.
  const Constant& constant_value(NodeId id) const {
    return id < base_size_ ? base_->constant_value(id) : constants_[nodes_[id - base_size_].a];
  }
  /// The name of a symbol or opaque function node.
  const std::string& name(NodeId id) const;
  /// The operands of a node, whatever its kind.
  void operands(NodeId id, std::vector<NodeId>& out) const;
  /// Calls visit(id) for each operand of a node, whatever its kind. No node may be added meanwhile.
  template <class Visit>
  void visit_operands(NodeId id, Visit visit) const {
    const Node& user = node(id);
    if (user.operation == Operation::constant || user.operation == Operation::symbol) return;
    if (user.operation == Operation::solve) {
      for (const NodeId operand : solve_operands(id)) visit(operand);
      return;
    }
    visit(user.a);
    if (has_two_operands(user.operation)) visit(user.b);
  }
  /// Operands of a `solve` node, n*n + n: the matrix by rows, then the right-hand side.
  std::span<const NodeId> solve_operands(NodeId id) const;
  /// Table that a `table` node looks up.
  const std::shared_ptr<const Table>& table(NodeId id) const;
  /// Order of the derivative that a `table` node takes, from 0 to 3.
  static int derivative_of(const Node& table) { return static_cast<int>(table.b % 4); }

  // These add a node unless there is an equal one; std::logic_error if the graph is frozen.
  NodeId constant(Constant value);  ///< node of a constant
  /// A new symbol, different from every other even if it has the same name.
  NodeId symbol(std::string name, SignFacts facts = {}, bool steady = false);
  /// Node of a unary operation, not simplified. `parameter` is its `b`: the order, where there is
  /// one.
  NodeId unary(Operation operation, NodeId a, NodeId parameter = 0);
  /// Node of an operation on two operands, not simplified.
  NodeId binary(Operation operation, NodeId a, NodeId b);
  /// `solve` node of a system of `size` unknowns, with operands as in `solve_operands`.
  NodeId solve(std::span<const NodeId> matrix_then_right_side, NodeId size);
  /// Node of an entry of the solution, from 0.
  NodeId component(NodeId solve_node, NodeId entry);
  /// Node of the opaque function of this name.
  NodeId function(const std::string& name, NodeId argument);
  /// Node of a derivative of a table, of order 0 to 3. Tables of equal name, points and
  /// interpolation are one.
  NodeId look_up(const std::shared_ptr<const Table>& table, NodeId argument, int derivative);

 private:
  struct Key {
    Operation operation;  ///< operation of the node
    NodeId a, b;          ///< operands or numbers, as in Node
    friend bool operator==(const Key&, const Key&) = default;
  };
  NodeId intern(Operation operation, NodeId a, NodeId b, SignFacts facts);
  SignFacts facts_of(Operation operation, NodeId a, NodeId b) const;
  /// The node (or name) with this key, in this graph or its bases; `none` if there is none.
  NodeId find(const Key& key) const;
  NodeId find(const std::string& bytes) const;
  NodeId find(const std::shared_ptr<const Table>& table) const;
  NodeId find_in_base(const Key& key) const;
  std::size_t place_of(const Key& key) const;
  void keep(NodeId id);
  void require_open() const;
  NodeId add(const Node& node);

  std::shared_ptr<const Graph> base_;
  NodeId base_size_ = 0;
  bool frozen_ = false;
  // Own nodes; their indices of constants and operands count from the start of the own tables,
  // those of names from the first name of the undermost graph.
  std::deque<Node> nodes_;
  std::vector<Constant> constants_;
  std::vector<std::string> names_;
  NodeId base_names_ = 0;
  std::vector<std::shared_ptr<const Table>> tables_;  // counted as names are
  NodeId base_tables_ = 0;
  std::vector<NodeId> operand_pool_;
  // Own nodes by their keys, or `none`; an open table of which half is free at least.
  std::vector<NodeId> interned_;
  std::size_t interned_count_ = 0;
  std::unordered_map<std::string, NodeId>
      interned_bytes_;  // constants, solves and function names by content
};

}  // namespace dalembert
