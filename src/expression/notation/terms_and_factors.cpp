#include "terms_and_factors.hpp"

#include <functional>

#include "dalembert/expression/pieces.hpp"

namespace dalembert {
namespace {

/// How often a node is a factor above and below the line.
struct Occurrences {
  long over = 0, under = 0;
};

}  // namespace

bool is_written_as_sum(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  switch (node.operation) {
    case Operation::add:
      return !choice_of(graph, id);
    case Operation::subtract:
      return true;
    case Operation::negate:
      return is_written_as_sum(graph, node.a);
    default:
      return false;
  }
}

bool is_written_as_product(const Graph& graph, NodeId id) {
  switch (graph.node(id).operation) {
    case Operation::constant:
    case Operation::multiply:
    case Operation::divide:
      return true;
    case Operation::negate:
      return !is_written_as_sum(graph, id);
    default:
      return false;
  }
}

SumTerms sum_terms(const Graph& graph, NodeId id) {
  SumTerms terms, waiting{{id, false}};
  while (!waiting.empty()) {
    const auto [part, negative] = waiting.back();
    waiting.pop_back();
    if (!is_written_as_sum(graph, part)) {
      terms.emplace_back(part, negative);
      continue;
    }
    const Node& node = graph.node(part);
    if (node.operation == Operation::negate) {
      waiting.emplace_back(node.a, !negative);
    } else {  // the first operand comes out first
      waiting.emplace_back(node.b, negative != (node.operation == Operation::subtract));
      waiting.emplace_back(node.a, negative);
    }
  }
  return terms;
}

ProductFactors product_factors(const Graph& graph, NodeId id) {
  ProductFactors factors;
  // Operands have smaller numbers than their users: each node is met when all that is known of it.
  std::map<NodeId, Occurrences, std::greater<>> waiting{{id, {1, 0}}};
  while (!waiting.empty()) {
    const auto [part, count] = *waiting.begin();
    waiting.erase(waiting.begin());
    const Node& node = graph.node(part);
    const auto add = [&waiting](NodeId operand, long over, long under) {
      waiting[operand].over += over;
      waiting[operand].under += under;
    };
    if (node.operation == Operation::multiply) {
      add(node.a, count.over, count.under);
      add(node.b, count.over, count.under);
    } else if (node.operation == Operation::divide) {
      add(node.a, count.over, count.under);
      add(node.b, count.under, count.over);
    } else if (node.operation == Operation::negate) {
      factors.negative = factors.negative != ((count.over + count.under) % 2 != 0);
      add(node.a, count.over, count.under);
    } else {
      if (count.over > 0) factors.over.emplace(part, count.over);
      if (count.under > 0) factors.under.emplace(part, count.under);
    }
  }
  return factors;
}

}  // namespace dalembert
