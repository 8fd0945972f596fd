#include "dalembert/expression/tape.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <stdexcept>

#include "dalembert/expression/query.hpp"

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
    case Operation::sqrt:
      return TapeOperation::sqrt;
    case Operation::sin:
      return TapeOperation::sin;
    case Operation::cos:
      return TapeOperation::cos;
    case Operation::tan:
      return TapeOperation::tan;
    case Operation::asin:
      return TapeOperation::asin;
    case Operation::acos:
      return TapeOperation::acos;
    case Operation::atan:
      return TapeOperation::atan;
    case Operation::sinh:
      return TapeOperation::sinh;
    case Operation::cosh:
      return TapeOperation::cosh;
    case Operation::tanh:
      return TapeOperation::tanh;
    case Operation::exp:
      return TapeOperation::exp;
    case Operation::log:
      return TapeOperation::log;
    case Operation::abs:
      return TapeOperation::abs;
    case Operation::sign:
      return TapeOperation::sign;
    case Operation::sinc:
      return TapeOperation::sinc;
    case Operation::sinhc:
      return TapeOperation::sinhc;
    default:
      throw std::logic_error("an opaque expression cannot be evaluated");
  }
}

bool is_binary(TapeOperation operation) {
  switch (operation) {
    case TapeOperation::add:
    case TapeOperation::subtract:
    case TapeOperation::multiply:
    case TapeOperation::divide:
    case TapeOperation::power:
    case TapeOperation::atan2:
    case TapeOperation::multiply_add:
    case TapeOperation::multiply_subtract:
    case TapeOperation::negative_multiply_add:
      return true;
    default:
      return false;
  }
}

bool is_ternary(TapeOperation operation) {
  return operation == TapeOperation::multiply_add ||
         operation == TapeOperation::multiply_subtract ||
         operation == TapeOperation::negative_multiply_add;
}

}  // namespace

std::size_t Tape::count(TapeOperation operation) const {
  return static_cast<std::size_t>(
      std::count_if(code.begin() + static_cast<std::ptrdiff_t>(setup_end), code.end(),
                    [operation](const Instruction& line) { return line.operation == operation; }));
}

TapeWriter::TapeWriter(Graph& graph, const Vector& setup_inputs, const Vector& inputs)
    : graph_(graph) {
  for (const Vector* group : {&setup_inputs, &inputs}) {
    for (const Expr& symbol : *group) {
      const Register target = new_register();
      setup_register_[target] = group == &setup_inputs;
      pinned_[target] = true;
      inputs_.push_back(target);
      if (!value_.emplace(symbol.id(), target).second)
        throw std::invalid_argument("an input is named twice");
    }
  }
}

TapeWriter::Register TapeWriter::new_register() {
  setup_register_.push_back(false);
  pinned_.push_back(false);
  return static_cast<Register>(setup_register_.size() - 1);
}

TapeWriter::Register TapeWriter::constant_register(const Constant& value) {
  const NodeId id = graph_.constant(value);
  if (const auto known = value_.find(id); known != value_.end()) return known->second;
  const Register target = new_register();
  setup_register_[target] = true;
  pinned_[target] = true;
  constants_.emplace_back(target, value);
  value_.emplace(id, target);
  return target;
}

void TapeWriter::define(const Expr& symbol, const Expr& value) {
  definition_.emplace(symbol.id(), value);
}

TapeWriter::Register TapeWriter::push(Line line) {
  const std::vector<Register> uses = uses_of(line);
  line.setup =
      std::all_of(uses.begin(), uses.end(), [this](Register use) { return is_setup(use); });
  if (line.operation == TapeOperation::solve) {
    for (const Register result : line.results) setup_register_[result] = line.setup;
    line.target = line.results.front();
  } else {
    line.target = new_register();
    setup_register_[line.target] = line.setup;
  }
  for (const Register result : line.results) pinned_[result] = line.setup;
  if (line.setup) pinned_[line.target] = true;
  const Register target = line.target;
  (line.setup ? setup_ : lines_).push_back(std::move(line));
  return target;
}

