#include "dalembert/expression/limits.hpp"

#include <string>

namespace dalembert {
namespace {

struct NodeCount {
  std::size_t budgets = 0, nodes = 0;
};

thread_local NodeCount node_count;

}  // namespace

Limits& limits() {
  static Limits chosen;
  return chosen;
}

NodeBudget::NodeBudget(std::size_t made_before) {
  if (node_count.budgets++ == 0) node_count.nodes = made_before;
}

NodeBudget::~NodeBudget() { --node_count.budgets; }

void count_node() {
  if (node_count.budgets == 0 || ++node_count.nodes <= limits().nodes) return;
  throw NodeLimitError("the expressions have more than " + std::to_string(limits().nodes) +
                       " terms, written out; --most-nodes N allows more");
}

}  // namespace dalembert
