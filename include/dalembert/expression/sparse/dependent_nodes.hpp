#pragma once

#include <vector>

#include "dalembert/expression/sparse/node_set.hpp"
#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// The nodes of some expressions that depend on given symbols. Found once for all of them, so that
/// a walk through one expression does not enter what many share and what holds no symbol.
class DependentNodes {
 public:
  /// All of `graph`.
  DependentNodes(const Graph& graph, const Vector& expressions, const Vector& symbols);

  /// True if the node is one of the symbols, or one of the expressions' nodes that depends on any.
  bool contains(NodeId id) const { return id < depends_.size() && depends_[id]; }
  /// Nodes of these that `root` needs, itself included, ascending; none if it depends on no symbol.
  std::vector<NodeId> below(NodeId root);

 private:
  const Graph& graph_;
  std::vector<bool> depends_;
  NodeSet needed_;  // empty between calls
};

/// For each function the symbols, by index and ascending, that it mentions: `dependencies` of many
/// functions with many symbols.
std::vector<std::vector<std::size_t>> sparse_dependencies(const Vector& functions,
                                                          const Vector& symbols);

}  // namespace dalembert