/// The value of an expression, computed now unless it is known. Iterative: graphs can be deep.
TapeWriter::Register TapeWriter::emit(const Expr& expression) {
  if (expression.is_constant()) return constant_register(expression.constant());
  std::vector<NodeId> stack{expression.id()}, operands;
  while (!stack.empty()) {
    const NodeId id = stack.back();
    if (value_.contains(id)) {
      stack.pop_back();
      continue;
    }
    graph_.operands(id, operands);
    if (const auto defined = definition_.find(id); defined != definition_.end()) {
      operands = {defined->second.id_in(graph_)};
    }
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
  return value_.at(expression.id());
}

TapeWriter::Register TapeWriter::emit_node(NodeId id) {
  const Node node = graph_.node(id);
  Register result = 0;
  if (const auto defined = definition_.find(id); defined != definition_.end()) {
    result = value_.at(defined->second.id_in(graph_));
  } else if (node.operation == Operation::symbol) {
    throw std::logic_error("the tape has no value for the symbol " + graph_.name(id));
  } else if (node.operation == Operation::component) {
    result = value_.at(node.a) + node.b;  // results of a solve are consecutive registers
  } else if (node.operation == Operation::solve) {
    Line line{.operation = TapeOperation::solve, .operands = {}, .results = {}};
    for (const NodeId operand : graph_.solve_operands(id))
      line.operands.push_back(value_.at(operand));
    for (NodeId i = 0; i < node.b; ++i) line.results.push_back(new_register());
    result = push(std::move(line));
  } else {
    Line line{.operation = tape_operation(node.operation), .operands = {}, .results = {}};
    line.a = value_.at(node.a);
    if (is_binary(line.operation)) line.b = value_.at(node.b);
    if (node.operation == Operation::sinc || node.operation == Operation::sinhc) line.c = node.b;
    result = push(std::move(line));
  }
  value_.emplace(id, result);
  if (!is_setup(result)) recent_.push_back(id);
  return result;
}

void TapeWriter::forget_values_since(std::size_t mark) {
  for (std::size_t i = mark; i < recent_.size(); ++i) value_.erase(recent_[i]);
  recent_.resize(mark);
}

void TapeWriter::loop(const std::vector<LoopGroup>& groups, const Vector& residual) {
  Vector iterates, body = residual;
  for (const LoopGroup& group : groups) {
    iterates.insert(iterates.end(), group.iterate.begin(), group.iterate.end());
    body.insert(body.end(), group.correction.begin(), group.correction.end());
    body.insert(body.end(), group.value.begin(), group.value.end());
  }
  // What does not depend on the iterates is computed once, before the loop.
  std::vector<NodeId> stack, operands;
  for (const Expr& root : body) {
    if (!root.is_constant()) stack.push_back(root.id());
  }
  std::unordered_map<NodeId, bool> varies;
  for (const Expr& iterate : iterates) varies[iterate.id()] = true;
  std::vector<NodeId> order;
  while (!stack.empty()) {
    const NodeId id = stack.back();
    graph_.operands(id, operands);
    if (const auto defined = definition_.find(id); defined != definition_.end()) {
      operands = {defined->second.id_in(graph_)};
    }
    const std::size_t before = stack.size();
    if (!varies.contains(id)) {
      for (const NodeId operand : operands) {
        if (!varies.contains(operand)) stack.push_back(operand);
      }
    }
    if (stack.size() > before) continue;
    stack.pop_back();
    if (varies.contains(id)) continue;
    varies[id] = std::any_of(operands.begin(), operands.end(),
                             [&](NodeId operand) { return varies[operand]; });
    if (!varies[id]) order.push_back(id);
  }
  for (const NodeId id : order) emit(Expr(graph_, id));

  Loop result;
  for (const LoopGroup& group : groups) {
    Loop::Group registers;
    for (std::size_t i = 0; i < group.iterate.size(); ++i) {
      Line line{.operation = TapeOperation::copy, .operands = {}, .results = {}};
      line.a = emit(group.start[i]);
      line.target = new_register();
      pinned_[line.target] = true;
      registers.iterate.push_back(line.target);
      lines_.push_back(line);
    }
    registers.judged = group.judged;
    result.groups.push_back(registers);
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (std::size_t i = 0; i < groups[g].iterate.size(); ++i) {
      value_[groups[g].iterate[i].id()] = result.groups[g].iterate[i];
    }
  }
  result.begin = lines_.size();
  const std::size_t mark = recent_.size();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const Expr& correction : groups[g].correction)
      result.groups[g].correction.push_back(emit(correction));
    for (const Expr& value : groups[g].value) result.groups[g].value.push_back(emit(value));
  }
  for (const Expr& entry : residual) result.residual.push_back(emit(entry));
  result.end = lines_.size();
  forget_values_since(mark);
  loops_.push_back(std::move(result));
}

