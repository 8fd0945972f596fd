#include "advance_text.hpp"

#include <algorithm>

#include "statements.hpp"
#include "step_text.hpp"

namespace dalembert {
namespace {

/// Ends the steps where what is watched of the state before is out of bounds: `watch` of the
/// interpreter.
void add_watch(std::string& text, const StepProgram& program) {
  const Tape& tape = program.tape();
  if (program.watched().empty()) return;
  add_line(text, 4, "if (" + slot_name(program.is_watching_slot()) + " == 1.0) {");
  text += statements(tape, tape.further.begin, tape.further.end, 6);
  for (const WatchedEntry& entry : program.watched()) {
    const std::string value = slot_name(entry.value);
    add_line(text, 6,
             "if (!(" + value + " >= " + slot_name(entry.lower) + " && " + value +
                 " <= " + slot_name(entry.upper) + ")) break;");
  }
  for (const WatchedEntry& entry : program.watched()) {
    const std::string value = slot_name(entry.value), lowest = slot_name(entry.lowest),
                      highest = slot_name(entry.highest);
    add_line(text, 6, "if (" + value + " < " + lowest + ") " + lowest + " = " + value + ";");
    add_line(text, 6, "if (" + value + " > " + highest + ") " + highest + " = " + value + ";");
  }
  add_line(text, 4, "}");
}

/// Ends the steps where one has no finite result, or where Newton's iteration did not end.
void add_refusal(std::string& text, const StepText& step) {
  step.add_finite(text);
  const std::string finite = "nothing == 0.0";
  add_line(text, 4,
           step.is_iterated() ? "if (!(" + finite + ") || failed) {" : "if (!(" + finite + ")) {");
  step.add_residual(text);
  add_line(text, 6, "s->residual = residual;");
  add_line(text, 6, "status = " + finite + " ? 1 : 2;");
  add_line(text, 6, "break;");
  add_line(text, 4, "}");
  if (step.is_iterated()) add_line(text, 4, "iterations += passes;");
}

}  // namespace

std::string set_up_text(const StepProgram& program, const StepLayout& layout,
                        const NumberForm& form) {
  std::string text = "static inline void PREFIX_set_up(PREFIX_motion* s) {\n";
  if (layout.steady().empty()) return text + "  (void)s;\n}\n";
  const Tape& tape = program.tape();
  SlotUse use;
  use.add(tape, 0, tape.setup_end);
  text += constant_declarations(tape, use.read, 2, form);
  std::set<std::uint32_t> local = use.written;
  for (const std::uint32_t slot : use.read)
    if (layout.has_place(slot) && !use.written.contains(slot))
      add_line(text, 2, "const Number " + slot_name(slot) + " = " + layout.place(slot) + ";");
  text += declarations(local, 2) + statements(tape, 0, tape.setup_end, 2, form);
  for (const std::uint32_t slot : layout.steady())
    add_line(text, 2, layout.place(slot) + " = " + slot_name(slot) + ";");
  return text + "}\n";
}

std::string advance_text(const StepProgram& program, const StepLayout& layout,
                         const NumberForm& form) {
  const StepText step(program, layout, form, "s->steps");
  std::string text =
      "static inline int PREFIX_advance(PREFIX_motion* s, unsigned long long steps) {\n";
  step.add_entry(text);
  add_line(text, 2, "unsigned long long iterations = 0;");
  add_line(text, 2, "int status = 0;");
  add_line(text, 2, "for (; steps > 0; --steps) {");
  step.add_begin(text);
  step.add_sections(text);
  add_watch(text, program);
  add_refusal(text, step);
  step.add_new_state(text, "");
  add_line(text, 4, "++s->steps;");
  add_line(text, 2, "}");
  step.add_exit(text);
  add_line(text, 2, "s->t = time_after(s->start_time, s->steps, step_size);");
  add_line(text, 2, "s->iterations += iterations;");
  add_line(text, 2, "return status;");
  return text + "}\n";
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
