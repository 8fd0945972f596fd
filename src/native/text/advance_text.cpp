#include "advance_text.hpp"

#include <algorithm>

#include "dalembert/step/detail/newton_loop.hpp"
#include "stage_text.hpp"
#include "statements.hpp"

namespace dalembert {
namespace {

std::string magnitude(std::uint32_t slot) { return "pack_abs(" + slot_name(slot) + ")"; }

/// Statements that make `name` the largest |x| of some slots.
void add_largest(std::string& text, int indentation, const std::string& name,
                 const std::vector<std::uint32_t>& slots) {
  for (const std::uint32_t slot : slots)
    add_line(text, indentation, name + " = larger_of(" + name + ", " + magnitude(slot) + ");");
}

/// One Newton loop: NewtonLoop in C.
class NewtonText {
 public:
  NewtonText(const StepProgram& program, const TapeSection& section)
      : tape_(program.tape()),
        section_(section),
        loop_(tape_.loops[static_cast<std::size_t>(section.loop)]),
        view_(program.view()),
        is_compensated_(program.options().compensated) {}

  std::string text() const {
    std::string result;
    add_line(result, 4, "{");
    add_line(result, 6, "Mask active = 1;");
    add_line(result, 6, "int pass;");
    for (std::uint32_t g = loop_.group_begin; g < loop_.group_end; ++g)
      if (tape_.loop_groups[g].judged)
        add_line(result, 6, "Number " + previous(g) + " = 0.0, " + settled(g) + " = 0.0;");
    add_line(
        result, 6,
        "for (pass = 0; pass < " + std::to_string(most_iterations) + " && any(active); ++pass) {");
    add_line(result, 8, "Mask done = 1;");
    result += statements(tape_, section_.begin, section_.end, 8);
    for (std::uint32_t g = loop_.group_begin; g < loop_.group_end; ++g) add_group(result, g);
    add_line(result, 8, "active = active & negation(done);");
    add_line(result, 6, "}");
    add_line(result, 6, "passes += (unsigned long long)pass;");
    add_line(result, 6, "failed = failed | active;");
    add_line(result, 4, "}");
    return result;
  }

 private:
  static std::string previous(std::uint32_t g) { return "previous_" + std::to_string(g); }
  static std::string settled(std::uint32_t g) { return "settled_" + std::to_string(g); }

  void add_group(std::string& text, std::uint32_t g) const {
    const TapeLoopGroup& group = tape_.loop_groups[g];
    if (group.judged) {
      add_line(text, 8, "{");
      add_line(text, 10, "Number correction = 0.0, increment = 0.0, size = 0.0, next;");
      add_line(text, 10, "Mask is_small;");
    }
    for (std::uint32_t i = group.begin; i < group.end; ++i) {
      const TapeIterate& entry = tape_.iterates[i];
      const std::string iterate = slot_name(entry.iterate),
                        next = iterate + " - " + slot_name(entry.correction);
      if (!group.judged) {
        add_line(text, 8, iterate + " = select(active, " + next + ", " + iterate + ");");
        continue;
      }
      add_line(text, 10, "next = " + next + ";");
      add_line(text, 10, iterate + " = select(active, next, " + iterate + ");");
      add_largest(text, 10, "correction", {entry.correction});
      add_line(text, 10, "increment = larger_of(increment, pack_abs(next));");
      add_largest(text, 10, "size", {entry.value});
    }
    if (group.judged) add_judgement(text, g);
  }

