#include "dalembert/expression/tape/tape.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "allocation.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/query.hpp"
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

}  // namespace

/// Turns expressions into lines, each node once.
class TapeWriter::Emitter {
 public:
  using Register = TapeDraft::Register;
  using Line = TapeDraft::Line;

  Emitter(GraphPointer graph, const Vector& setup_inputs, const Vector& inputs)
      : shared_graph_(std::move(graph)), graph_(*shared_graph_) {
    for (const Expr& symbol : setup_inputs) add_input(symbol, true);
    for (const Expr& symbol : inputs) add_input(symbol, false);
  }

  void define(const Expr& symbol, const Expr& value) {
    definition_.emplace(symbol.id_in(graph_), value.id_in(graph_));
  }

  void loop(const std::vector<LoopGroup>& groups, const Vector& residual) {
    for (const NodeId id : steady_nodes(groups, residual)) emit(Expr(shared_graph_, id));
    TapeDraft::Loop result = start_loop(groups);
    result.begin = draft_.lines.size();
    const std::size_t mark = recent_.size();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (const Expr& correction : groups[g].correction)
        result.groups[g].correction.push_back(emit(correction));
      for (const Expr& value : groups[g].value) result.groups[g].value.push_back(emit(value));
    }
    for (const Expr& entry : residual) {
      result.residual.push_back(emit(entry));
      draft_.pinned[result.residual.back()] = true;  // read after the step, if it is refused
    }
    result.end = draft_.lines.size();
    result.repeat_begin = result.begin;
    result.repeat_end = result.end;
    forget_values_since(mark);
    draft_.loops.push_back(std::move(result));
  }

  void repeat(const std::vector<Vector>& outputs, const std::vector<Vector>& state) {
    const Vector changing = concatenate(state);
    for (const NodeId id : nodes_without(changing, outputs)) emit(Expr(shared_graph_, id));
    const std::size_t first_loop = draft_.loops.size(), begin = draft_.lines.size();
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      TapeDraft::Loop part;
      part.begin = draft_.lines.size();
      const std::vector<Register> registers = emit_outputs(outputs[k]);
      draft_.outputs.insert(draft_.outputs.end(), registers.begin(), registers.end());
      part.end = draft_.lines.size();
      draft_.loops.push_back(std::move(part));
      forget_values_of(state[k]);
    }
    forget_values_of(changing);
    for (std::size_t k = first_loop; k < draft_.loops.size(); ++k) {
      draft_.loops[k].repeat_begin = begin;
      draft_.loops[k].repeat_end = draft_.lines.size();
    }
  }

  void begin_stages(const StageIteration& iteration, const std::vector<StageBlock>& blocks) {
    TapeDraft::Stages stages;
    write_rates(iteration, blocks, stages);
    if (!iteration.means.means.empty()) write_function(iteration, stages);
    stages.before = kept(iteration.before);
    stages.start_time = emit(iteration.start_time);
    stages.step = emit(iteration.step);
    stages.nodes = constant_registers({iteration.nodes});
    stages.weights = constant_registers(iteration.weights);
    for (const Vector& rates : iteration.rates) {
      for (std::size_t i = 0; i < rates.size(); ++i) {
        stages.results.push_back(new_register());
        draft_.pinned[stages.results.back()] = true;
      }
    }
    stages.at = draft_.lines.size();
    draft_.stages.push_back(std::move(stages));
    before_fallback_ = {concatenate(iteration.rates), value_, definition_, recent_.size()};
  }

  void end_stages(bool has_fallback) {
    TapeDraft::Stages& stages = draft_.stages.back();
    if (has_fallback) {
      for (const Expr& rate : before_fallback_.rates)
        stages.fallback.push_back(pinned_copy(emit(rate)));
    }
    stages.fallback_end = draft_.lines.size();
    value_ = std::move(before_fallback_.value);
    definition_ = std::move(before_fallback_.definition);
    recent_.resize(before_fallback_.recent);
    for (std::size_t i = 0; i < stages.results.size(); ++i)
      value_[before_fallback_.rates[i].id_in(graph_)] = stages.results[i];
  }

  Tape finish(const Vector& outputs, const Vector& further) {
    const std::vector<Register> last = emit_outputs(outputs);
    draft_.outputs.insert(draft_.outputs.end(), last.begin(), last.end());
    draft_.further_begin = draft_.lines.size();
    draft_.further_outputs = emit_outputs(further);
    fuse(draft_);
    schedule(draft_);
    return allocate(draft_);
  }

 private:
  std::vector<Register> emit_outputs(const Vector& outputs) {
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

  Register new_register() {
    setup_register_.push_back(false);
    draft_.pinned.push_back(false);
    return static_cast<Register>(setup_register_.size() - 1);
  }

  void add_input(const Expr& symbol, bool setup) {
    const Register target = new_register();
    setup_register_[target] = setup;
    draft_.pinned[target] = true;
    draft_.inputs.push_back(target);
    if (!value_.emplace(symbol.id_in(graph_), target).second)
      throw RequestError("an input is named twice");
  }

  Register constant_register(const Constant& value) {
    const NodeId id = graph_.constant(value);
    if (const auto known = value_.find(id); known != value_.end()) return known->second;
    const Register target = new_register();
    setup_register_[target] = true;
    draft_.pinned[target] = true;
    draft_.constants.emplace_back(target, value);
    value_.emplace(id, target);
    return target;
  }

  Register pinned_copy(Register source) {
    const Register target = new_register();
    draft_.pinned[target] = true;
    draft_.lines.push_back({.operation = TapeOperation::copy, .target = target, .a = source});
    return target;
  }

  /// The operands of a node; of a defined symbol, its definition.
  void operands_of(NodeId id, std::vector<NodeId>& operands) const {
    graph_.operands(id, operands);
    if (const auto defined = definition_.find(id); defined != definition_.end())
      operands = {defined->second};
  }

  /// The value of an expression, computed now unless it is known. Iterative: graphs can be deep.
  Register emit(const Expr& expression) {
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

  void emit_node(NodeId id) {
    const Node node = graph_.node(id);
    Register result = 0;
    if (const auto defined = definition_.find(id); defined != definition_.end()) {
      result = value_.at(defined->second);
    } else if (node.operation == Operation::symbol) {
      throw std::logic_error("the tape has no value for the symbol " + graph_.name(id));
    } else if (node.operation == Operation::component) {
      result = value_.at(node.a) + node.b;  // results of a solve are consecutive registers
    } else {
      result = push(node.operation == Operation::solve ? solve_line(id) : line_of(id));
    }
    value_.emplace(id, result);
    if (!setup_register_[result]) recent_.push_back(id);
  }

  Line solve_line(NodeId id) {
    Line line{.operation = TapeOperation::solve};
    for (const NodeId operand : graph_.solve_operands(id))
      line.operands.push_back(value_.at(operand));
    for (NodeId i = 0; i < graph_.node(id).b; ++i) line.results.push_back(new_register());
    line.target = line.results.front();
    return line;
  }

  Line line_of(NodeId id) {
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

  Register index_of_table(const TablePointer& table) {
    const auto known = std::ranges::find(draft_.tables, table);
    const auto index = static_cast<Register>(known - draft_.tables.begin());
    if (known == draft_.tables.end()) draft_.tables.push_back(table);
    return index;
  }

  /// Adds a line to the setup if all that it reads is known there.
  Register push(Line line) {
    const std::vector<Register> uses = uses_of(line), targets = targets_of(line);
    const bool setup = std::all_of(uses.begin(), uses.end(),
                                   [this](Register use) { return setup_register_[use]; });
    for (const Register target : targets) setup_register_[target] = draft_.pinned[target] = setup;
    (setup ? draft_.setup : draft_.lines).push_back(std::move(line));
    return targets.front();
  }

  void forget_values_since(std::size_t mark) {
    for (std::size_t i = mark; i < recent_.size(); ++i) value_.erase(recent_[i]);
    recent_.resize(mark);
  }

  /// Gives the iterates registers that hold their first values.
  TapeDraft::Loop start_loop(const std::vector<LoopGroup>& groups) {
    TapeDraft::Loop result;
    for (const LoopGroup& group : groups) {
      TapeDraft::Loop::Group registers;
      for (const Expr& start : group.start) registers.iterate.push_back(pinned_copy(emit(start)));
      registers.judged = group.judged;
      result.groups.push_back(std::move(registers));
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t i = 0; i < groups[g].iterate.size(); ++i)
        value_[groups[g].iterate[i].id()] = result.groups[g].iterate[i];
    }
    return result;
  }

  /// The nodes of a loop's body that do not depend on the iterates, operands first: they are
  /// computed once, before the loop.
  std::vector<NodeId> steady_nodes(const std::vector<LoopGroup>& groups,
                                   const Vector& residual) const {
    Vector iterates;
    std::vector<Vector> roots{residual};
    for (const LoopGroup& group : groups) {
      roots.push_back(group.correction);
      roots.push_back(group.value);
      iterates = concatenate({iterates, group.iterate});
    }
    return nodes_without(iterates, roots);
  }

  /// The nodes of expressions that do not depend on the symbols, operands first.
  std::vector<NodeId> nodes_without(const Vector& symbols, const std::vector<Vector>& roots) const {
    std::vector<NodeId> steady;
    visit_nodes(symbols, roots, Depth::to_known, [&](NodeId id, bool varies) {
      if (!varies) steady.push_back(id);
    });
    return steady;
  }

  /// How far expressions are looked into: to what has a value, or to symbols and constants.
  enum class Depth { to_known, to_leaves };

  /// Calls visit(node, whether it depends on the symbols) for the nodes of expressions, operands
  /// first, and says the same of each; not for the symbols themselves.
  template <class Visit>
  std::unordered_map<NodeId, bool> visit_nodes(const Vector& symbols,
                                               const std::vector<Vector>& roots, Depth depth,
                                               Visit visit) const {
    std::vector<NodeId> stack, operands;
    std::unordered_map<NodeId, bool> varies;
    for (const Vector& some : roots) {
      for (const Expr& root : some) {
        if (!root.is_constant()) stack.push_back(root.id());
      }
    }
    for (const Expr& symbol : symbols) varies[symbol.id()] = true;
    while (!stack.empty()) {
      const NodeId id = stack.back();
      if (varies.contains(id)) {
        stack.pop_back();
        continue;
      }
      operands_of(id, operands);
      if (depth == Depth::to_known && value_.contains(id)) operands.clear();
      const std::size_t before = stack.size();
      for (const NodeId operand : operands) {
        if (!varies.contains(operand)) stack.push_back(operand);
      }
      if (stack.size() > before) continue;
      stack.pop_back();
      varies[id] = std::any_of(operands.begin(), operands.end(),
                               [&varies](NodeId operand) { return varies[operand]; });
      visit(id, varies[id]);
    }
    return varies;
  }

  /// What expressions need that is the same whatever the symbols stand for: parts of which they
  /// consist but for what depends on the symbols.
  Vector known_parts(const Vector& symbols, const Vector& expressions) const {
    Vector known;
    std::unordered_map<NodeId, bool> varies;
    const auto add = [&](NodeId id) {
      const bool is_known = !varies.at(id) && graph_.node(id).operation != Operation::constant;
      if (!is_known) return;
      known.push_back(Expr(shared_graph_, id));
      varies[id] = true;  // once
    };
    std::vector<NodeId> varying, operands;
    varies = visit_nodes(symbols, {expressions}, Depth::to_known, [&](NodeId id, bool node_varies) {
      if (node_varies) varying.push_back(id);
    });
    for (const NodeId id : varying) {
      operands_of(id, operands);
      for (const NodeId operand : operands) add(operand);
    }
    for (const Expr& root : expressions) {
      if (!root.is_constant()) add(root.id());
    }
    return known;
  }

  /// The tape of the rates, and what this one shares with it.
  void write_rates(const StageIteration& iteration, const std::vector<StageBlock>& blocks,
                   TapeDraft::Stages& stages) {
    const Vector symbols = concatenate({iteration.state, {iteration.time}, iteration.means.means});
    const Vector known = known_parts(symbols, iteration.rate);
    TapeWriter writer(shared_graph_, {}, concatenate({symbols, known}));
    for (const StageBlock& block : blocks) {
      const auto first = static_cast<std::uint32_t>(stages.parts.size());
      std::vector<Vector> outputs, changing;
      for (const std::vector<std::size_t>& part : block.parts) {
        outputs.push_back(chosen(iteration.rate, part));
        // Means are formed anew for each part.
        changing.push_back(concatenate({chosen(iteration.state, part), iteration.means.means}));
        stages.parts.push_back(appended(stages.components, part));
      }
      writer.repeat(outputs, changing);
      stages.blocks.push_back(
          {first, static_cast<std::uint32_t>(stages.parts.size()), block.iterates});
    }
    stages.mean_count = iteration.means.means.size();
    stages.rates = std::make_shared<const Tape>(writer.finish({}));
    stages.shared = shared_registers(known, *stages.rates);
  }

  /// The same of the function whose means the rates use, part by part.
  void write_function(const StageIteration& iteration, TapeDraft::Stages& stages) {
    const StageMeans& means = iteration.means;
    const Vector known = known_parts(iteration.state, means.function);
    TapeWriter writer(shared_graph_, {}, concatenate({iteration.state, known}));
    for (const TapeStages::Block& block : stages.blocks) {
      std::vector<Vector> outputs, changing;
      for (std::uint32_t p = block.part_begin; p < block.part_end; ++p) {
        const TapeStages::Part& part = stages.parts[p];
        const std::vector<std::size_t> components(stages.components.begin() + part.begin,
                                                  stages.components.begin() + part.end);
        std::vector<bool> is_used(means.means.size(), false);
        for (const std::size_t c : components) {
          const std::vector<bool> here = dependencies(iteration.rate[c], means.means);
          for (std::size_t m = 0; m < here.size(); ++m) is_used[m] = is_used[m] || here[m];
        }
        std::vector<std::size_t> used;
        for (std::size_t m = 0; m < is_used.size(); ++m) {
          if (is_used[m]) used.push_back(m);
        }
        outputs.push_back(chosen(means.function, used));
        changing.push_back(chosen(iteration.state, components));
        stages.function_parts.push_back(appended(stages.functions, used));
      }
      writer.repeat(outputs, changing);
    }
    stages.function = std::make_shared<const Tape>(writer.finish({}));
    stages.function_shared = shared_registers(known, *stages.function);
    stages.path = constant_registers(means.path);
    stages.mean_weights = constant_registers(means.weights);
  }

  static Vector chosen(const Vector& all, const std::vector<std::size_t>& which) {
    Vector result;
    for (const std::size_t i : which) result.push_back(all[i]);
    return result;
  }
  static TapeStages::Part appended(std::vector<std::uint32_t>& list,
                                   const std::vector<std::size_t>& more) {
    const auto begin = static_cast<std::uint32_t>(list.size());
    for (const std::size_t item : more) list.push_back(static_cast<std::uint32_t>(item));
    return {begin, static_cast<std::uint32_t>(list.size())};
  }
  std::vector<Register> constant_registers(const std::vector<std::vector<Constant>>& rows) {
    std::vector<Register> registers;
    for (const std::vector<Constant>& row : rows) {
      for (const Constant& value : row) registers.push_back(constant_register(value));
    }
    return registers;
  }
  /// What an inner tape shares with this one: known values, then its constants.
  std::vector<Register> shared_registers(const Vector& known, const Tape& inner) {
    std::vector<Register> registers = kept(known);
    for (const auto& [slot, value] : inner.constants) registers.push_back(constant_register(value));
    return registers;
  }

  /// The values of expressions in registers that keep their slots.
  std::vector<Register> kept(const Vector& expressions) {
    std::vector<Register> registers;
    for (const Expr& expression : expressions) {
      registers.push_back(emit(expression));
      draft_.pinned[registers.back()] = true;
    }
    return registers;
  }

  /// Forgets what depends on the symbols, which stand for other numbers from now on.
  void forget_values_of(const Vector& symbols) {
    std::vector<Vector> roots(1);
    for (const NodeId id : recent_) roots.front().push_back(Expr(shared_graph_, id));
    const auto varies = visit_nodes(symbols, roots, Depth::to_leaves, [](NodeId, bool) {});
    std::erase_if(recent_, [&](NodeId id) {
      if (!varies.at(id)) return false;
      value_.erase(id);
      return true;
    });
  }

  /// What is known before a fallback, which may be left out.
  struct BeforeFallback {
    Vector rates;
    std::unordered_map<NodeId, Register> value;
    std::unordered_map<NodeId, NodeId> definition;
    std::size_t recent = 0;
  };

  GraphPointer shared_graph_;
  Graph& graph_;
  TapeDraft draft_;
  std::unordered_map<NodeId, Register> value_;
  std::vector<NodeId> recent_;  // nodes in the order they received a value in straight or loop code
  std::vector<bool> setup_register_;
  std::unordered_map<NodeId, NodeId> definition_;
  BeforeFallback before_fallback_;
};

TapeWriter::TapeWriter(GraphPointer graph, const Vector& setup_inputs, const Vector& inputs)
    : emitter_(std::make_unique<Emitter>(std::move(graph), setup_inputs, inputs)) {}

TapeWriter::~TapeWriter() = default;

void TapeWriter::define(const Expr& symbol, const Expr& value) { emitter_->define(symbol, value); }

void TapeWriter::loop(const std::vector<LoopGroup>& groups, const Vector& residual) {
  emitter_->loop(groups, residual);
}

void TapeWriter::begin_stages(const StageIteration& stages, const std::vector<StageBlock>& blocks) {
  emitter_->begin_stages(stages, blocks);
}

void TapeWriter::end_stages(bool has_fallback) { emitter_->end_stages(has_fallback); }

void TapeWriter::repeat(const std::vector<Vector>& outputs, const std::vector<Vector>& state) {
  emitter_->repeat(outputs, state);
}

Tape write_tape(const Vector& inputs, const Vector& outputs) {
  GraphPointer graph = common_graph({inputs, outputs});
  if (graph == nullptr) graph = std::make_shared<Graph>();
  return TapeWriter(std::move(graph), {}, inputs).finish(outputs);
}

Tape TapeWriter::finish(const Vector& outputs, const Vector& further) {
  return emitter_->finish(outputs, further);
}

std::size_t Tape::count(TapeOperation operation) const {
  return static_cast<std::size_t>(
      std::count_if(code.begin() + static_cast<std::ptrdiff_t>(setup_end), code.end(),
                    [operation](const Instruction& line) { return line.operation == operation; }));
}

}  // namespace dalembert
