#include "stage_text.hpp"

#include <algorithm>

#include "dalembert/step/detail/stage_loop.hpp"
#include "stage_blocks_text.hpp"

namespace dalembert {
namespace {

/// More numbers, or packs, lie in memory of the caller, not on the stack.
constexpr std::size_t largest_local_memory = 4096, largest_memory_of_packs = 64;

std::size_t nodes_beside(const TapeStages& stages) {
  return stages.path.size() / stages.nodes.size();
}

std::size_t stage_numbers(const TapeStages& stages) {
  const std::size_t beside = nodes_beside(stages);
  return stages.nodes.size() * (stages.rates->slot_count + stages.before.size()) +
         (beside == 0 ? 0 : beside * stages.function->slot_count);
}

class StageText final : private StageBlocksText {
 public:
  StageText(const StepProgram& program, const TapeStages& stages, const NumberForm& form)
      : StageBlocksText(program, stages, form),
        rates_(*stages.rates),
        count_(stages.nodes.size()),
        size_(stages.before.size()),
        beside_(nodes_beside(stages)) {}

  std::string text(const std::string& fallback) {
    open("{");
    add_memory();
    each("Mask settled = " + (form_.is_one() ? "1" : std::string("alive")) + ";");
    line("int i, sweep;");
    add_begin();
    for (const TapeStages::Block& block : stages_.blocks) add_block(block);
    for (std::size_t i = 0; i < count_; ++i) {
      for (std::size_t c = 0; c < size_; ++c) {
        // Those that diverge and have no fallback may be infinite: the step has not converged.
        const std::string found = rate(number(i), c);
        each(slot_name(stages_.results[i * size_ + c]) + " = " +
             (stages_.fallback.empty() ? "select(settled, " + found + ", " + zero() + ")" : found) +
             ";");
      }
    }
    if (stages_.fallback.empty()) {
      each("failed = failed | negation(settled);");
    } else if (!form_.is_one()) {
      each("fell_back = alive & negation(settled);");
      open("if (rarely(" + form_.any("fell_back") + ")) {");
      text_ += fallback;
      for (std::size_t k = 0; k < stages_.results.size(); ++k) {
        const std::string result = slot_name(stages_.results[k]);
        each(result + " = select(fell_back, " + slot_name(stages_.fallback[k]) + ", " + result +
             ");");
      }
      close();
    } else {
      open("if (!settled) {");
      text_ += fallback;
      for (std::size_t k = 0; k < stages_.results.size(); ++k)
        line(slot_name(stages_.results[k]) + " = " + slot_name(stages_.fallback[k]) + ";");
      close();
    }
    close();
    return std::move(text_);
  }

 private:
  void open_each(std::size_t count) { open("for (i = 0; i < " + number(count) + "; ++i) {"); }
  void open_stages() { open_each(count_); }

  std::string cell(std::uint32_t slot) const {
    return "cells[i * " + number(rates_.slot_count) + " + " + number(slot) + "]";
  }
  std::string beside(const std::string& node, std::uint32_t slot) const {
    return "beside[" + node + " * " + number(stages_.function->slot_count) + " + " + number(slot) +
           "]";
  }
  std::string rate(const std::string& stage, std::size_t component) const {
    return "rates[" + stage + " * " + number(size_) + " + " + number(component) + "]";
  }
  double constant(std::uint32_t slot) const {
    const auto& constants = program_.tape().constants;
    return std::ranges::find(constants, slot, [](const auto& entry) { return entry.first; })
        ->second.template as<double>();
  }

  void add_constants(const std::string& name, const std::vector<std::uint32_t>& slots) {
    std::vector<std::string> literals;
    for (const std::uint32_t slot : slots) literals.push_back(c_literal(constant(slot)));
    if (!slots.empty()) text_ += constant_list(name, literals, indentation_);
  }
  void add_memory() {
    add_constants("nodes", stages_.nodes);
    add_constants("weights", stages_.weights);
    add_constants("path", stages_.path);
    add_constants("mean_weights", stages_.mean_weights);
    add_constants("end_weights", stages_.end_weights);
    const std::size_t cells = count_ * rates_.slot_count, rates = count_ * size_;
    if (stage_workspace(stages_, form_) == 0) {
      each("Number cells[" + number(cells) + "], rates[" + number(rates) + "];");
      if (beside_ > 0)
        each("Number beside[" + number(beside_ * stages_.function->slot_count) + "];");
    } else {
      each("Number *cells = s->workspace + " + number(solve_workspace(program_.tape())) +
           ", *rates = cells + " + number(cells) + ";");
      if (beside_ > 0) each("Number* beside = rates + " + number(rates) + ";");
    }
  }

  /// All stages at the start of the step.
  void add_begin() {
    open_stages();
    for (const auto& [outer, inner] : stages_.shared)
      each(cell(inner) + " = " + slot_name(outer) + ";");
    for (std::size_t c = 0; c < size_; ++c) {
      each(cell(stages_.state[c]) + " = " + slot_name(stages_.before[c]) + ";");
      each(rate("i", c) + " = " + zero() + ";");
    }
    for (std::size_t c = 0; c < stages_.end.size(); ++c)
      each(cell(stages_.end[c]) + " = " + slot_name(stages_.before[c]) + ";");
    each(cell(stages_.time) + " = " + slot_name(stages_.start_time) + " + nodes[i] * " +
         slot_name(stages_.step) + ";");
    close();
    if (beside_ == 0) return;
    open_each(beside_);
    for (const auto& [outer, inner] : stages_.function_shared)
      each(beside("i", inner) + " = " + slot_name(outer) + ";");
    for (std::size_t c = 0; c < size_; ++c)
      each(beside("i", stages_.function_state[c]) + " = " + slot_name(stages_.before[c]) + ";");
    for (std::size_t c = 0; c < stages_.function_end.size(); ++c)
      each(beside("i", stages_.function_end[c]) + " = " + slot_name(stages_.before[c]) + ";");
    close();
  }

