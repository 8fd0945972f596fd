#include "dalembert/expression/limits.hpp"

#include <string>

namespace dalembert {
namespace {

struct NodeCount {
  std::size_t budgets = 0, nodes = 0;
};

thread_local NodeCount node_count;
constinit Limits process_limits;
thread_local Limits* local_limits = nullptr;

[[noreturn]] void refuse_nodes() {
  throw NodeLimitError("the expressions have more than " + std::to_string(limits().nodes) +
                       " terms, written out; --most-nodes N allows more");
}

}  // namespace

Limits& limits() { return local_limits == nullptr ? process_limits : *local_limits; }

LocalLimits::LocalLimits(const Limits& own) : own_(own), outer_(local_limits) {
  local_limits = &own_;
}

LocalLimits::~LocalLimits() { local_limits = outer_; }

NodeBudget::NodeBudget(std::size_t made_before) {
  if (node_count.budgets++ == 0) node_count.nodes = made_before;
}

NodeBudget::~NodeBudget() { --node_count.budgets; }

void count_node() {
  if (node_count.budgets > 0 && ++node_count.nodes > limits().nodes) refuse_nodes();
}

void check_graph_size(std::size_t nodes) {
  if (limits().every_graph && nodes >= limits().nodes) refuse_nodes();
}

}  // namespace dalembert
