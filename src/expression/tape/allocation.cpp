#include "allocation.hpp"

#include <algorithm>
#include <limits>

namespace dalembert {
namespace {

using Register = TapeDraft::Register;
using Line = TapeDraft::Line;

/// From where to where each register is alive, by index of line.
struct Lifetimes {
  std::vector<std::size_t> first, last;

  explicit Lifetimes(const TapeDraft& draft)
      : first(draft.register_count(), 0), last(draft.register_count(), 0) {
    for (std::size_t i = 0; i < draft.lines.size(); ++i) {
      visit_targets(draft.lines[i], [&](Register target) { last[target] = first[target] = i; });
      visit_uses(draft.lines[i], [&](Register use) { last[use] = i; });
    }
    for (const TapeDraft::Loop& loop : draft.loops) extend(draft, loop);
  }

 private:
  /// What a pass reads from before the loop lives through it; what is read after a pass, too.
  void extend(const TapeDraft& draft, const TapeDraft::Loop& loop) {
    for (std::size_t i = loop.begin; i < loop.end; ++i) {
      visit_uses(draft.lines[i], [&](Register use) {
        if (first[use] < loop.repeat_begin) last[use] = std::max(last[use], loop.repeat_end);
      });
    }
    loop.visit_kept([&](Register kept) { last[kept] = std::max(last[kept], loop.end); });
  }
};

class Allocation {
 public:
  explicit Allocation(const TapeDraft& draft)
      : draft_(draft), lifetimes_(draft), slot_(draft.register_count(), none) {}

  Tape run() {
    pin_registers();
    find_deaths();
    for (const Line& line : draft_.setup) write(line);
    tape_.setup_end = tape_.code.size();
    for (std::size_t i = 0; i < draft_.lines.size(); ++i) write_reusing_slots(i);
    write_tables();
    for (const TapeDraft::Section& section : draft_.sections()) write_section(section);
    tape_.further = tape_.sections.back();
    tape_.sections.pop_back();
    tape_.slot_count = next_;
    return std::move(tape_);
  }

 private:
  static constexpr auto none = std::numeric_limits<std::uint32_t>::max();

  void pin(Register value) {
    if (slot_[value] == none) slot_[value] = next_++;
  }

  void pin_registers() {
    for (const auto& [target, value] : draft_.constants) pin(target);
    for (const Register input : draft_.inputs) pin(input);
    for (Register i = 0; i < draft_.register_count(); ++i) {
      if (draft_.pinned[i]) pin(i);
    }
    for (const Line& line : draft_.setup)
      visit_targets(line, [this](Register target) { pin(target); });
    for (const TapeDraft::Loop& loop : draft_.loops) pin_matrix(loop);
  }

  /// What a pass may find as an earlier one has left it is overwritten by nothing else.
  void pin_matrix(const TapeDraft::Loop& loop) {
    for (std::size_t i = loop.matrix_end; i < loop.end; ++i) {
      visit_uses(draft_.lines[i], [&](Register use) {
        const std::size_t made = lifetimes_.first[use];
        if (made >= loop.matrix_begin && made < loop.matrix_end) pin(use);
      });
    }
  }

  void find_deaths() {
    dying_.resize(draft_.lines.size() + 1);
    for (Register i = 0; i < draft_.register_count(); ++i) {
      if (slot_[i] == none) dying_[std::min(lifetimes_.last[i], draft_.lines.size())].push_back(i);
    }
  }

  void take(Register target) {
    if (slot_[target] != none) return;
    if (free_.empty()) {
      slot_[target] = next_++;
    } else {
      slot_[target] = free_.back();
      free_.pop_back();
    }
  }

  void release(std::size_t line) {
    for (const Register dead : dying_[line]) {
      if (slot_[dead] != none) free_.push_back(slot_[dead]);
    }
  }