std::vector<TapeWriter::Register> TapeWriter::uses_of(const Line& line) {
  if (line.operation == TapeOperation::solve) return line.operands;
  std::vector<Register> uses{line.a};
  if (is_binary(line.operation)) uses.push_back(line.b);
  if (is_ternary(line.operation)) uses.push_back(line.c);
  return uses;
}

std::vector<TapeWriter::Register> TapeWriter::targets_of(const Line& line) {
  if (line.operation == TapeOperation::solve) return line.results;
  std::vector<Register> targets{line.target};
  if (line.operation == TapeOperation::sine_cosine) targets.push_back(line.c);
  return targets;
}

/// Joins sine and cosine of one argument, and products with the sum that alone uses them.
void TapeWriter::fuse(const std::vector<Register>& outputs) {
  for (std::vector<Line>* lines : {&setup_, &lines_}) {
    std::unordered_map<Register, std::size_t> uses, producer;
    const auto loop_of = [&](std::size_t line) {
      if (lines == &setup_) return -1;
      for (std::size_t i = 0; i < loops_.size(); ++i) {
        if (line >= loops_[i].begin && line < loops_[i].end) return static_cast<int>(i);
      }
      return -1;
    };
    for (const std::vector<Line>* users : {&setup_, &lines_}) {
      for (const Line& line : *users) {
        for (const Register use : uses_of(line)) ++uses[use];
      }
    }
    for (const Register output : outputs) uses[output] += 2;
    for (const Loop& loop : loops_) {
      for (const Loop::Group& group : loop.groups) {
        for (const auto* part : {&group.iterate, &group.correction, &group.value}) {
          for (const Register kept : *part) uses[kept] += 2;
        }
      }
      for (const Register kept : loop.residual) uses[kept] += 2;
    }
    std::unordered_map<Register, std::size_t> sine, cosine;
    std::vector<bool> dropped(lines->size(), false);
    for (std::size_t i = 0; i < lines->size(); ++i) {
      Line& line = (*lines)[i];
      producer[line.target] = i;
      if (line.operation == TapeOperation::sin || line.operation == TapeOperation::cos) {
        auto& own = line.operation == TapeOperation::sin ? sine : cosine;
        auto& other = line.operation == TapeOperation::sin ? cosine : sine;
        const auto partner = other.find(line.a);
        if (partner != other.end() &&
            (loop_of(partner->second) == -1 || loop_of(partner->second) == loop_of(i))) {
          Line& first = (*lines)[partner->second];
          const bool first_is_sine = first.operation == TapeOperation::sin;
          const Register sine_target = first_is_sine ? first.target : line.target;
          first.c = first_is_sine ? line.target : first.target;
          first.target = sine_target;
          first.operation = TapeOperation::sine_cosine;
          dropped[i] = true;
          other.erase(partner);
        } else {
          own[line.a] = i;
        }
        continue;
      }
      if (line.operation != TapeOperation::add && line.operation != TapeOperation::subtract)
        continue;
      for (const bool second : {false, true}) {
        const Register product = second ? line.b : line.a;
        const auto made = producer.find(product);
        if (made == producer.end() || uses[product] != 1 || line.a == line.b) continue;
        const Line& factor_line = (*lines)[made->second];
        if (factor_line.operation != TapeOperation::multiply || loop_of(made->second) != loop_of(i))
          continue;
        const Register rest = second ? line.a : line.b;
        const bool is_sum = line.operation == TapeOperation::add;
        line.operation = is_sum   ? TapeOperation::multiply_add
                         : second ? TapeOperation::negative_multiply_add
                                  : TapeOperation::multiply_subtract;
        line.c = rest;
        line.a = factor_line.a;
        line.b = factor_line.b;
        dropped[made->second] = true;
        break;
      }
    }
    std::vector<std::size_t> moved(lines->size() + 1);
    std::vector<Line> kept;
    for (std::size_t i = 0; i < lines->size(); ++i) {
      moved[i] = kept.size();
      if (!dropped[i]) kept.push_back((*lines)[i]);
    }
    moved[lines->size()] = kept.size();
    *lines = std::move(kept);
    if (lines == &setup_) continue;
    for (Loop& loop : loops_) {
      loop.begin = moved[loop.begin];
      loop.end = moved[loop.end];
    }
  }
}

