// What the emitter writes for lines that run again and again, and for stages.

#include <algorithm>

#include "dalembert/expression/query.hpp"
#include "emitter.hpp"

namespace dalembert {

void TapeWriter::Emitter::repeat(const std::vector<Vector>& outputs,
                                 const std::vector<Vector>& state) {
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

void TapeWriter::Emitter::begin_stages(const StageIteration& iteration,
                                       const std::vector<StageBlock>& blocks) {
  TapeDraft::Stages stages;
  write_rates(iteration, blocks, stages);
  if (!iteration.means.means.empty()) write_function(iteration, stages);
  stages.before = kept(iteration.before);
  stages.start_time = emit(iteration.start_time);
  stages.step = emit(iteration.step);
  stages.nodes = constant_registers({iteration.nodes});
  stages.weights = constant_registers(iteration.weights);
  stages.end_count = iteration.end.size();
  if (!iteration.end.empty()) stages.end_weights = constant_registers({iteration.end_weights});
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

void TapeWriter::Emitter::end_stages(bool has_fallback) {
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
    value_.set(before_fallback_.rates[i].id_in(graph_), stages.results[i]);
}

Vector TapeWriter::Emitter::known_parts(const Vector& symbols, const Vector& expressions) const {
  Vector known;
  NodeMap<bool> varies;
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

void TapeWriter::Emitter::write_rates(const StageIteration& iteration,
                                      const std::vector<StageBlock>& blocks,
                                      TapeDraft::Stages& stages) {
  const Vector symbols =
      concatenate({iteration.state, {iteration.time}, iteration.means.means, iteration.end});
  const Vector known = known_parts(symbols, iteration.rate);
  TapeWriter writer(shared_graph_, {}, concatenate({symbols, known}));
  for (const StageBlock& block : blocks) {
    const auto first = static_cast<std::uint32_t>(stages.parts.size());
    std::vector<Vector> outputs, changing;
    for (const std::vector<std::size_t>& part : block.parts) {
      outputs.push_back(chosen(iteration.rate, part));
      // Means are formed anew for each part.
      changing.push_back(concatenate({moved_by(iteration, part), iteration.means.means}));
      stages.parts.push_back(appended(stages.components, part));
    }
    writer.repeat(outputs, changing);
    stages.blocks.push_back(
        {first, static_cast<std::uint32_t>(stages.parts.size()), block.iterates, block.patience});
  }
  stages.mean_count = iteration.means.means.size();
  stages.rates = std::make_shared<const Tape>(writer.finish({}));
  stages.shared = shared_registers(known, *stages.rates);
}

void TapeWriter::Emitter::write_function(const StageIteration& iteration,
                                         TapeDraft::Stages& stages) {
  const StageMeans& means = iteration.means;
  const Vector symbols = concatenate({iteration.state, iteration.end}),
               known = known_parts(symbols, means.function);
  TapeWriter writer(shared_graph_, {}, concatenate({symbols, known}));
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
      changing.push_back(moved_by(iteration, components));
      stages.function_parts.push_back(appended(stages.functions, used));
    }
    writer.repeat(outputs, changing);
  }
  stages.function = std::make_shared<const Tape>(writer.finish({}));
  stages.function_shared = shared_registers(known, *stages.function);
  stages.path = constant_registers(means.path);
  stages.mean_weights = constant_registers(means.weights);
}

Vector TapeWriter::Emitter::moved_by(const StageIteration& iteration,
                                     const std::vector<std::size_t>& components) {
  std::vector<std::size_t> places;
  for (const std::size_t c : components) {
    if (c < iteration.end.size()) places.push_back(c);
  }
  return concatenate({chosen(iteration.state, components), chosen(iteration.end, places)});
}

Vector TapeWriter::Emitter::chosen(const Vector& all, const std::vector<std::size_t>& which) {
  Vector result;
  for (const std::size_t i : which) result.push_back(all[i]);
  return result;
}

TapeStages::Part TapeWriter::Emitter::appended(std::vector<std::uint32_t>& list,
                                               const std::vector<std::size_t>& more) {
  const auto begin = static_cast<std::uint32_t>(list.size());
  for (const std::size_t item : more) list.push_back(static_cast<std::uint32_t>(item));
  return {begin, static_cast<std::uint32_t>(list.size())};
}

std::vector<TapeDraft::Register> TapeWriter::Emitter::constant_registers(
    const std::vector<std::vector<Constant>>& rows) {
  std::vector<Register> registers;
  for (const std::vector<Constant>& row : rows) {
    for (const Constant& value : row) registers.push_back(constant_register(value));
  }
  return registers;
}

std::vector<TapeDraft::Register> TapeWriter::Emitter::shared_registers(const Vector& known,
                                                                       const Tape& inner) {
  std::vector<Register> registers = kept(known);
  for (const auto& [slot, value] : inner.constants) registers.push_back(constant_register(value));
  return registers;
}

std::vector<TapeDraft::Register> TapeWriter::Emitter::kept(const Vector& expressions) {
  std::vector<Register> registers;
  for (const Expr& expression : expressions) {
    registers.push_back(emit(expression));
    draft_.pinned[registers.back()] = true;
  }
  return registers;
}

void TapeWriter::Emitter::forget_values_of(const Vector& symbols) {
  std::vector<Vector> roots(1);
  for (const NodeId id : recent_) roots.front().push_back(Expr(shared_graph_, id));
  const auto varies = visit_nodes(symbols, roots, Depth::to_leaves, [](NodeId, bool) {});
  std::erase_if(recent_, [&](NodeId id) {
    if (!varies.at(id)) return false;
    value_.erase(id);
    return true;
  });
}

}  // namespace dalembert
