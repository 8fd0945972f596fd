#include "stage_lanes_text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "dalembert/step/detail/stage_loop.hpp"
#include "native/text/c_definitions.hpp"
#include "stage_blocks_text.hpp"

namespace dalembert {
namespace {

/// More would not stay in the registers that there are.
constexpr std::size_t most_vectors = 4;

std::size_t nodes_beside_stages(const TapeStages& stages) {
  return stages.path.size() / stages.nodes.size();
}

/// Whether the lines of a tape can stand in a function of their own.
bool stands_alone(const Tape& tape) {
  return tape.table_views.empty() && tape.largest_solve <= largest_local_system;
}

std::string name_of(const StepProgram& program, const TapeStages& stages) {
  return "stages_in_lanes_" + std::to_string(&stages - program.tape().stages.data());
}

/// The slots of the step whose numbers a function is given, in their order.
std::vector<std::uint32_t> slots_given(const StepProgram& program, const TapeStages& stages) {
  std::set<std::uint32_t> slots(stages.before.begin(), stages.before.end());
  slots.insert({stages.start_time, stages.step});
  for (const auto* shared : {&stages.shared, &stages.function_shared}) {
    for (const auto& [outer, inner] : *shared) slots.insert(outer);
  }
  // What round-off is measured with.
  const StepView view = program.view();
  for (std::size_t i = 0; i < view.state_count; ++i) slots.insert(view.entries[i].input);
  for (const auto& [slot, value] : program.tape().constants) slots.erase(slot);
  return {slots.begin(), slots.end()};
}

class StageLanesText final : private StageBlocksText {
 public:
  StageLanesText(const StepProgram& program, const TapeStages& stages, int width)
      : StageBlocksText(program, stages, control_),
        control_{.width = width, .packs = 1},
        lanes_{.width = width, .packs = packs_for(stages.nodes.size(), width)},
        beside_{.width = width, .packs = packs_for(nodes_beside_stages(stages), width)},
        rates_(*stages.rates),
        count_(stages.nodes.size()),
        size_(stages.before.size()),
        nodes_beside_(nodes_beside_stages(stages)) {
    for (const auto& [slot, value] : program.tape().constants)
      constants_.emplace(slot, value.as<double>());
  }

  std::string text() {
    indentation_ = 2;
    add_coefficients();
    add_given();
    declare("stage", rates_, lanes_);
    if (nodes_beside_ > 0) declare("beside", *stages_.function, beside_);
    for (std::size_t c = 0; c < size_; ++c)
      each(lanes_, "Number " + rate(c) + " = " + zero() + ";");
    each("Mask settled = everywhere();");
    line("int sweep;");
    add_begin();
    for (const TapeStages::Block& block : stages_.blocks) add_block(block);
    line("return any(settled_0);");
    return "static int " + name_of(program_, stages_) +
           "(const double* given, double* found, unsigned long long* passes) {\n" + text_ + "}\n";
  }

 private:
  static int packs_for(std::size_t stages, int width) {
    return static_cast<int>(padded_stages(stages)) / width;
  }

  static std::string rate(std::size_t component) { return "rate_" + number(component); }
  static std::string stage(std::uint32_t slot) { return "stage_" + slot_name(slot); }
  static std::string beside(std::uint32_t slot) { return "beside_" + slot_name(slot); }
  /// A number of the step in all lanes.
  std::string outer(std::uint32_t slot) const {
    const auto constant = constants_.find(slot);
    return constant == constants_.end() ? slot_name(slot) + "_0"
                                        : "broadcast(" + c_literal(constant->second) + ")";
  }
  /// The rate of a component at a stage, in all lanes.
  std::string found(std::size_t component, std::size_t at) const {
    return "broadcast(found[" + number(component * padded_stages(count_) + at) + "])";
  }

  /// Vectors of constants: entry j of pack p of `name` has, in lane i, what `slots` has for stage
  /// p width + i and j. Lanes that are no stages repeat the last one.
  void add_vectors(const std::string& name, const NumberForm& form,
                   const std::vector<std::uint32_t>& slots, std::size_t rows, std::size_t columns) {
    for (int pack = 0; pack < form.packs; ++pack) {
      std::vector<std::string> vectors;
      for (std::size_t j = 0; j < columns; ++j) {
        std::string vector;
        for (int lane = 0; lane < form.width; ++lane) {
          const std::size_t i =
              std::min(static_cast<std::size_t>(pack * form.width + lane), rows - 1);
          vector += (lane == 0 ? "{" : ", ") + c_literal(constants_.at(slots[i * columns + j]));
        }
        vectors.push_back(vector + "}");
      }
      line("static const Number " + form.of(pack, name) + "[" + number(columns) + "] = {");
      for (const std::string& vector : vectors) line("    " + vector + ",");
      line("};");
    }
  }
  void add_coefficients() {
    add_vectors("stage_nodes", lanes_, stages_.nodes, count_, 1);
    add_vectors("stage_weights", lanes_, stages_.weights, count_, count_);
    if (nodes_beside_ == 0) return;
    add_vectors("path_weights", beside_, stages_.path, nodes_beside_, count_);
    add_vectors("node_weights", lanes_, stages_.mean_weights, count_, nodes_beside_);
    line("double values[" + number(padded_stages(nodes_beside_)) + "];");
  }

