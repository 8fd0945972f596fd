#include "dalembert/expression/graph.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

#include "dalembert/expression/limits.hpp"
#include "dalembert/expression/table/table.hpp"

namespace dalembert {
namespace {

constexpr NodeId none = std::numeric_limits<NodeId>::max();

template <class Range>
std::string bytes_of(Operation operation, const Range& values) {
  std::string bytes(1, static_cast<char>(operation));
  for (const auto& value : values) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes;
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

// The sign of an elementary function's value from that of its argument: a column of the table.
SignFacts unknown(SignFacts) { return {}; }
SignFacts of_argument(SignFacts x) { return x; }
SignFacts positive(SignFacts) { return SignFacts::positive(); }
SignFacts nonnegative(SignFacts x) { return {x.nonzero, true, false}; }
SignFacts of_direction(SignFacts x) { return {true, x.nonnegative, false}; }

/// Of what is zero where a condition does not hold.
SignFacts partly(SignFacts x) { return {false, x.nonnegative, x.nonpositive}; }

SignFacts negated(SignFacts x) { return {x.nonzero, x.nonpositive, x.nonnegative}; }

}  // namespace

Graph::Graph(std::shared_ptr<const Graph> base)
    : base_(std::move(base)),
      base_size_(static_cast<NodeId>(base_->size())),
      base_names_(base_->base_names_ + static_cast<NodeId>(base_->names_.size())),
      base_tables_(base_->base_tables_ + static_cast<NodeId>(base_->tables_.size())) {
  if (!base_->is_frozen()) throw std::logic_error("only a frozen graph can be overlaid");
}

std::size_t Graph::shared_size(const Graph& other) const {
  for (const Graph* mine = this; mine != nullptr; mine = mine->base_.get()) {
    for (const Graph* theirs = &other; theirs != nullptr; theirs = theirs->base_.get()) {
      if (mine == theirs) return mine->size();
    }
  }
  return 0;
}

const std::string& Graph::name(NodeId id) const {
  const Node& named = node(id);
  const NodeId index = named.operation == Operation::function ? named.b : named.a;
  const Graph* owner = this;
  while (index < owner->base_names_) owner = owner->base_.get();
  return owner->names_[index - owner->base_names_];
}

const std::shared_ptr<const Table>& Graph::table(NodeId id) const {
  const NodeId index = node(id).b / 4;
  const Graph* owner = this;
  while (index < owner->base_tables_) owner = owner->base_.get();
  return owner->tables_[index - owner->base_tables_];
}

std::span<const NodeId> Graph::solve_operands(NodeId id) const {
  if (id < base_size_) return base_->solve_operands(id);
  const Node& node = nodes_[id - base_size_];
  return {operand_pool_.data() + node.a, std::size_t{node.b} * node.b + node.b};
}

void Graph::operands(NodeId id, std::vector<NodeId>& out) const {
  out.clear();
  visit_operands(id, [&out](NodeId operand) { out.push_back(operand); });
}

NodeId Graph::find(const Key& key) const {
  if (const NodeId id = find_in_base(key); id != none) return id;
  return interned_.empty() ? none : interned_[place_of(key)];
}

/// Where a key is among the interned nodes, or may be put.
std::size_t Graph::place_of(const Key& key) const {
  std::uint64_t hash = (std::uint64_t{key.a} << 32) ^ key.b ^
                       (std::uint64_t{static_cast<unsigned char>(key.operation)} << 56);
  hash ^= hash >> 31;
  hash *= 0x9e3779b97f4a7c15ULL;
  const std::size_t mask = interned_.size() - 1;
  std::size_t i = static_cast<std::size_t>(hash ^ (hash >> 29)) & mask;
  for (; interned_[i] != none; i = (i + 1) & mask) {
    const Node& node = nodes_[interned_[i] - base_size_];
    if (Key{node.operation, node.a, node.b} == key) break;
  }
  return i;
}

/// Makes an own node known by its key.
void Graph::keep(NodeId id) {
  const auto put = [this](NodeId kept) {
    const Node& node = nodes_[kept - base_size_];
    interned_[place_of({node.operation, node.a, node.b})] = kept;
  };
  if (2 * (interned_count_ + 1) > interned_.size()) {
    constexpr std::size_t first_size = 64;
    std::vector<NodeId> before(interned_.empty() ? first_size : 2 * interned_.size(), none);
    before.swap(interned_);
    for (const NodeId known : before)
      if (known != none) put(known);
  }
  put(id);
  ++interned_count_;
}

NodeId Graph::find_in_base(const Key& key) const {
  // What has a new operand is new itself. Where the second operand is a number, the first one
  // decides alone.
  const bool possible =
      key.a < base_size_ && (key.b < base_size_ || !has_two_operands(key.operation));
  return possible ? base_->find(key) : none;
}

NodeId Graph::find(const std::string& bytes) const {
  if (base_ != nullptr) {
    if (const NodeId id = base_->find(bytes); id != none) return id;
  }
  const auto entry = interned_bytes_.find(bytes);
  return entry != interned_bytes_.end() ? entry->second : none;
}

void Graph::require_open() const {
  if (frozen_) throw std::logic_error("a frozen graph takes no more nodes");
}

NodeId Graph::add(const Node& node) {
  require_open();
  count_node();
  check_graph_size(size());
  const auto id = static_cast<NodeId>(size());
  nodes_.push_back(node);
  return id;
}

NodeId Graph::intern(Operation operation, NodeId a, NodeId b, SignFacts facts) {
  if (const NodeId known = find({operation, a, b}); known != none) return known;
  const bool steady = node(a).steady && (!has_two_operands(operation) || node(b).steady);
  const NodeId id = add({operation, facts, steady, a, b});
  keep(id);
  return id;
}

NodeId Graph::constant(Constant value) {
  value.low += 0.0;  // -0 becomes 0, so that equal constants have equal bytes
  std::string bytes =
      bytes_of(Operation::constant, std::initializer_list<double>{value.high, value.low});
  if (const NodeId known = find(bytes); known != none) return known;
  const NodeId id = add({Operation::constant, constant_facts(value), true,
                         static_cast<NodeId>(constants_.size()), 0});
  constants_.push_back(value);
  interned_bytes_.emplace(std::move(bytes), id);
  return id;
}

NodeId Graph::symbol(std::string name, SignFacts facts, bool steady) {
  const NodeId id =
      add({Operation::symbol, facts, steady, base_names_ + static_cast<NodeId>(names_.size()), 0});
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
  std::string bytes = bytes_of(Operation::solve, matrix_then_right_side);
  if (const NodeId known = find(bytes); known != none) return known;
  const NodeId id =
      add({Operation::solve, {}, false, static_cast<NodeId>(operand_pool_.size()), size});
  operand_pool_.insert(operand_pool_.end(), matrix_then_right_side.begin(),
                       matrix_then_right_side.end());
  interned_bytes_.emplace(std::move(bytes), id);
  return id;
}

NodeId Graph::component(NodeId solve_node, NodeId entry) {
  return intern(Operation::component, solve_node, entry, {});
}

NodeId Graph::function(const std::string& name, NodeId argument) {
  std::string bytes = bytes_of(Operation::function, name);
  NodeId index = find(bytes);
  if (index == none) {
    require_open();
    index = base_names_ + static_cast<NodeId>(names_.size());
    names_.push_back(name);
    interned_bytes_.emplace(std::move(bytes), index);
  }
  return intern(Operation::function, argument, index, {});
}

NodeId Graph::look_up(const std::shared_ptr<const Table>& table, NodeId argument, int derivative) {
  NodeId index = find(table);
  if (index == none) {
    require_open();
    index = base_tables_ + static_cast<NodeId>(tables_.size());
    tables_.push_back(table);
  }
  return intern(Operation::table, argument, 4 * index + static_cast<NodeId>(derivative), {});
}

NodeId Graph::find(const std::shared_ptr<const Table>& table) const {
  if (base_ != nullptr) {
    if (const NodeId index = base_->find(table); index != none) return index;
  }
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    if (*tables_[i] == *table) return base_tables_ + static_cast<NodeId>(i);
  }
  return none;
}

SignFacts Graph::facts_of(Operation operation, NodeId a, NodeId b) const {
  const SignFacts x = node(a).facts, y = node(b).facts;
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
    case Operation::where_nonnegative:  // of itself: the greater one of a number and zero
      return a == b ? nonnegative({}) : partly(y);
    case Operation::where_negative:
      return a == b ? negated(nonnegative({})) : partly(y);
#define DALEMBERT_ROW(name, constant, argument, sign_rule, ...) \
  case Operation::name:                                         \
    return sign_rule(x);
      DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
    default:
      return {};
  }
}

}  // namespace dalembert
