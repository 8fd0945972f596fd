#pragma once
// Nodes that are made of pieces, as a text says them. Only for the printers.

#include <optional>
#include <vector>

#include "dalembert/expression/expr.hpp"

namespace dalembert {

/// left >= right, or left < right where it is negative; what is not there stands for zero.
struct Comparison {
  std::optional<NodeId> left, right;
  bool negative = false;
};

/// How a comparison is linked to all those that follow it.
enum class ConditionLink { last, both, either };

struct ConditionStep {
  Comparison comparison;
  ConditionLink link = ConditionLink::last;
};

/// A number as a condition; `and` and `or` are choices of -1 and 1. A condition a and (b or c) has
/// three steps.
std::vector<ConditionStep> read_condition(const Graph& graph, NodeId id);

/// A node made of pieces: the greater or smaller of two numbers, or the first one where the
/// condition holds and else the second one. What is not there stands for zero.
struct Pieces {
  enum class Kind { maximum, minimum, choice };
  Kind kind = Kind::choice;
  std::optional<NodeId> first, second;
  std::vector<ConditionStep> condition = {};

  /// All nodes that its text needs.
  std::vector<NodeId> parts() const;
};

/// The pieces of a node; nothing for nodes of other kinds.
std::optional<Pieces> read_pieces(const Graph& graph, NodeId id);

}  // namespace dalembert