  void add_function(std::size_t k) override {
    if (beside_ == 0) return;
    add_section("beside", *stages_.function, stages_.function->sections[k], beside_,
                [this](std::uint32_t slot) { return beside("i", slot); });
  }
  void add_rates(std::size_t k) override {
    add_section("stage", rates_, rates_.sections[k], count_,
                [this](std::uint32_t slot) { return cell(slot); });
  }

  void add_means(std::uint32_t part) override {
    if (beside_ == 0) return;
    const TapeStages::Part& used = stages_.function_parts[part];
    if (used.begin == used.end) return;
    open_stages();
    line("int j;");
    for (std::uint32_t k = used.begin; k < used.end; ++k) {
      const std::uint32_t value = stages_.function_value[k];
      each_block(form_, [&] {
        line("Number sum = mean_weights[i * " + number(beside_) + "] * " + beside("0", value) +
             ";");
        line("for (j = 1; j < " + number(beside_) + "; ++j) sum = sum + mean_weights[i * " +
             number(beside_) + " + j] * " + beside("j", value) + ";");
        line(cell(stages_.mean[stages_.functions[k]]) + " = sum;");
      });
    }
    close();
  }

  /// The lines of a section of a tape for each of `count` places, where a slot is `place(slot)`.
  template <class Place>
  void add_section(const std::string& family, const Tape& tape, const TapeSection& section,
                   std::size_t count, Place place) {
    if (section.begin == section.end) return;
    SlotUse use;
    use.add(tape, section.begin, section.end);
    std::set<std::uint32_t> slots = use.read;
    slots.insert(use.written.begin(), use.written.end());
    open_each(count);
    std::string lines = declarations(slots, indentation_);
    for (const std::uint32_t slot : use.read)
      add_line(lines, indentation_, slot_name(slot) + " = " + place(slot) + ";");
    lines += statements(tape, section.begin, section.end, indentation_, form_);
    for (const std::uint32_t slot : use.written)
      add_line(lines, indentation_, place(slot) + " = " + slot_name(slot) + ";");
    text_ += form_.each(in_names_of(family, lines));
    close();
  }

  void add_take(std::uint32_t part) override {
    open_stages();
    for_each_component(part, [&](std::uint32_t c) {
      const std::string next = cell(stages_.rate[c]), now = rate("i", c);
      each("change = larger_of(change, pack_abs(" + next + " - " + now + "));");
      const std::string size = "size_" + number(part);
      each("if (sweep < " + number(sweeps_measured) + ") " + size + " = larger_of(" + size +
           ", pack_abs(" + next + "));");
      each(now + " = " + (form_.is_one() ? next : "select(active, " + next + ", " + now + ")") +
           ";");
    });
    close();
  }

  void add_move(std::uint32_t part) override {
    const std::string row = "[i * " + number(count_) + " + ";
    open_stages();
    line("int j;");
    for_each_component(part, [&](std::uint32_t c) {
      each_block(form_, [&] {
        add_sum("weights" + row, c);
        line(cell(stages_.state[c]) + " = " + moved(c) + ";");
      });
    });
    close();
    for_each_component(part, [&](std::uint32_t c) {
      if (c < stages_.end.size()) add_end(c);
    });
    if (beside_ == 0) return;
    open_each(beside_);
    line("int j;");
    for_each_component(part, [&](std::uint32_t c) {
      each_block(form_, [&] {
        add_sum("path" + row, c);
        line(beside("i", stages_.function_state[c]) + " = " + moved(c) + ";");
      });
    });
    close();
  }
  void add_end(std::size_t c) {
    each_block(form_, [&] {
      line("int j;");
      add_sum("end_weights[", c);
      line("sum = " + moved(c) + ";");
      line("for (i = 0; i < " + number(count_) + "; ++i) " + cell(stages_.end[c]) + " = sum;");
      if (beside_ > 0)
        line("for (i = 0; i < " + number(beside_) + "; ++i) " +
             beside("i", stages_.function_end[c]) + " = sum;");
    });
  }
  /// The sum of the rates of a component with weights of which that is the beginning of the names.
  void add_sum(const std::string& weight, std::size_t c) {
    line("Number sum = " + weight + "0] * " + rate("0", c) + ";");
    line("for (j = 1; j < " + number(count_) + "; ++j) sum = sum + " + weight + "j] * " +
         rate("j", c) + ";");
  }
  std::string moved(std::size_t c) const {
    return slot_name(stages_.before[c]) + " + " + slot_name(stages_.step) + " * sum";
  }

  void count_sweep() override {
    if (!form_.is_one()) each(NumberForm::count_one("passes", "active"));
  }
  void count_sweeps() override {
    if (form_.is_one()) line("passes += (unsigned long long)sweep;");
  }

  const Tape& rates_;
  std::size_t count_, size_, beside_;
};

}  // namespace

std::string stage_text(const StepProgram& program, const TapeStages& stages,
                       const std::string& fallback, const NumberForm& form) {
  return StageText(program, stages, form).text(fallback);
}

std::size_t stage_workspace(const TapeStages& stages, const NumberForm& form) {
  const std::size_t numbers = stage_numbers(stages);
  return numbers > (form.is_one() ? largest_local_memory : largest_memory_of_packs) ? numbers : 0;
}

}  // namespace dalembert
