#include "stage_text.hpp"

#include <algorithm>

#include "dalembert/step/detail/stage_loop.hpp"
#include "statements.hpp"

namespace dalembert {
namespace {

/// More numbers lie in memory of the caller, not on the stack.
constexpr std::size_t largest_local_memory = 4096;

std::size_t stage_numbers(const TapeStages& stages) {
  return stages.nodes.size() * (stages.rates->slot_count + stages.before.size());
}

class StageText {
 public:
  StageText(const StepProgram& program, const TapeStages& stages)
      : program_(program),
        stages_(stages),
        rates_(*stages.rates),
        count_(stages.nodes.size()),
        size_(stages.before.size()) {}

  std::string text(const std::string& fallback) {
    open("{");
    add_memory();
    line("Mask settled = 1;");
    line("int i, sweep;");
    add_begin();
    for (const TapeStages::Block& block : stages_.blocks) add_block(block);
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t c = 0; c < size_; ++c)
        line(slot_name(stages_.results[i * size_ + c]) + " = " + rate(number(i), c) + ";");
    }
    open("if (!settled) {");
    text_ += fallback;
    for (std::size_t k = 0; k < stages_.results.size(); ++k)
      line(slot_name(stages_.results[k]) + " = " + slot_name(stages_.fallback[k]) + ";");
    close();
    close();
    return std::move(text_);
  }

 private:
  static std::string number(std::size_t value) { return std::to_string(value); }
  void line(const std::string& words) { add_line(text_, indentation_, words); }
  void open(const std::string& words) {
    line(words);
    indentation_ += 2;
  }
  void close() {
    indentation_ -= 2;
    line("}");
  }
  void open_stages() { open("for (i = 0; i < " + number(count_) + "; ++i) {"); }

  std::string cell(std::uint32_t slot) const {
    return "cells[i * " + number(rates_.slot_count) + " + " + number(slot) + "]";
  }
  std::string rate(const std::string& stage, std::size_t component) const {
    return "rates[" + stage + " * " + number(size_) + " + " + number(component) + "]";
  }
  double constant(std::uint32_t slot) const {
    const auto& constants = program_.tape().constants;
    return std::ranges::find(constants, slot, [](const auto& entry) { return entry.first; })
        ->second.template as<double>();
  }

  void add_memory() {
    std::vector<std::string> nodes, weights;
    for (const std::uint32_t slot : stages_.nodes) nodes.push_back(c_literal(constant(slot)));
    for (const std::uint32_t slot : stages_.weights) weights.push_back(c_literal(constant(slot)));
    text_ += constant_list("nodes", nodes, indentation_);
    text_ += constant_list("weights", weights, indentation_);
    const std::size_t cells = count_ * rates_.slot_count;
    if (stage_workspace(stages_) == 0) {
      line("Number cells[" + number(cells) + "], rates[" + number(count_ * size_) + "];");
    } else {
      line("Number *cells = s->workspace + " + number(solve_workspace(program_.tape())) +
           ", *rates = cells + " + number(cells) + ";");
    }
  }

  /// All stages at the start of the step.
  void add_begin() {
    open_stages();
    for (const auto& [outer, inner] : stages_.shared)
      line(cell(inner) + " = " + slot_name(outer) + ";");
    for (std::size_t c = 0; c < size_; ++c) {
      line(cell(stages_.state[c]) + " = " + slot_name(stages_.before[c]) + ";");
      line(rate("i", c) + " = 0.0;");
    }
    line(cell(stages_.time) + " = " + slot_name(stages_.start_time) + " + nodes[i] * " +
         slot_name(stages_.step) + ";");
    close();
  }

  /// The lines of a section for all stages.
  void add_section(const TapeSection& section) {
    if (section.begin == section.end) return;
    SlotUse use;
    use.add(rates_, section.begin, section.end);
    std::set<std::uint32_t> slots = use.read;
    slots.insert(use.written.begin(), use.written.end());
    open_stages();
    std::string lines = declarations(slots, indentation_);
    for (const std::uint32_t slot : use.read)
      add_line(lines, indentation_, slot_name(slot) + " = " + cell(slot) + ";");
    lines += statements(rates_, section.begin, section.end, indentation_);
    for (const std::uint32_t slot : use.written)
      add_line(lines, indentation_, cell(slot) + " = " + slot_name(slot) + ";");
    text_ += in_stage_names(lines);
    close();
  }

