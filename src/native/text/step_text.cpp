#include "step_text.hpp"

#include <algorithm>

#include "native/text/stage/stage_lanes_text.hpp"
#include "native/text/stage/stage_text.hpp"
#include "newton_text.hpp"

namespace dalembert {

StepText::StepText(const StepProgram& program, const StepLayout& layout, const NumberForm& form,
                   std::string steps_taken)
    : program_(program),
      layout_(layout),
      form_(form),
      steps_taken_(std::move(steps_taken)),
      view_(program.view()),
      // Compensated steps begin with the set-up.
      use_(form.stage_width > 0
               ? SlotUse::of_steps_without_fallback(program.tape())
               : SlotUse::of_steps(program.tape(),
                                   program.options().compensated ? 0 : program.tape().setup_end)) {
  if (is_iterated()) use_.read.insert(view_.step_size);
}

void StepText::add_each(std::string& text, int indentation, const std::string& line) const {
  std::string one;
  add_line(one, indentation, line);
  text += form_.each(one);
}

void StepText::add_sections(std::string& text) const {
  const Tape& tape = program_.tape();
  const std::string alive = form_.is_one() ? "1" : "alive",
                    fell_back = form_.is_one() ? "1" : "fell_back";
  for (std::size_t i = 0; i < tape.sections.size(); ++i) {
    const TapeSection& section = tape.sections[i];
    if (section.stages < 0) {
      text += section_text(section, alive);
      continue;
    }
    const TapeStages& stages = tape.stages[static_cast<std::size_t>(section.stages)];
    if (form_.stage_width > 0) {
      text += call_of_stages_in_lanes(program_, stages);
      while (i + 1 < stages.fallback_end) ++i;
      continue;
    }
    std::string fallback;
    while (i + 1 < stages.fallback_end) {
      fallback += section_text(tape.sections[++i], fell_back);
      std::string residual;
      add_section_residual(residual, "fallback_residual", tape.sections[i]);
      fallback += form_.each(residual);
    }
    text += stage_text(program_, stages, fallback, form_);
  }
}

void StepText::add_section_residual(std::string& text, const std::string& name,
                                    const TapeSection& section) const {
  if (section.loop < 0) return;
  const TapeLoop& loop = program_.tape().loops[static_cast<std::size_t>(section.loop)];
  add_largest(text, 6, name,
              {program_.tape().residuals.begin() + loop.residual_begin,
               program_.tape().residuals.begin() + loop.residual_end});
}

std::string StepText::section_text(const TapeSection& section, const std::string& alive) const {
  if (section.loop >= 0) return newton_text(program_, section, form_, alive);
  return form_.each(statements(program_.tape(), section.begin, section.end, 4, form_));
}

void StepText::add_entry(std::string& text) const {
  const Tape& tape = program_.tape();
  std::string entry = constant_declarations(tape, use_.read, 2, form_);
  add_line(entry, 2, "const Number step_size = " + layout_.place(view_.step_size) + ";");
  std::set<std::uint32_t> given(layout_.state().begin(), layout_.state().end());
  for (const std::uint32_t slot : layout_.state()) add_load(entry, slot, false);
  add_watch_entry(entry);
  for (const std::uint32_t slot : use_.read) {
    const bool varies = slot == view_.step_size && program_.options().compensated;
    if (given.contains(slot) || !layout_.has_place(slot)) continue;
    add_load(entry, slot, !varies);
    given.insert(slot);
  }
  // What a method reads and has not in its state is zero: multipliers that it does not report.
  for (const std::uint32_t slot : tape.inputs) {
    if (!use_.read.contains(slot) || given.contains(slot) || slot == view_.time) continue;
    add_line(entry, 2, "const Number " + slot_name(slot) + " = " + zero() + ";");
    given.insert(slot);
  }
  std::set<std::uint32_t> local;
  std::ranges::set_difference(use_.written, given, std::inserter(local, local.end()));
  if (use_.read.contains(view_.time)) local.insert(view_.time);
  text += form_.each(entry + declarations(local, 2));
}

void StepText::add_watch_entry(std::string& text) const {
  if (program_.watched().empty()) return;
  add_load(text, view_.is_watching, true);
  for (const WatchedEntry& entry : program_.watched()) {
    for (const std::uint32_t slot : {entry.lower, entry.upper}) add_load(text, slot, true);
    for (const std::uint32_t slot : {entry.lowest, entry.highest}) add_load(text, slot, false);
  }
}

void StepText::add_load(std::string& text, std::uint32_t slot, bool is_constant) const {
  add_line(text, 2,
           (is_constant ? "const Number " : "Number ") + slot_name(slot) + " = " +
               layout_.place(slot) + ";");
}

void StepText::add_begin(std::string& text) const {
  if (is_iterated()) {
    add_each(text, 4, "Mask failed = " + form_.nowhere() + ";");
    add_each(text, 4,
             form_.is_one() ? "unsigned long long passes = 0;" : "Number passes = " + zero() + ";");
  }
  if (has_stages()) {
    if (!form_.is_one()) add_each(text, 4, "Mask fell_back = " + form_.nowhere() + ";");
    add_each(text, 4, "Number fallback_residual = " + zero() + ";");
  }
  add_each(text, 4, "Number nothing = " + zero() + ";");
  if (use_.read.contains(view_.time)) {
    add_each(text, 4,
             slot_name(view_.time) + " = time_after(" + layout_.place(view_.start_time) + ", " +
                 steps_taken_ + ", step_size);");
  }
  if (!program_.options().compensated) return;
  if (use_.read.contains(view_.step_size)) {
    add_each(text, 4,
             slot_name(view_.step_size) + " = varied_step(step_size, " + steps_taken_ + ", " +
                 form_.constant(round_off_literal) + ");");
  }
  text += form_.each(statements(program_.tape(), 0, program_.tape().setup_end, 4, form_));
}

void StepText::add_finite(std::string& text) const {
  for (const StateEntry& entry : program_.entries()) {
    for (const std::uint32_t slot : {entry.output, entry.rest}) {
      if (slot != StateEntry::none)
        add_each(text, 4, "nothing = nothing + zero_if_finite(" + slot_name(slot) + ");");
    }
  }
}

void StepText::add_residual(std::string& text) const {
  add_line(text, 6, "Number residual = " + zero() + ";");
  for (const TapeSection& section : program_.tape().sections) {
    if (!section.is_fallback) add_section_residual(text, "residual", section);
  }
  if (!has_stages()) return;
  const std::string larger = "larger_of(residual, fallback_residual)";
  add_line(text, 6,
           "residual = " +
               (form_.is_one() ? larger : "select(fell_back, " + larger + ", residual)") + ";");
}

void StepText::add_new_state(std::string& text, const std::string& where) const {
  for (const StateEntry& entry : program_.entries()) text += form_.each(new_entry(entry, where));
}

std::string StepText::new_entry(const StateEntry& entry, const std::string& where) const {
  std::string text;
  const auto put = [&](int indentation, const std::string& target, const std::string& value) {
    const std::string chosen =
        where.empty() ? value : "select(" + where + ", " + value + ", " + target + ")";
    add_line(text, indentation, target + " = " + chosen + ";");
  };
  const std::string input = slot_name(entry.input), output = slot_name(entry.output);
  const bool is_angle = entry.turns != StateEntry::none;
  if (entry.carry == StateEntry::none && !is_angle) {
    put(4, input, output);
    return text;
  }
  const std::string carried = slot_name(entry.carry), turns = slot_name(entry.turns);
  // Where not all take part, turns are counted beside.
  const std::string counted = where.empty() ? turns : "next_turns";
  add_line(text, 4, "{");
  if (is_angle && !where.empty()) add_line(text, 6, "Number next_turns = " + turns + ";");
  if (entry.carry == StateEntry::none) {
    add_line(text, 6, "Number next = " + output + ", carry = " + zero() + ";");
    add_line(text, 6, "wrap_angle(&next, &" + counted + ", &carry);");
  } else {
    const std::string rest = entry.rest == StateEntry::none ? "" : " + " + slot_name(entry.rest);
    add_line(text, 6, "Number next = " + input + ", carry = " + carried + rest + ";");
    add_line(text, 6, "add_compensated(&next, &carry, " + output + ");");
    if (is_angle) add_line(text, 6, "wrap_angle_sum(&next, &" + counted + ", &carry);");
    put(6, carried, "carry");
  }
  if (is_angle && !where.empty()) put(6, turns, "next_turns");
  put(6, input, "next");
  add_line(text, 4, "}");
  return text;
}

void StepText::add_exit(std::string& text) const {
  std::string exit;
  for (const std::uint32_t slot : layout_.state())
    add_line(exit, 2, layout_.place(slot) + " = " + slot_name(slot) + ";");
  for (const WatchedEntry& entry : program_.watched()) {
    for (const std::uint32_t slot : {entry.lowest, entry.highest})
      add_line(exit, 2, layout_.place(slot) + " = " + slot_name(slot) + ";");
  }
  text += form_.each(exit);
}

}  // namespace dalembert