  void add_judgement(std::string& text, std::uint32_t g) const {
    const std::string compensated = is_compensated_ ? "1" : "0";
    add_line(text, 10,
             "is_small = correction_is_small(correction, " + previous(g) + ", increment, pass, " +
                 compensated + ", " + round_off_literal + ");");
    add_line(text, 10, "if (pass > 0) {");
    add_line(text, 12, "const Mask stalls = correction_stalls(correction, " + previous(g) + ");");
    add_line(text, 12, "if (any(stalls)) {");
    add_line(text, 14, "Number state = 0.0, block = 0.0, scale;");
    for (std::size_t i = 0; i < view_.state_count; ++i)
      add_line(text, 14, "state = state + " + magnitude(view_.entries[i].input) + ";");
    const std::uint32_t begin = tape_.loop_groups[loop_.group_begin].begin,
                        end = tape_.loop_groups[loop_.group_end - 1].end;
    for (std::uint32_t i = begin; i < end; ++i)
      add_largest(text, 14, "block", {tape_.iterates[i].iterate, tape_.iterates[i].value});
    add_line(text, 14, "state = state / " + magnitude(view_.step_size) + ";");
    add_line(text, 14, "scale = larger_of(larger_of(size, increment), larger_of(state, block));");
    add_line(text, 14,
             settled(g) + " = select(stalls & is_round_off(correction, scale, " +
                 round_off_literal + "), 1.0, " + settled(g) + ");");
    add_line(text, 12, "}");
    add_line(text, 12, "is_small = is_small | (" + settled(g) + " == 1.0);");
    add_line(text, 10, "}");
    add_line(text, 10, previous(g) + " = correction;");
    add_line(text, 10, "done = done & is_small;");
    add_line(text, 8, "}");
  }

  const Tape& tape_;
  const TapeSection& section_;
  const TapeLoop& loop_;
  StepView view_;
  bool is_compensated_;
};

/// All steps: StepLoop in C.
class AdvanceText {
 public:
  AdvanceText(const StepProgram& program, const StepLayout& layout)
      : program_(program),
        layout_(layout),
        tape_(program.tape()),
        view_(program.view()),
        // Compensated steps begin with the set-up.
        use_(SlotUse::of_steps(tape_, program.options().compensated ? 0 : tape_.setup_end)) {
    if (is_iterated()) use_.read.insert(view_.step_size);
  }

  std::string text() const {
    std::string result =
        "static inline int PREFIX_advance(PREFIX_motion* s, unsigned long long steps) {\n";
    add_entry(result);
    add_line(result, 2, "for (; steps > 0; --steps) {");
    add_begin_of_step(result);
    add_sections(result);
    add_watch(result);
    add_refusal(result);
    for (const StateEntry& entry : program_.entries()) add_entry_of_state(result, entry);
    add_line(result, 4, "++s->steps;");
    add_line(result, 2, "}");
    for (const std::uint32_t slot : layout_.state())
      add_line(result, 2, layout_.place(slot) + " = " + slot_name(slot) + ";");
    for (const WatchedEntry& entry : program_.watched()) {
      for (const std::uint32_t slot : {entry.lowest, entry.highest})
        add_line(result, 2, layout_.place(slot) + " = " + slot_name(slot) + ";");
    }
    add_line(result, 2, "s->t = time_after(s->start_time, s->steps, step_size);");
    add_line(result, 2, "s->iterations += iterations;");
    add_line(result, 2, "return status;");
    return result + "}\n";
  }

 private:
  bool is_iterated() const { return !tape_.loops.empty() || has_stages(); }
  bool has_stages() const { return !tape_.stages.empty(); }

  /// All that computes the new state.
  void add_sections(std::string& text) const {
    for (std::size_t i = 0; i < tape_.sections.size(); ++i) {
      const TapeSection& section = tape_.sections[i];
      if (section.stages < 0) {
        text += section_text(section);
        continue;
      }
      const TapeStages& stages = tape_.stages[static_cast<std::size_t>(section.stages)];
      std::string fallback;
      while (i + 1 < stages.fallback_end) {
        fallback += section_text(tape_.sections[++i]);
        add_residual(fallback, "fallback_residual", tape_.sections[i]);
      }
      text += stage_text(program_, stages, fallback);
    }
  }
  void add_residual(std::string& text, const std::string& name, const TapeSection& section) const {
    if (section.loop < 0) return;
    const TapeLoop& loop = tape_.loops[static_cast<std::size_t>(section.loop)];
    add_largest(text, 6, name,
                {tape_.residuals.begin() + loop.residual_begin,
                 tape_.residuals.begin() + loop.residual_end});
  }
  std::string section_text(const TapeSection& section) const {
    return section.loop < 0 ? statements(tape_, section.begin, section.end, 4)
                            : NewtonText(program_, section).text();
  }