  /// Operands that end here may give their slot to the target, except where several targets are
  /// written.
  void write_reusing_slots(std::size_t i) {
    const Line& line = draft_.lines[i];
    std::size_t targets = 0;
    visit_targets(line, [&](Register) { ++targets; });
    const bool outlives = lifetimes_.first[line.target] != lifetimes_.last[line.target];
    if (targets == 1 && outlives) {
      release(i);
      take(line.target);
    } else {
      visit_targets(line, [this](Register target) { take(target); });
      release(i);
    }
    write(line);
  }

  void write(const Line& line) {
    if (is_on_system(line.operation)) return write_solve(line);
    Instruction instruction{line.operation, slot_[line.target], slot_[line.a], 0, 0};
    if (is_binary(line.operation)) instruction.b = slot_[line.b];
    if (is_ternary(line.operation) || line.operation == TapeOperation::sine_cosine)
      instruction.c = slot_[line.c];
    if (line.operation == TapeOperation::sinc || line.operation == TapeOperation::sinhc ||
        line.operation == TapeOperation::sinc_root)
      instruction.c = line.c;
    if (line.operation == TapeOperation::table) {
      instruction.b = line.b;
      instruction.c = line.c;
    }
    tape_.code.push_back(instruction);
  }

  void write_solve(const Line& line) {
    tape_.code.push_back({line.operation, slot_[line.target],
                          static_cast<std::uint32_t>(tape_.solve_pool.size()), line.b, 0});
    for (const Register operand : line.operands) tape_.solve_pool.push_back(slot_[operand]);
    for (const Register result : line.results) tape_.solve_pool.push_back(slot_[result]);
    tape_.largest_solve = std::max(tape_.largest_solve, std::size_t{line.b});
  }

  void write_tables() {
    for (const auto& [target, value] : draft_.constants)
      tape_.constants.emplace_back(slot_[target], value);
    for (const Register input : draft_.inputs) tape_.inputs.push_back(slot_[input]);
    for (const Register output : draft_.outputs) tape_.outputs.push_back(slot_[output]);
    for (const Register output : draft_.further_outputs)
      tape_.further_outputs.push_back(slot_[output]);
    for (const TablePointer& table : draft_.tables) {
      tape_.tables.push_back(table);
      tape_.table_views.push_back(table->view());
    }
  }

  void write_section(const TapeDraft::Section& section) {
    const std::size_t offset = tape_.setup_end;
    tape_.sections.push_back({offset + section.begin, offset + section.end, section.loop,
                              section.stages, section.is_fallback});
    if (section.stages >= 0) write_stages(draft_.stages[static_cast<std::size_t>(section.stages)]);
    // The last section of a fallback in front of the first that is none.
    if (section.is_fallback) tape_.stages.back().fallback_end = tape_.sections.size();
    if (section.loop >= 0) write_loop(draft_.loops[static_cast<std::size_t>(section.loop)]);
  }

  /// What a tape of stages shares with this one: values, which are its inputs from `first` on, then
  /// its constants.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> shared_slots(
      const std::vector<Register>& shared, const Tape& inner, std::size_t first) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
    const std::size_t values = inner.inputs.size() - first;
    for (std::size_t i = 0; i < shared.size(); ++i) {
      result.emplace_back(slot_[shared[i]],
                          i < values ? inner.inputs[first + i] : inner.constants[i - values].first);
    }
    return result;
  }

  static long end_count(const TapeDraft::Stages& stages) {
    return static_cast<long>(stages.end_count);
  }

  void write_function(const TapeDraft::Stages& stages, TapeStages& written) const {
    const Tape& function = *stages.function;
    const auto n = static_cast<long>(stages.before.size());
    written.function = stages.function;
    written.function_parts = stages.function_parts;
    written.functions = stages.functions;
    written.function_state.assign(function.inputs.begin(), function.inputs.begin() + n);
    written.function_value = function.outputs;  // in the order of `functions`
    const auto first_end = function.inputs.begin() + n, last_end = first_end + end_count(stages);
    written.function_end.assign(first_end, last_end);
    written.function_shared =
        shared_slots(stages.function_shared, function, stages.before.size() + stages.end_count);
    for (const Register value : stages.path) written.path.push_back(slot_[value]);
    for (const Register value : stages.mean_weights) written.mean_weights.push_back(slot_[value]);
  }