Tape TapeWriter::finish(const Vector& outputs) {
  std::vector<Register> results;
  for (const Expr& output : outputs) {
    const Register result = emit(output);
    if (!pinned_[result]) {
      pinned_[result] = true;
      results.push_back(result);
      continue;
    }
    // What is an input, a constant, a setup value or already an output is copied, so that each
    // output has its own slot.
    Line line{.operation = TapeOperation::copy, .operands = {}, .results = {}};
    line.a = result;
    line.target = new_register();
    pinned_[line.target] = true;
    lines_.push_back(line);
    results.push_back(line.target);
  }
  fuse(results);
  return allocate(results);
}

/// Gives registers slots: pinned ones keep theirs, temporaries share.
Tape TapeWriter::allocate(const std::vector<Register>& outputs) const {
  const std::size_t registers = setup_register_.size();
  constexpr auto none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> slot(registers, none);
  std::vector<std::size_t> last_use(registers, 0), first_use(registers, 0);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    for (const Register target : targets_of(lines_[i])) last_use[target] = first_use[target] = i;
    for (const Register use : uses_of(lines_[i])) last_use[use] = i;
  }
  for (const Loop& loop : loops_) {
    for (std::size_t i = loop.begin; i < loop.end; ++i) {
      for (const Register use : uses_of(lines_[i])) {
        if (first_use[use] < loop.begin) last_use[use] = std::max(last_use[use], loop.end);
      }
    }
    const auto keep = [&](Register value) {
      last_use[value] = std::max(last_use[value], loop.end);
    };
    for (const Loop::Group& group : loop.groups) {
      std::for_each(group.correction.begin(), group.correction.end(), keep);
      std::for_each(group.value.begin(), group.value.end(), keep);
    }
    std::for_each(loop.residual.begin(), loop.residual.end(), keep);
  }

  Tape tape;
  std::uint32_t next = 0;
  const auto pin = [&](Register value) {
    if (slot[value] == none) slot[value] = next++;
  };
  for (const auto& [target, value] : constants_) pin(target);
  for (const Register input : inputs_) pin(input);
  for (Register i = 0; i < registers; ++i) {
    if (pinned_[i]) pin(i);
  }
  for (const Line& line : setup_) {
    for (const Register target : targets_of(line)) pin(target);
  }
  std::vector<std::uint32_t> free_slots;
  const auto take = [&](Register target) {
    if (slot[target] != none) return;
    if (free_slots.empty()) {
      slot[target] = next++;
    } else {
      slot[target] = free_slots.back();
      free_slots.pop_back();
    }
  };
  std::vector<std::vector<Register>> dying(lines_.size() + 1);
  for (Register i = 0; i < registers; ++i) {
    if (slot[i] == none) dying[std::min(last_use[i], lines_.size())].push_back(i);
  }
  const auto write = [&](const Line& line) {
    Instruction instruction{line.operation, slot[line.target], 0, 0, 0};
    if (line.operation == TapeOperation::solve) {
      instruction.a = static_cast<std::uint32_t>(tape.solve_pool.size());
      instruction.b = static_cast<std::uint32_t>(line.results.size());
      for (const Register operand : line.operands) tape.solve_pool.push_back(slot[operand]);
      for (const Register result : line.results) tape.solve_pool.push_back(slot[result]);
      tape.largest_solve = std::max(tape.largest_solve, line.results.size());
    } else {
      instruction.a = slot[line.a];
      if (is_binary(line.operation)) instruction.b = slot[line.b];
      if (is_ternary(line.operation) || line.operation == TapeOperation::sine_cosine)
        instruction.c = slot[line.c];
      if (line.operation == TapeOperation::sinc || line.operation == TapeOperation::sinhc)
        instruction.c = line.c;
    }
    tape.code.push_back(instruction);
  };
  for (const Line& line : setup_) write(line);
  tape.setup_end = tape.code.size();
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const auto release = [&] {
      for (const Register dead : dying[i]) {
        if (slot[dead] != none) free_slots.push_back(slot[dead]);
      }
    };
    // Operands that end here may give their slot to the target, except where several targets are
    // written.
    const auto targets = targets_of(lines_[i]);
    std::vector<Register> unused;
    if (targets.size() == 1 && first_use[targets[0]] != last_use[targets[0]]) {
      std::erase(dying[i], targets[0]);
      release();
      take(targets[0]);
    } else {
      for (const Register target : targets) take(target);
      release();
    }
    write(lines_[i]);
  }

  for (const auto& [target, value] : constants_) tape.constants.emplace_back(slot[target], value);
  for (const Register input : inputs_) tape.inputs.push_back(slot[input]);
  for (const Register output : outputs) tape.outputs.push_back(slot[output]);
  std::size_t begin = 0;
  for (const Loop& loop : loops_) {
    tape.sections.push_back({tape.setup_end + begin, tape.setup_end + loop.begin, -1});
    tape.sections.push_back({tape.setup_end + loop.begin, tape.setup_end + loop.end,
                             static_cast<int>(tape.loops.size())});
    begin = loop.end;
    TapeLoop written{static_cast<std::uint32_t>(tape.loop_groups.size()), 0,
                     static_cast<std::uint32_t>(tape.residuals.size()), 0};
    for (const Loop::Group& group : loop.groups) {
      const auto first = static_cast<std::uint32_t>(tape.iterates.size());
      for (std::size_t i = 0; i < group.iterate.size(); ++i) {
        tape.iterates.push_back(
            {slot[group.iterate[i]], slot[group.correction[i]], slot[group.value[i]]});
      }
      tape.loop_groups.push_back(
          {first, static_cast<std::uint32_t>(tape.iterates.size()), group.judged});
    }
    for (const Register entry : loop.residual) tape.residuals.push_back(slot[entry]);
    written.group_end = static_cast<std::uint32_t>(tape.loop_groups.size());
    written.residual_end = static_cast<std::uint32_t>(tape.residuals.size());
    tape.loops.push_back(written);
  }
  tape.sections.push_back({tape.setup_end + begin, tape.code.size(), -1});
  tape.slot_count = next;
  return tape;
}

}  // namespace dalembert