  /// Constants, what is read from the motion, and places for the rest.
  void add_entry(std::string& text) const {
    text += constant_declarations(tape_, use_.read, 2);
    add_line(text, 2, "const Number step_size = s->step_size;");
    std::set<std::uint32_t> given(layout_.state().begin(), layout_.state().end());
    for (const std::uint32_t slot : layout_.state()) add_load(text, slot, false);
    add_watch_entry(text);
    for (const std::uint32_t slot : use_.read) {
      const bool varies = slot == view_.step_size && program_.options().compensated;
      if (given.contains(slot) || !layout_.has_place(slot)) continue;
      add_load(text, slot, !varies);
      given.insert(slot);
    }
    // What a method reads and has not in its state is zero: multipliers that it does not report.
    for (const std::uint32_t slot : tape_.inputs) {
      if (!use_.read.contains(slot) || given.contains(slot) || slot == view_.time) continue;
      add_line(text, 2, "const Number " + slot_name(slot) + " = 0.0;");
      given.insert(slot);
    }
    std::set<std::uint32_t> local;
    std::ranges::set_difference(use_.written, given, std::inserter(local, local.end()));
    if (use_.read.contains(view_.time)) local.insert(view_.time);
    text += declarations(local, 2);
    add_line(text, 2, "unsigned long long iterations = 0;");
    add_line(text, 2, "int status = 0;");
  }
  void add_watch_entry(std::string& text) const {
    if (program_.watched().empty()) return;
    add_load(text, view_.is_watching, true);
    for (const WatchedEntry& entry : program_.watched()) {
      for (const std::uint32_t slot : {entry.lower, entry.upper}) add_load(text, slot, true);
      for (const std::uint32_t slot : {entry.lowest, entry.highest}) add_load(text, slot, false);
    }
  }
  void add_load(std::string& text, std::uint32_t slot, bool is_constant) const {
    add_line(text, 2,
             (is_constant ? "const Number " : "Number ") + slot_name(slot) + " = " +
                 layout_.place(slot) + ";");
  }

  void add_begin_of_step(std::string& text) const {
    if (is_iterated()) {
      add_line(text, 4, "Mask failed = 0;");
      add_line(text, 4, "unsigned long long passes = 0;");
    }
    if (has_stages()) add_line(text, 4, "Number fallback_residual = 0.0;");
    add_line(text, 4, "Number nothing = 0.0;");
    if (use_.read.contains(view_.time)) {
      add_line(text, 4,
               slot_name(view_.time) + " = time_after(s->start_time, s->steps, step_size);");
    }
    if (!program_.options().compensated) return;
    if (use_.read.contains(view_.step_size)) {
      add_line(text, 4,
               slot_name(view_.step_size) + " = varied_step(step_size, s->steps, " +
                   round_off_literal + ");");
    }
    text += statements(tape_, 0, tape_.setup_end, 4);
  }

  /// Ends the steps where what is watched of the state before is out of bounds: `watch` of the
  /// interpreter.
  void add_watch(std::string& text) const {
    if (program_.watched().empty()) return;
    add_line(text, 4, "if (" + slot_name(view_.is_watching) + " == 1.0) {");
    text += statements(tape_, tape_.further.begin, tape_.further.end, 6);
    for (const WatchedEntry& entry : program_.watched()) {
      const std::string value = slot_name(entry.value);
      add_line(text, 6,
               "if (!(" + value + " >= " + slot_name(entry.lower) + " && " + value +
                   " <= " + slot_name(entry.upper) + ")) break;");
    }
    for (const WatchedEntry& entry : program_.watched()) {
      const std::string value = slot_name(entry.value), lowest = slot_name(entry.lowest),
                        highest = slot_name(entry.highest);
      add_line(text, 6, "if (" + value + " < " + lowest + ") " + lowest + " = " + value + ";");
      add_line(text, 6, "if (" + value + " > " + highest + ") " + highest + " = " + value + ";");
    }
    add_line(text, 4, "}");
  }