  void write_stages(const TapeDraft::Stages& stages) {
    const auto slots = [&](const std::vector<Register>& registers) {
      std::vector<std::uint32_t> result;
      for (const Register value : registers) result.push_back(slot_[value]);
      return result;
    };
    TapeStages written{.rates = stages.rates,
                       .parts = stages.parts,
                       .blocks = stages.blocks,
                       .components = stages.components,
                       .before = slots(stages.before),
                       .start_time = slot_[stages.start_time],
                       .step = slot_[stages.step],
                       .nodes = slots(stages.nodes),
                       .weights = slots(stages.weights),
                       .results = slots(stages.results),
                       .fallback = slots(stages.fallback)};
    const Tape& rates = *stages.rates;
    const std::size_t n = stages.before.size();
    written.state.assign(rates.inputs.begin(), rates.inputs.begin() + static_cast<long>(n));
    written.time = rates.inputs[n];
    const auto first_mean = rates.inputs.begin() + static_cast<long>(n) + 1,
               first_end = first_mean + static_cast<long>(stages.mean_count);
    written.mean.assign(first_mean, first_end);
    written.end.assign(first_end, first_end + end_count(stages));
    written.end_weights = slots(stages.end_weights);
    written.rate.resize(n);
    for (std::size_t i = 0; i < n; ++i) written.rate[stages.components[i]] = rates.outputs[i];
    written.shared =
        shared_slots(stages.shared, rates, n + 1 + written.mean.size() + written.end.size());
    if (stages.function != nullptr) write_function(stages, written);
    written.fallback_end = tape_.sections.size();
    tape_.stages.push_back(std::move(written));
  }

  void write_loop(const TapeDraft::Loop& loop) {
    TapeLoop written;
    written.group_begin = static_cast<std::uint32_t>(tape_.loop_groups.size());
    written.unknown_begin = static_cast<std::uint32_t>(tape_.iterates.size());
    written.residual_begin = static_cast<std::uint32_t>(tape_.residuals.size());
    for (const TapeDraft::Loop::Group& group : loop.groups) {
      const auto first = static_cast<std::uint32_t>(tape_.iterates.size());
      for (std::size_t i = 0; i < group.iterate.size(); ++i) {
        tape_.iterates.push_back(
            {slot_[group.iterate[i]], slot_[group.correction[i]], slot_[group.value[i]]});
      }
      const auto end = static_cast<std::uint32_t>(tape_.iterates.size());
      tape_.loop_groups.push_back({first, end, group.judged});
      if (group.is_unknown)
        written.unknown_end = end;
      else
        written.is_quadratic = false;
    }
    for (const Register entry : loop.residual) tape_.residuals.push_back(slot_[entry]);
    written.group_end = static_cast<std::uint32_t>(tape_.loop_groups.size());
    written.residual_end = static_cast<std::uint32_t>(tape_.residuals.size());
    written.matrix_begin = tape_.setup_end + loop.matrix_begin;
    written.matrix_end = tape_.setup_end + loop.matrix_end;
    tape_.loops.push_back(written);
  }

  const TapeDraft& draft_;
  Lifetimes lifetimes_;
  Tape tape_;
  std::vector<std::uint32_t> slot_, free_;
  std::uint32_t next_ = 0;
  std::vector<std::vector<Register>> dying_;  // by the line that reads them last
};

}  // namespace

Tape allocate(const TapeDraft& draft) { return Allocation(draft).run(); }

}  // namespace dalembert
