#include "newton_text.hpp"

#include "dalembert/step/detail/newton_loop.hpp"
#include "statements.hpp"

namespace dalembert {
namespace {

std::string magnitude(std::uint32_t slot) { return "pack_abs(" + slot_name(slot) + ")"; }

/// One Newton loop: NewtonLoop in C.
class NewtonText {
 public:
  NewtonText(const StepProgram& program, const TapeSection& section, const NumberForm& form,
             const std::string& alive)
      : form_(form),
        alive_(alive),
        tape_(program.tape()),
        section_(section),
        loop_(tape_.loops[static_cast<std::size_t>(section.loop)]),
        view_(program.view()),
        is_compensated_(program.options().compensated) {}

  std::string text() const {
    std::string result;
    add_line(result, 4, "{");
    add_each(result, 6, "Mask active = " + alive_ + ";");
    add_line(result, 6, "int pass;");
    for (std::uint32_t g = loop_.group_begin; g < loop_.group_end; ++g)
      if (tape_.loop_groups[g].judged)
        add_each(result, 6, "Number " + previous(g) + zero() + ", " + settled(g) + zero() + ";");
    add_line(result, 6,
             "for (pass = 0; pass < " + std::to_string(most_iterations) + " && " +
                 form_.any("active") + "; ++pass) {");
    add_each(result, 8, "Mask done = " + form_.everywhere() + ";");
    result += form_.each(statements(tape_, section_.begin, section_.end, 8, form_));
    if (!form_.is_one()) add_each(result, 8, NumberForm::count_one("passes", "active"));
    for (std::uint32_t g = loop_.group_begin; g < loop_.group_end; ++g) {
      std::string group;
      add_group(group, g);
      result += form_.each(group);
    }
    add_each(result, 8, "active = active & negation(done);");
    add_line(result, 6, "}");
    if (form_.is_one()) add_line(result, 6, "passes += (unsigned long long)pass;");
    add_each(result, 6, "failed = failed | active;");
    add_line(result, 4, "}");
    return result;
  }

 private:
  void add_each(std::string& text, int indentation, const std::string& line) const {
    std::string one;
    add_line(one, indentation, line);
    text += form_.each(one);
  }
  std::string zero() const { return " = " + form_.constant("0.0"); }
  static std::string previous(std::uint32_t g) { return "previous_" + std::to_string(g); }
  static std::string settled(std::uint32_t g) { return "settled_" + std::to_string(g); }

  void add_group(std::string& text, std::uint32_t g) const {
    const TapeLoopGroup& group = tape_.loop_groups[g];
    if (group.judged) {
      add_line(text, 8, "{");
      add_line(
          text, 10,
          "Number correction" + zero() + ", increment" + zero() + ", size" + zero() + ", next;");
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
    const std::string compensated = is_compensated_ ? "1" : "0",
                      round_off = form_.constant(round_off_literal);
    add_line(text, 10,
             "is_small = correction_is_small(correction, " + previous(g) + ", increment, pass, " +
                 compensated + ", " + round_off + ");");
    add_line(text, 10, "if (pass > 0) {");
    add_line(text, 12, "const Mask stalls = correction_stalls(correction, " + previous(g) + ");");
    add_line(text, 12, "if (any(stalls)) {");
    add_line(text, 14, "Number state" + zero() + ", block" + zero() + ", scale;");
    for (std::size_t i = 0; i < view_.state_count; ++i)
      add_line(text, 14, "state = state + " + magnitude(view_.entries[i].input) + ";");
    const std::uint32_t begin = tape_.loop_groups[loop_.group_begin].begin,
                        end = tape_.loop_groups[loop_.group_end - 1].end;
    for (std::uint32_t i = begin; i < end; ++i)
      add_largest(text, 14, "block", {tape_.iterates[i].iterate, tape_.iterates[i].value});
    add_line(text, 14, "state = state / " + magnitude(view_.step_size) + ";");
    add_line(text, 14, "scale = larger_of(larger_of(size, increment), larger_of(state, block));");
    add_line(text, 14,
             settled(g) + " = select(stalls & is_round_off(correction, scale, " + round_off +
                 "), " + form_.constant("1.0") + ", " + settled(g) + ");");
    add_line(text, 12, "}");
    add_line(text, 12, "is_small = is_small | (" + settled(g) + " == 1.0);");
    add_line(text, 10, "}");
    add_line(text, 10, previous(g) + " = correction;");
    add_line(text, 10, "done = done & is_small;");
    add_line(text, 8, "}");
  }

  const NumberForm& form_;
  const std::string& alive_;
  const Tape& tape_;
  const TapeSection& section_;
  const TapeLoop& loop_;
  StepView view_;
  bool is_compensated_;
};

}  // namespace

void add_largest(std::string& text, int indentation, const std::string& name,
                 const std::vector<std::uint32_t>& slots) {
  for (const std::uint32_t slot : slots)
    add_line(text, indentation, name + " = larger_of(" + name + ", " + magnitude(slot) + ");");
}

std::string newton_text(const StepProgram& program, const TapeSection& section,
                        const NumberForm& form, const std::string& alive) {
  return NewtonText(program, section, form, alive).text();
}

}  // namespace dalembert
