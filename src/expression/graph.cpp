#include "dalembert/expression/graph.hpp"

#include <cstring>
#include <utility>

namespace dalembert {
namespace {

template <class Range>
std::string bytes_of(Operation operation, const Range& values) {
  std::string bytes(1, static_cast<char>(operation));
  for (const auto& value : values) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
}

bool has_two_operands(Operation operation) {
  switch (operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::atan2:
      return true;
    default:
      return false;
  }
}

SignFacts constant_facts(const Constant& value) {
  return {value.high != 0.0, value.high >= 0.0, value.high <= 0.0};
}

SignFacts product_facts(SignFacts x, SignFacts y, bool is_square) {
  SignFacts facts;
  facts.nonzero = x.nonzero && y.nonzero;
  facts.nonnegative =
      is_square || (x.nonnegative && y.nonnegative) || (x.nonpositive && y.nonpositive);
  facts.nonpositive = (x.nonnegative && y.nonpositive) || (x.nonpositive && y.nonnegative);
  return facts;
}

SignFacts sum_facts(SignFacts x, SignFacts y) {
  SignFacts facts;
  facts.nonnegative = x.nonnegative && y.nonnegative;
  facts.nonpositive = x.nonpositive && y.nonpositive;
  facts.nonzero = (facts.nonnegative || facts.nonpositive) && (x.nonzero || y.nonzero);
  return facts;
}

SignFacts negated(SignFacts x) { return {x.nonzero, x.nonpositive, x.nonnegative}; }

}  // namespace

std::size_t Graph::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = (std::uint64_t{key.a} << 32) ^ key.b ^
                       (std::uint64_t{static_cast<unsigned char>(key.operation)} << 56);
  hash ^= hash >> 31;
  hash *= 0x9e3779b97f4a7c15ULL;
  return static_cast<std::size_t>(hash ^ (hash >> 29));
}

const std::string& Graph::name(NodeId id) const {
  const Node& node = nodes_[id];
  return names_[node.operation == Operation::function ? node.b : node.a];
}

std::span<const NodeId> Graph::solve_operands(NodeId id) const {
  const Node& node = nodes_[id];
  return {operand_pool_.data() + node.a, std::size_t{node.b} * node.b + node.b};
}

void Graph::operands(NodeId id, std::vector<NodeId>& out) const {
  out.clear();
  const Node& node = nodes_[id];
  if (node.operation == Operation::constant || node.operation == Operation::symbol) return;
  if (node.operation == Operation::solve) {
    const auto pool = solve_operands(id);
    out.assign(pool.begin(), pool.end());
    return;
  }
  out.push_back(node.a);
  if (has_two_operands(node.operation)) out.push_back(node.b);
}

NodeId Graph::intern(Operation operation, NodeId a, NodeId b, SignFacts facts) {
  const auto [entry, is_new] =
      interned_.try_emplace(Key{operation, a, b}, static_cast<NodeId>(nodes_.size()));
  if (is_new) {
    const bool steady = nodes_[a].steady && (!has_two_operands(operation) || nodes_[b].steady);
    nodes_.push_back({operation, facts, steady, a, b});
  }
  return entry->second;
}

NodeId Graph::constant(Constant value) {
  value.low += 0.0;  // -0 becomes 0, so that equal constants have equal bytes
  const auto [entry, is_new] = interned_bytes_.try_emplace(
      bytes_of(Operation::constant, std::initializer_list<double>{value.high, value.low}),
      static_cast<NodeId>(nodes_.size()));
  if (is_new) {
    nodes_.push_back({Operation::constant, constant_facts(value), true,
                      static_cast<NodeId>(constants_.size()), 0});
    constants_.push_back(value);
  }
  return entry->second;
}

NodeId Graph::symbol(std::string name, SignFacts facts, bool steady) {
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back({Operation::symbol, facts, steady, static_cast<NodeId>(names_.size()), 0});
  names_.push_back(std::move(name));
  return id;
}

NodeId Graph::unary(Operation operation, NodeId a, NodeId parameter) {
  return intern(operation, a, parameter, facts_of(operation, a, a));
}

NodeId Graph::binary(Operation operation, NodeId a, NodeId b) {
  return intern(operation, a, b, facts_of(operation, a, b));
}

NodeId Graph::solve(std::span<const NodeId> matrix_then_right_side, NodeId size) {
  const auto [entry, is_new] = interned_bytes_.try_emplace(
      bytes_of(Operation::solve, matrix_then_right_side), static_cast<NodeId>(nodes_.size()));
  if (is_new) {
    nodes_.push_back(
        {Operation::solve, {}, false, static_cast<NodeId>(operand_pool_.size()), size});
    operand_pool_.insert(operand_pool_.end(), matrix_then_right_side.begin(),
                         matrix_then_right_side.end());
  }
  return entry->second;
}

NodeId Graph::component(NodeId solve_node, NodeId entry) {
  return intern(Operation::component, solve_node, entry, {});
}

NodeId Graph::function(const std::string& name, NodeId argument) {
  const auto [entry, is_new] = interned_bytes_.try_emplace(bytes_of(Operation::function, name),
                                                           static_cast<NodeId>(names_.size()));
  if (is_new) names_.push_back(name);
  return intern(Operation::function, argument, entry->second, {});
}

SignFacts Graph::facts_of(Operation operation, NodeId a, NodeId b) const {
  const SignFacts x = nodes_[a].facts, y = nodes_[b].facts;
  switch (operation) {
    case Operation::negate:
      return negated(x);
    case Operation::add:
      return sum_facts(x, y);
    case Operation::subtract:
      return sum_facts(x, negated(y));
    case Operation::multiply:
    case Operation::divide:
      return product_facts(x, y, a == b);
    case Operation::sqrt:
    case Operation::abs:
      return {x.nonzero, true, false};
    case Operation::exp:
    case Operation::cosh:
      return SignFacts::positive();
    case Operation::sign:
      return {true, x.nonnegative, false};
    case Operation::sinh:
    case Operation::tanh:
    case Operation::atan:
      return x;
    default:
      return {};
  }
}

}  // namespace dalembert
