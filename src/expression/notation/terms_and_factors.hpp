#pragma once
// Sums and products with all their operands, however the nodes are nested. Only for the notations.

#include <map>
#include <utility>
#include <vector>

#include "dalembert/expression/expr.hpp"

namespace dalembert {

/// The terms of a sum in their order, true for those that are subtracted.
using SumTerms = std::vector<std::pair<NodeId, bool>>;

/// Factors above and below the line, each with how often it occurs, in the order of the nodes.
struct ProductFactors {
  bool negative = false;
  std::map<NodeId, long> over, under;
};

/// Whether a node is written as a sum: sums, differences, and their negatives; not a choice.
bool is_written_as_sum(const Graph& graph, NodeId id);
/// Whether it is written as a product: products, quotients, other negatives and constants.
bool is_written_as_product(const Graph& graph, NodeId id);

SumTerms sum_terms(const Graph& graph, NodeId id);
ProductFactors product_factors(const Graph& graph, NodeId id);

}  // namespace dalembert
