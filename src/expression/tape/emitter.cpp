#include "emitter.hpp"

#include <algorithm>
#include <stdexcept>

#include "allocation.hpp"
#include "dalembert/error.hpp"
#include "fusion.hpp"
#include "schedule.hpp"

namespace dalembert {
namespace {

TapeOperation tape_operation(Operation operation) {
  switch (operation) {
    case Operation::negate:
      return TapeOperation::negate;
    case Operation::add:
      return TapeOperation::add;
    case Operation::subtract:
      return TapeOperation::subtract;
    case Operation::multiply:
      return TapeOperation::multiply;
    case Operation::divide:
      return TapeOperation::divide;
    case Operation::power:
      return TapeOperation::power;
    case Operation::atan2:
      return TapeOperation::atan2;
    case Operation::where_nonnegative:
      return TapeOperation::where_nonnegative;
    case Operation::where_negative:
      return TapeOperation::where_negative;
#define DALEMBERT_ROW(name, ...) \
  case Operation::name:          \
    return TapeOperation::name;
      DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
    case Operation::sinc:
      return TapeOperation::sinc;
    case Operation::sinhc:
      return TapeOperation::sinhc;
    case Operation::sinc_root:
      return TapeOperation::sinc_root;
    case Operation::table:
      return TapeOperation::table;
    default:
      throw std::logic_error("an opaque expression cannot be evaluated");
  }
}

/// sin(2 x) and cos(2 x) by the functions of x: two operations each, with roundings of numbers of
/// size one at most.
std::optional<Expr> by_half_angle(const GraphPointer& graph, NodeId function) {
  const Node node = graph->node(function);
  const bool is_sine = node.operation == Operation::sin;
  if (!is_sine && node.operation != Operation::cos) return std::nullopt;
  const Expr angle(graph, node.a);
  if (!angle.is(Operation::multiply)) return std::nullopt;
  const Expr left = angle.first(), right = angle.second();
  if (!left.is_constant(2.0) && !right.is_constant(2.0)) return std::nullopt;
  const Expr half = left.is_constant(2.0) ? right : left;
  const Expr sine = sin(half);
  if (!is_sine) return 1.0 - 2.0 * square(sine);
  const Expr cosine = cos(half);
  return 2.0 * (sine * cosine);
}

}  // namespace

TapeWriter::Emitter::Emitter(GraphPointer graph, const Vector& setup_inputs, const Vector& inputs)
    : shared_graph_(std::move(graph)), graph_(*shared_graph_) {
  for (const Expr& symbol : setup_inputs) add_input(symbol, true);
  for (const Expr& symbol : inputs) add_input(symbol, false);
}

void TapeWriter::Emitter::define(const Expr& symbol, const Expr& value) {
  definition_.emplace(symbol.id_in(graph_), value.id_in(graph_));
}

void TapeWriter::Emitter::loop(const std::vector<LoopGroup>& groups, const Vector& residual,
                               const Vector& stand_ins) {
  for (const NodeId id : steady_nodes(groups, residual, stand_ins)) emit(Expr(shared_graph_, id));
  TapeDraft::Loop result = start_loop(groups);
  result.begin = draft_.lines.size();
  const std::size_t mark = recent_.size();
  if (stand_ins.empty()) emit_corrections(groups, result);
  emit_residual(groups, residual, result);
  if (!stand_ins.empty()) {
    result.matrix_begin = draft_.lines.size();
    emit_matrix(groups, stand_ins);
    result.matrix_end = draft_.lines.size();
  }
  for (std::size_t i = 0; i < stand_ins.size(); ++i) {
    value_.set(stand_ins[i].id(), result.residual[i]);
    recent_.push_back(stand_ins[i].id());
  }
  if (!stand_ins.empty()) emit_corrections(groups, result);
  result.end = draft_.lines.size();
  result.repeat_begin = result.begin;
  result.repeat_end = result.end;
  forget_values_since(mark);
  factors_.clear();
  draft_.loops.push_back(std::move(result));
}

void TapeWriter::Emitter::emit_corrections(const std::vector<LoopGroup>& groups,
                                           TapeDraft::Loop& loop) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Expr& correction : groups[g].correction)
      loop.groups[g].correction.push_back(emit(correction));
  }
}

void TapeWriter::Emitter::emit_residual(const std::vector<LoopGroup>& groups,
                                        const Vector& residual, TapeDraft::Loop& loop) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Expr& value : groups[g].value) loop.groups[g].value.push_back(emit(value));
  }
  for (const Expr& entry : residual) {
    loop.residual.push_back(emit(entry));
    draft_.pinned[loop.residual.back()] = true;  // read after the step, if it is refused
  }
}