  void add_given() {
    const std::vector<std::uint32_t> slots = slots_given(program_, stages_);
    for (std::size_t i = 0; i < slots.size(); ++i)
      each("const Number " + slot_name(slots[i]) + " = broadcast(given[" + number(i) + "]);");
    // Constants by the names of slots.
    std::set<std::uint32_t> constants{stages_.step};
    for (const StateEntry& entry : program_.entries()) constants.insert(entry.input);
    for (const std::uint32_t slot : constants) {
      if (constants_.contains(slot))
        each("const Number " + slot_name(slot) + " = " + outer(slot) + ";");
    }
  }
  void declare(const std::string& family, const Tape& tape, const NumberForm& form) {
    for (std::size_t slot = 0; slot < tape.slot_count; ++slot)
      each(form, "Number " + family + "_" + slot_name(static_cast<std::uint32_t>(slot)) + ";");
  }

  /// All stages at the start of the step.
  void add_begin() {
    for (const auto& [from, to] : stages_.shared)
      each(lanes_, stage(to) + " = " + outer(from) + ";");
    for (std::size_t c = 0; c < size_; ++c)
      each(lanes_, stage(stages_.state[c]) + " = " + outer(stages_.before[c]) + ";");
    for (std::size_t c = 0; c < stages_.end.size(); ++c)
      each(lanes_, stage(stages_.end[c]) + " = " + outer(stages_.before[c]) + ";");
    each(lanes_, stage(stages_.time) + " = " + outer(stages_.start_time) + " + stage_nodes[0] * " +
                     outer(stages_.step) + ";");
    if (nodes_beside_ == 0) return;
    for (const auto& [from, to] : stages_.function_shared)
      each(beside_, beside(to) + " = " + outer(from) + ";");
    for (std::size_t c = 0; c < size_; ++c)
      each(beside_, beside(stages_.function_state[c]) + " = " + outer(stages_.before[c]) + ";");
    for (std::size_t c = 0; c < stages_.function_end.size(); ++c)
      each(beside_, beside(stages_.function_end[c]) + " = " + outer(stages_.before[c]) + ";");
  }

  void add_section(const std::string& family, const Tape& tape, std::size_t k,
                   const NumberForm& form) {
    const TapeSection& section = tape.sections[k];
    text_ += form.each(
        in_names_of(family, statements(tape, section.begin, section.end, indentation_, form)));
  }
  void add_function(std::size_t k) override {
    if (nodes_beside_ > 0) add_section("beside", *stages_.function, k, beside_);
  }
  void add_rates(std::size_t k) override { add_section("stage", rates_, k, lanes_); }

  /// Numbers of a pack into memory, from which each can be read into all lanes.
  void add_store(const NumberForm& form, const std::string& memory, std::size_t first,
                 const std::string& name) {
    for (int pack = 0; pack < form.packs; ++pack)
      line("memcpy(" + memory + " + " +
           number(first + static_cast<std::size_t>(pack * form.width)) + ", &" +
           form.of(pack, name) + ", sizeof(Number));");
  }

  void add_means(std::uint32_t part) override {
    if (nodes_beside_ == 0) return;
    const TapeStages::Part& used = stages_.function_parts[part];
    for (std::uint32_t k = used.begin; k < used.end; ++k) {
      add_store(beside_, "values", 0, beside(stages_.function_value[k]));
      each_block(lanes_, [&] {
        line("Number sum = node_weights[0] * broadcast(values[0]);");
        for (std::size_t j = 1; j < nodes_beside_; ++j)
          line("sum = sum + node_weights[" + number(j) + "] * broadcast(values[" + number(j) +
               "]);");
        line(stage(stages_.mean[stages_.functions[k]]) + " = sum;");
      });
    }
  }