  void add_block(const TapeStages::Block& block) {
    add_section(rates_.sections[2 * block.part_begin]);
    open("{");
    line("Mask active = settled;");
    for (std::uint32_t p = block.part_begin; p < block.part_end; ++p)
      line("Number size_" + number(p) + " = 0.0, previous_" + number(p) + " = 0.0;");
    open("for (sweep = 0; sweep < " + number(most_sweeps) + " && any(active); ++sweep) {");
    line("Mask done = 1, slow = 0;");
    for (std::uint32_t p = block.part_begin; p < block.part_end; ++p) {
      add_section(rates_.sections[2 * p + 1]);
      open("{");
      line("Number change = 0.0;");
      add_take(p);
      add_move(p);
      if (block.iterates) add_judgement(block, p);
      close();
    }
    line("settled = settled & negation(active & slow & negation(done));");
    line("active = active & negation(done) & negation(slow);");
    close();
    line("passes += (unsigned long long)sweep;");
    line("settled = settled & negation(active);");
    close();
  }

  template <class Visit>
  void for_each_component(std::uint32_t part, Visit visit) {
    for (std::uint32_t k = stages_.parts[part].begin; k < stages_.parts[part].end; ++k)
      visit(stages_.components[k]);
  }

  void add_take(std::uint32_t part) {
    open_stages();
    for_each_component(part, [&](std::uint32_t c) {
      const std::string next = cell(stages_.rate[c]), now = rate("i", c);
      line("change = larger_of(change, pack_abs(" + next + " - " + now + "));");
      const std::string size = "size_" + number(part);
      line("if (sweep < " + number(sweeps_measured) + ") " + size + " = larger_of(" + size +
           ", pack_abs(" + next + "));");
      line(now + " = " + next + ";");
    });
    close();
  }

  void add_move(std::uint32_t part) {
    open_stages();
    line("int j;");
    for_each_component(part, [&](std::uint32_t c) {
      open("{");
      line("Number sum = weights[i * " + number(count_) + "] * " + rate("0", c) + ";");
      line("for (j = 1; j < " + number(count_) + "; ++j) sum = sum + weights[i * " +
           number(count_) + " + j] * " + rate("j", c) + ";");
      line(cell(stages_.state[c]) + " = " + slot_name(stages_.before[c]) + " + " +
           slot_name(stages_.step) + " * sum;");
      close();
    });
    close();
  }

  void add_judgement(const TapeStages::Block& block, std::uint32_t part) {
    const std::string size = "size_" + number(part), previous = "previous_" + number(part),
                      compensated = program_.options().compensated ? "1" : "0";
    line("Mask is_done = change <= 0.0, is_slow = 0;");
    open("if (sweep > 0) {");
    line("is_done = sweep_is_small(change, " + previous + ", " + size + ", " + compensated + ", " +
         round_off_literal + ");");
    line("is_slow = sweeps_are_slow(change, " + previous + ");");
    close();
    open("if (any(is_slow)) {");
    line("Number scale = 0.0;");
    line("Mask here;");
    const StepView view = program_.view();
    for (std::size_t i = 0; i < view.state_count; ++i)
      line("scale = scale + pack_abs(" + slot_name(view.entries[i].input) + ");");
    line("scale = scale / pack_abs(" + slot_name(view.step_size) + ");");
    for (std::uint32_t p = block.part_begin; p < block.part_end; ++p)
      line("scale = larger_of(scale, size_" + number(p) + ");");
    line("here = is_round_off(change, scale, " + std::string(round_off_literal) + ");");
    line("is_done = is_done | (is_slow & here);");
    line("if (sweep >= " + number(sweeps_free) + ") slow = slow | (is_slow & negation(here));");
    close();
    line("done = done & is_done;");
    line(previous + " = change;");
  }

  const StepProgram& program_;
  const TapeStages& stages_;
  const Tape& rates_;
  std::size_t count_, size_;
  std::string text_;
  int indentation_ = 4;
};

}  // namespace

std::string stage_text(const StepProgram& program, const TapeStages& stages,
                       const std::string& fallback) {
  return StageText(program, stages).text(fallback);
}

std::size_t stage_workspace(const TapeStages& stages) {
  const std::size_t numbers = stage_numbers(stages);
  return numbers > largest_local_memory ? numbers : 0;
}

}  // namespace dalembert