/// What corrections need beside the residual: the matrix, linear systems factorized.
void TapeWriter::Emitter::emit_matrix(const std::vector<LoopGroup>& groups,
                                      const Vector& stand_ins) {
  std::vector<Vector> corrections;
  for (const LoopGroup& group : groups) corrections.push_back(group.correction);
  std::vector<NodeId> steady, systems;
  visit_nodes(stand_ins, corrections, Depth::to_known, [&](NodeId id, bool varies) {
    if (!varies)
      steady.push_back(id);
    else if (graph_.node(id).operation == Operation::solve)
      systems.push_back(id);
  });
  for (const NodeId id : steady) emit(Expr(shared_graph_, id));
  for (const NodeId id : systems) factorize(id);
}

/// The matrix of a linear system, factorized, if it is known.
void TapeWriter::Emitter::factorize(NodeId id) {
  const NodeId n = graph_.node(id).b;
  const auto operands = graph_.solve_operands(id).first(std::size_t{n} * n);
  const auto register_of = [this](NodeId operand) {
    return graph_.node(operand).operation == Operation::constant
               ? constant_register(graph_.constant_value(operand))
               : value_.at(operand);
  };
  const auto is_known = [this](NodeId operand) {
    return graph_.node(operand).operation == Operation::constant || value_.contains(operand);
  };
  if (!std::ranges::all_of(operands, is_known)) return;
  Line line{.operation = TapeOperation::factor, .b = n};
  for (const NodeId operand : operands) line.operands.push_back(register_of(operand));
  for (NodeId i = 0; i < n * n + n; ++i) line.results.push_back(new_register());
  line.target = line.results.front();
  factors_[id] = line.results;
  push(std::move(line));
}

Tape TapeWriter::Emitter::finish(const Vector& outputs, const Vector& further) {
  const std::vector<Register> last = emit_outputs(outputs);
  draft_.outputs.insert(draft_.outputs.end(), last.begin(), last.end());
  draft_.further_begin = draft_.lines.size();
  draft_.further_outputs = emit_outputs(further);
  fuse(draft_);
  schedule(draft_);
  return allocate(draft_);
}

std::vector<TapeDraft::Register> TapeWriter::Emitter::emit_outputs(const Vector& outputs) {
  std::vector<Register> registers;
  for (const Expr& output : outputs) {
    const Register result = emit(output);
    // What is an input, a constant, a setup value or already an output is copied, so that each
    // output has its own slot.
    registers.push_back(draft_.pinned[result] ? pinned_copy(result) : result);
    draft_.pinned[result] = true;
  }
  return registers;
}

TapeDraft::Register TapeWriter::Emitter::new_register() {
  setup_register_.push_back(false);
  draft_.pinned.push_back(false);
  return static_cast<Register>(setup_register_.size() - 1);
}

void TapeWriter::Emitter::add_input(const Expr& symbol, bool setup) {
  const Register target = new_register();
  setup_register_[target] = setup;
  draft_.pinned[target] = true;
  draft_.inputs.push_back(target);
  const NodeId id = symbol.id_in(graph_);
  if (value_.contains(id)) throw RequestError("an input is named twice");
  value_.set(id, target);
}

TapeDraft::Register TapeWriter::Emitter::constant_register(const Constant& value) {
  const NodeId id = graph_.constant(value);
  if (value_.contains(id)) return value_.at(id);
  const Register target = new_register();
  setup_register_[target] = true;
  draft_.pinned[target] = true;
  draft_.constants.emplace_back(target, value);
  value_.set(id, target);
  return target;
}

TapeDraft::Register TapeWriter::Emitter::pinned_copy(Register source) {
  const Register target = new_register();
  draft_.pinned[target] = true;
  draft_.lines.push_back({.operation = TapeOperation::copy, .target = target, .a = source});
  return target;
}

std::optional<NodeId> TapeWriter::Emitter::substitute_of(NodeId id) const {
  if (const auto defined = definition_.find(id); defined != definition_.end())
    return defined->second;
  if (const std::optional<Expr> value = by_half_angle(shared_graph_, id)) return value->id();
  return std::nullopt;
}

void TapeWriter::Emitter::operands_of(NodeId id, std::vector<NodeId>& operands) const {
  if (const std::optional<NodeId> substitute = substitute_of(id))
    operands = {*substitute};
  else
    graph_.operands(id, operands);
}

TapeDraft::Register TapeWriter::Emitter::emit(const Expr& expression) {
  if (expression.is_constant()) return constant_register(expression.constant());
  const NodeId root = expression.id_in(graph_);
  std::vector<NodeId> stack{root}, operands;
  while (!stack.empty()) {
    const NodeId id = stack.back();
    if (value_.contains(id)) {
      stack.pop_back();
      continue;
    }
    operands_of(id, operands);
    const std::size_t before = stack.size();
    for (const NodeId operand : operands) {
      if (graph_.node(operand).operation == Operation::constant) {
        constant_register(graph_.constant_value(operand));
      } else if (!value_.contains(operand)) {
        stack.push_back(operand);
      }
    }
    if (stack.size() > before) continue;
    stack.pop_back();
    emit_node(id);
  }
  return value_.at(root);
}