  void add_take(std::uint32_t part) override {
    each(lanes_, "Number changes = " + zero() + ";");
    for_each_component(part, [&](std::uint32_t c) {
      const std::string next = stage(stages_.rate[c]);
      each(lanes_,
           "changes = larger_magnitude(changes, pack_abs(" + next + " - " + rate(c) + "));");
      each(lanes_, rate(c) + " = " + next + ";");
      add_store(lanes_, "found", c * padded_stages(count_), rate(c));
    });
    // Numbers that were just stored as vectors are to be loaded one by one, not taken from these.
    line("__asm__(\"\" : \"+r\"(found) : : \"memory\");");
    each("change = largest_magnitude(" + largest("changes") + ");");
    const std::string size = "size_" + number(part);
    open("if (sweep < " + number(sweeps_measured) + ") {");
    each(lanes_, "Number sizes = " + zero() + ";");
    for_each_component(part, [&](std::uint32_t c) {
      each(lanes_, "sizes = larger_magnitude(sizes, pack_abs(" + rate(c) + "));");
    });
    each(size + " = larger_magnitude(" + size + ", largest_magnitude(" + largest("sizes") + "));");
    close();
  }
  /// The largest numbers of all packs.
  std::string largest(const std::string& name) const {
    std::string result = lanes_.of(0, name);
    for (int pack = 1; pack < lanes_.packs; ++pack)
      result = "larger_magnitude(" + result + ", " + lanes_.of(pack, name) + ")";
    return result;
  }

  static auto entry_of(const char* weights) {
    return [weights](std::size_t j) { return weights + ("[" + number(j) + "]"); };
  }
  void add_move(std::uint32_t part) override {
    for_each_component(part, [&](std::uint32_t c) {
      add_place(lanes_, entry_of("stage_weights"), c, stage(stages_.state[c]));
      if (nodes_beside_ > 0)
        add_place(beside_, entry_of("path_weights"), c, beside(stages_.function_state[c]));
      if (c >= stages_.end.size()) return;
      const auto at_end = [&](std::size_t j) { return outer(stages_.end_weights[j]); };
      add_place(lanes_, at_end, c, stage(stages_.end[c]));
      if (nodes_beside_ > 0) add_place(beside_, at_end, c, beside(stages_.function_end[c]));
    });
  }
  /// A component where the rates have moved it with weights in these vectors, one for each rate.
  template <class Weight>
  void add_place(const NumberForm& form, Weight weight, std::size_t c, const std::string& place) {
    each_block(form, [&] {
      line("Number sum = " + weight(0) + " * " + found(c, 0) + ";");
      for (std::size_t j = 1; j < count_; ++j)
        line("sum = sum + " + weight(j) + " * " + found(c, j) + ";");
      line(place + " = " + outer(stages_.before[c]) + " + " + outer(stages_.step) + " * sum;");
    });
  }

  void count_sweep() override {}
  void count_sweeps() override { line("*passes += (unsigned long long)sweep;"); }

  NumberForm control_, lanes_, beside_;
  const Tape& rates_;
  std::size_t count_, size_, nodes_beside_;
  std::map<std::uint32_t, double> constants_;
};

}  // namespace

bool fit_in_lanes(const TapeStages& stages, int width) {
  const auto fits = [width](std::size_t count) {
    return padded_stages(count) <= most_vectors * static_cast<std::size_t>(width);
  };
  return fits(stages.nodes.size()) && fits(nodes_beside_stages(stages)) &&
         stands_alone(*stages.rates) &&
         (stages.function == nullptr || stands_alone(*stages.function));
}

NumberForm form_of_stages(const NumberForm& form) {
  return {.width = form.stage_width, .packs = 1};
}

std::string functions_of_stages(const StepProgram& program, const NumberForm& form) {
  std::string text;
  if (form.stage_width == 0) return text;
  for (const TapeStages& stages : program.tape().stages)
    text += StageLanesText(program, stages, form.stage_width).text();
  return text;
}

std::string call_of_stages_in_lanes(const StepProgram& program, const TapeStages& stages) {
  const std::size_t size = stages.before.size(), count = stages.nodes.size(),
                    padded = padded_stages(count);
  std::string given;
  for (const std::uint32_t slot : slots_given(program, stages))
    given += (given.empty() ? "" : ", ") + slot_name(slot);
  std::string text;
  add_line(text, 4, "{");
  add_line(text, 6, "const double given[] = {" + given + "};");
  add_line(text, 6, "double found[" + std::to_string(size * padded) + "];");
  add_line(text, 6, "if (!" + name_of(program, stages) + "(given, found, &passes)) {");
  add_line(text, 8, "s->leaves = 1;");
  add_line(text, 8, "break;");
  add_line(text, 6, "}");
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t c = 0; c < size; ++c)
      add_line(text, 6,
               slot_name(stages.results[i * size + c]) + " = found[" +
                   std::to_string(c * padded + i) + "];");
  }
  add_line(text, 4, "}");
  return text;
}

}  // namespace dalembert