  /// Ends the steps where one has no finite result, or where Newton's iteration did not end.
  void add_refusal(std::string& text) const {
    for (const StateEntry& entry : program_.entries()) {
      for (const std::uint32_t slot : {entry.output, entry.rest}) {
        if (slot != StateEntry::none)
          add_line(text, 4, "nothing = nothing + zero_if_finite(" + slot_name(slot) + ");");
      }
    }
    const std::string finite = "nothing == 0.0";
    add_line(text, 4,
             is_iterated() ? "if (!(" + finite + ") || failed) {" : "if (!(" + finite + ")) {");
    add_line(text, 6, "Number residual = 0.0;");
    for (const TapeSection& section : tape_.sections) {
      if (!section.is_fallback) add_residual(text, "residual", section);
    }
    if (has_stages()) add_line(text, 6, "residual = larger_of(residual, fallback_residual);");
    add_line(text, 6, "s->residual = residual;");
    add_line(text, 6, "status = " + finite + " ? 1 : 2;");
    add_line(text, 6, "break;");
    add_line(text, 4, "}");
    if (is_iterated()) add_line(text, 4, "iterations += passes;");
  }

  /// One number of the state gets its new value: `take_step` of the interpreter.
  static void add_entry_of_state(std::string& text, const StateEntry& entry) {
    const std::string input = slot_name(entry.input), output = slot_name(entry.output);
    const bool is_angle = entry.turns != StateEntry::none;
    if (entry.carry == StateEntry::none && !is_angle)
      return add_line(text, 4, input + " = " + output + ";");
    const std::string carried = slot_name(entry.carry), turns = slot_name(entry.turns);
    add_line(text, 4, "{");
    if (entry.carry == StateEntry::none) {
      add_line(text, 6, "Number next = " + output + ", carry = 0.0;");
      add_line(text, 6, "wrap_angle(&next, &" + turns + ", &carry);");
    } else {
      const std::string rest = entry.rest == StateEntry::none ? "" : " + " + slot_name(entry.rest);
      add_line(text, 6, "Number next = " + input + ", carry = " + carried + rest + ";");
      add_line(text, 6, "add_compensated(&next, &carry, " + output + ");");
      if (is_angle) add_line(text, 6, "wrap_angle_sum(&next, &" + turns + ", &carry);");
      add_line(text, 6, carried + " = carry;");
    }
    add_line(text, 6, input + " = next;");
    add_line(text, 4, "}");
  }

  const StepProgram& program_;
  const StepLayout& layout_;
  const Tape& tape_;
  StepView view_;
  SlotUse use_;
};

}  // namespace

std::string set_up_text(const StepProgram& program, const StepLayout& layout) {
  std::string text = "static inline void PREFIX_set_up(PREFIX_motion* s) {\n";
  if (layout.steady().empty()) return text + "  (void)s;\n}\n";
  const Tape& tape = program.tape();
  SlotUse use;
  use.add(tape, 0, tape.setup_end);
  text += constant_declarations(tape, use.read, 2);
  std::set<std::uint32_t> local = use.written;
  for (const std::uint32_t slot : use.read)
    if (layout.has_place(slot) && !use.written.contains(slot))
      add_line(text, 2, "const Number " + slot_name(slot) + " = " + layout.place(slot) + ";");
  text += declarations(local, 2) + statements(tape, 0, tape.setup_end, 2);
  for (const std::uint32_t slot : layout.steady())
    add_line(text, 2, layout.place(slot) + " = " + slot_name(slot) + ";");
  return text + "}\n";
}

std::string advance_text(const StepProgram& program, const StepLayout& layout) {
  return AdvanceText(program, layout).text();
}

std::string function_text(const std::string& head, const Tape& tape,
                          const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs) {
  SlotUse use;
  use.add(tape, 0, tape.code.size());
  use.read.insert(tape.outputs.begin(), tape.outputs.end());
  std::string text = head + " {\n" + constant_declarations(tape, use.read, 2);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (use.read.contains(tape.inputs[i]))
      add_line(text, 2, "const Number " + slot_name(tape.inputs[i]) + " = " + inputs[i] + ";");
  }
  text += declarations(use.written, 2) + statements(tape, 0, tape.code.size(), 2);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    add_line(text, 2, outputs[i] + " = " + slot_name(tape.outputs[i]) + ";");
  return text + "}\n";
}

}  // namespace dalembert