void TapeWriter::Emitter::emit_node(NodeId id) {
  const Node node = graph_.node(id);
  Register result = 0;
  if (const std::optional<NodeId> substitute = substitute_of(id)) {
    result = value_.at(*substitute);
  } else if (node.operation == Operation::symbol) {
    throw std::logic_error("the tape has no value for the symbol " + graph_.name(id));
  } else if (node.operation == Operation::component) {
    result = value_.at(node.a) + node.b;  // results of a solve are consecutive registers
  } else {
    result = push(node.operation == Operation::solve ? solve_line(id) : line_of(id));
  }
  value_.set(id, result);
  if (!setup_register_[result]) recent_.push_back(id);
}

TapeDraft::Line TapeWriter::Emitter::solve_line(NodeId id) {
  const NodeId n = graph_.node(id).b;
  Line line{.operation = TapeOperation::solve, .b = n};
  auto operands = graph_.solve_operands(id);
  if (const auto factors = factors_.find(id); factors != factors_.end()) {
    line.operation = TapeOperation::substitute;
    line.operands = factors->second;
    operands = operands.last(n);
  }
  for (const NodeId operand : operands) line.operands.push_back(value_.at(operand));
  for (NodeId i = 0; i < n; ++i) line.results.push_back(new_register());
  line.target = line.results.front();
  return line;
}

TapeDraft::Line TapeWriter::Emitter::line_of(NodeId id) {
  const Node node = graph_.node(id);
  Line line{.operation = tape_operation(node.operation)};
  line.a = value_.at(node.a);
  if (is_binary(line.operation)) line.b = value_.at(node.b);
  if (has_order(node.operation)) line.c = node.b;
  if (node.operation == Operation::table) {
    line.b = index_of_table(graph_.table(id));
    line.c = static_cast<Register>(Graph::derivative_of(node));
  }
  line.target = new_register();
  return line;
}

TapeDraft::Register TapeWriter::Emitter::index_of_table(const TablePointer& table) {
  const auto known = std::ranges::find(draft_.tables, table);
  const auto index = static_cast<Register>(known - draft_.tables.begin());
  if (known == draft_.tables.end()) draft_.tables.push_back(table);
  return index;
}

TapeDraft::Register TapeWriter::Emitter::push(Line line) {
  bool setup = true;
  visit_uses(line, [&](Register use) { setup = setup && setup_register_[use]; });
  visit_targets(line,
                [&](Register target) { setup_register_[target] = draft_.pinned[target] = setup; });
  const Register target = line.target;
  (setup ? draft_.setup : draft_.lines).push_back(std::move(line));
  return target;
}

void TapeWriter::Emitter::forget_values_since(std::size_t mark) {
  for (std::size_t i = mark; i < recent_.size(); ++i) value_.erase(recent_[i]);
  recent_.resize(mark);
}

TapeDraft::Loop TapeWriter::Emitter::start_loop(const std::vector<LoopGroup>& groups) {
  TapeDraft::Loop result;
  for (const LoopGroup& group : groups) {
    TapeDraft::Loop::Group registers;
    for (const Expr& start : group.start) registers.iterate.push_back(pinned_copy(emit(start)));
    registers.judged = group.judged;
    registers.is_unknown = group.is_unknown;
    result.groups.push_back(std::move(registers));
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t i = 0; i < groups[g].iterate.size(); ++i)
      value_.set(groups[g].iterate[i].id(), result.groups[g].iterate[i]);
  }
  return result;
}

std::vector<NodeId> TapeWriter::Emitter::steady_nodes(const std::vector<LoopGroup>& groups,
                                                      const Vector& residual,
                                                      const Vector& stand_ins) const {
  Vector iterates = stand_ins;
  std::vector<Vector> roots{residual};
  for (const LoopGroup& group : groups) {
    roots.push_back(group.correction);
    roots.push_back(group.value);
    iterates = concatenate({iterates, group.iterate});
  }
  return nodes_without(iterates, roots);
}

std::vector<NodeId> TapeWriter::Emitter::nodes_without(const Vector& symbols,
                                                       const std::vector<Vector>& roots) const {
  std::vector<NodeId> steady;
  visit_nodes(symbols, roots, Depth::to_known, [&](NodeId id, bool varies) {
    if (!varies) steady.push_back(id);
  });
  return steady;
}

}  // namespace dalembert
