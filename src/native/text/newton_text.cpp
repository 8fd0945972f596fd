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
    for (std::uint32_t g = loop_.group_begin; g < loop_.group_end; ++g)
      if (tape_.loop_groups[g].judged)
        add_each(result, 6, "Number " + previous(g) + zero() + ", " + settled(g) + zero() + ";");
    if (loop_.keeps_matrix())
      add_keeping_passes(result);
    else
      add_passes(result);
    add_line(result, 4, "}");
    return result;
  }

 private:
  void add_passes(std::string& result) const {
    add_line(result, 6, "int pass;");
    add_line(result, 6,
             "for (pass = 0; pass < " + std::to_string(most_iterations) + " && " +
                 form_.any("active") + "; ++pass) {");
    add_each(result, 8, "Mask done = " + form_.everywhere() + ";");
    add_lines(result, section_.begin, section_.end);
    if (!form_.is_one()) add_each(result, 8, NumberForm::count_one("passes", "active"));
    add_groups(result);
    add_each(result, 8, "active = active & negation(done);");
    add_line(result, 6, "}");
    if (form_.is_one()) add_line(result, 6, "passes += (unsigned long long)pass;");
    add_each(result, 6, "failed = failed | active;");
  }

  /// NewtonLoop::run_keeping.
  void add_keeping_passes(std::string& result) const {
    add_line(result, 6, "int pass, is_new;");
    add_each(result, 6, "Mask keeps = " + form_.nowhere() + ", turn;");
    add_each(result, 6, "Number taken" + zero() + ";");
    add_line(result, 6, "for (pass = 0; " + form_.any("active") + "; pass = 1) {");
    add_each(result, 8, "Mask done = " + form_.everywhere() + ", good = done, exhausted;");
    add_line(result, 8, "is_new = !(" + form_.any("keeps") + ");");
    add_each(result, 8, "turn = is_new ? active : keeps;");
    add_lines(result, section_.begin, loop_.matrix_begin);
    add_line(result, 8, "if (is_new) {");
    add_lines(result, loop_.matrix_begin, loop_.matrix_end);
    add_line(result, 8, "}");
    add_lines(result, loop_.matrix_end, section_.end);
    if (form_.is_one()) {
      add_line(result, 8, "++passes;");
      add_line(result, 8, "taken += 1.0;");
    } else {
      add_each(result, 8, NumberForm::count_one("passes", "turn"));
      add_each(result, 8, NumberForm::count_one("taken", "turn"));
    }
    add_groups(result);
    add_each(result, 8, "exhausted = taken >= " + std::to_string(most_iterations) + ".0;");
    add_each(result, 8, "failed = failed | (turn & exhausted & negation(done));");
    add_each(result, 8, "active = active & negation(turn & (exhausted | done));");
    add_each(result, 8, "keeps = turn & active & good;");
    add_line(result, 6, "}");
  }

  void add_lines(std::string& text, std::size_t begin, std::size_t end) const {
    text += form_.each(statements(tape_, begin, end, 8, form_));
  }
  void add_groups(std::string& text) const {
    for (std::uint32_t g = loop_.group_begin; g < loop_.group_end; ++g) {
      std::string group;
      add_group(group, g);
      text += form_.each(group);
    }
  }
  std::string turn() const { return loop_.keeps_matrix() ? "turn" : "active"; }
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
        add_line(text, 8, iterate + " = select(" + turn() + ", " + next + ", " + iterate + ");");
        continue;
      }
      add_line(text, 10, "next = " + next + ";");
      add_line(text, 10, iterate + " = select(" + turn() + ", next, " + iterate + ");");
      add_largest(text, 10, "correction", {entry.correction});
      add_line(text, 10, "increment = larger_of(increment, pack_abs(next));");
      add_largest(text, 10, "size", {entry.value});
    }
    if (group.judged) add_judgement(text, g);
  }

  void add_judgement(std::string& text, std::uint32_t g) const {
    const std::string to_the_end = is_compensated_ || !loop_.is_quadratic ? "1" : "0",
                      round_off = form_.constant(round_off_literal);
    const bool keeps = loop_.keeps_matrix();
    add_line(text, 10,
             "is_small = correction_is_small(correction, " + previous(g) + ", increment, pass, " +
                 (keeps ? "is_new" : "1") + ", " + to_the_end + ", " + round_off + ");");
    if (keeps)
      add_keeping_rules(text, g);
    else
      add_rules(text, g);
    add_line(text, 10, "done = done & is_small;");
    add_line(text, 8, "}");
  }

  std::string round_off_here() const {
    return "is_round_off(correction, scale, " + form_.constant(round_off_literal) + ")";
  }

  std::string nothing_here() const {
    return "is_nothing(larger_of(correction, increment), state, " +
           form_.constant(round_off_literal) + ")";
  }

  void add_rules(std::string& text, std::uint32_t g) const {
    add_line(text, 10, "if (pass > 0) {");
    add_line(text, 12, "const Mask stalls = correction_stalls(correction, " + previous(g) + ");");
    add_line(text, 12, "if (any(stalls) || pass >= " + std::to_string(early_passes) + ") {");
    add_scale(text);
    add_line(text, 14, "const Mask here = stalls & " + round_off_here() + ";");
    add_line(text, 14,
             settled(g) + " = select(here, " + form_.constant("1.0") + ", " + settled(g) + ");");
    add_line(text, 14,
             "if (pass >= " + std::to_string(early_passes) + ") " + settled(g) + " = select(" +
                 nothing_here() + ", " + form_.constant("1.0") + ", " + settled(g) + ");");
    add_line(text, 12, "}");
    add_line(text, 12, "is_small = is_small | (" + settled(g) + " == 1.0);");
    add_line(text, 10, "}");
    add_line(text, 10, previous(g) + " = correction;");
  }

  void add_keeping_rules(std::string& text, std::uint32_t g) const {
    const std::string early = std::to_string(early_passes) + ".0";
    add_line(text, 10, "const Mask once = turn & is_small;");
    add_line(text, 10,
             "const Mask stalls = pass > 0 ? correction_stalls(correction, " + previous(g) +
                 ") : " + form_.nowhere() + ";");
    add_line(text, 10,
             "const Mask keeps_well = matrix_is_good(correction, is_new ? increment : " +
                 previous(g) + ");");
    add_line(text, 10, "const Mask slow_here = turn & (stalls | negation(keeps_well));");
    add_line(text, 10, "const Mask lasts = turn & (taken > " + early + ");");
    add_line(text, 10, "if (any(slow_here | lasts)) {");
    add_scale(text);
    add_line(text, 14, "const Mask here = slow_here & " + round_off_here() + ";");
    add_line(text, 14, "const Mask none = lasts & " + nothing_here() + ";");
    add_line(text, 14,
             settled(g) + " = select(none | (here & (stalls | (" + settled(g) + " > 0.0))), " +
                 form_.constant("1.0") + ", " + settled(g) + ");");
    add_line(text, 14, "good = good & (is_new ? keeps_well : keeps_well | here);");
    add_line(text, 10, "}");
    add_line(text, 10, "is_small = is_small | (" + settled(g) + " == 1.0);");
    add_line(text, 10,
             settled(g) + " = select(once & (" + settled(g) + " == 0.0), " + form_.constant("0.5") +
                 ", " + settled(g) + ");");
    add_line(text, 10, previous(g) + " = select(turn, correction, " + previous(g) + ");");
  }

  /// What corrections at round-off are measured by.
  void add_scale(std::string& text) const {
    add_line(text, 14, "Number state" + zero() + ", block" + zero() + ", scale;");
    for (std::size_t i = 0; i < view_.state_count; ++i)
      add_line(text, 14, "state = state + " + magnitude(view_.entries[i].input) + ";");
    for (std::uint32_t i = loop_.unknown_begin; i < loop_.unknown_end; ++i)
      add_largest(text, 14, "block", {tape_.iterates[i].iterate, tape_.iterates[i].value});
    add_line(text, 14, "state = state / " + magnitude(view_.step_size) + ";");
    const std::string shared = loop_.is_quadratic ? "state"
                                                  : "(pass < " + std::to_string(strict_passes) +
                                                        " ? " + form_.constant("0.0") + " : state)";
    add_line(text, 14,
             "scale = larger_of(larger_of(size, increment), larger_of(" + shared + ", block));");
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
