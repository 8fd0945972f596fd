#include "pack_advance_text.hpp"

#include "statements.hpp"
#include "step_text.hpp"

namespace dalembert {
namespace {

/// Steps of packs of motions: what `StepLoop` does in lanes.
class PackAdvanceText {
 public:
  PackAdvanceText(const StepProgram& program, const StepLayout& layout, const NumberForm& form)
      : program_(program), form_(form), step_(program, layout, form, "number") {}

  std::string text() {
    text_ = helpers();
    line(0,
         "static void PREFIX_advance(PREFIX_motion* s, unsigned long long number, unsigned long "
         "long steps, PREFIX_report* reports) {");
    line(2, "const unsigned long long first = number;");
    for (int pack = 0; pack < form_.packs; ++pack) {
      const std::string p = std::to_string(pack);
      line(2, "PREFIX_motion* const s_" + p + " = s + " + p + ";");
      line(2, "PREFIX_report* const reports_" + p + " = reports + " +
                  std::to_string(pack * form_.width) + ";");
    }
    step_.add_entry(text_);
    each(2, "Mask alive = PREFIX_takes_part(reports);");
    if (step_.is_iterated()) each(2, "Number iterations = broadcast(0.0);");
    if (is_watched()) {
      line(2, "const int is_watching = any(" + form_.of(0, slot_name(program_.is_watching_slot())) +
                  " == 1.0);");
    }
    line(2, "for (; steps > 0 && " + form_.any("alive") + "; --steps) {");
    step_.add_begin(text_);
    step_.add_sections(text_);
    if (is_watched()) add_watch();
    add_acceptance();
    line(4, "++number;");
    line(2, "}");
    step_.add_exit(text_);
    each(2, "PREFIX_close(reports, alive, number - first, " + iterations() + ");");
    line(0, "}");
    return std::move(text_);
  }

 private:
  void line(int indentation, const std::string& words) { add_line(text_, indentation, words); }
  void each(int indentation, const std::string& words) {
    std::string one;
    add_line(one, indentation, words);
    text_ += form_.each(one);
  }
  bool is_watched() const { return !program_.watched().empty(); }
  std::string iterations() const { return step_.is_iterated() ? "iterations" : "broadcast(0.0)"; }

  /// Which members take part, and what is said of those that no longer do.
  std::string helpers() const {
    const std::string width = std::to_string(form_.width);
    return "static Mask PREFIX_takes_part(const PREFIX_report* reports) {\n"
           "  Mask alive = nowhere();\n  int i;\n"
           "  for (i = 0; i < " +
           width +
           "; ++i) alive[i] = reports[i].status == 0 ? -1 : 0;\n"
           "  return alive;\n}\n"
           "static void PREFIX_close(PREFIX_report* reports, Mask which, unsigned long long taken, "
           "Number passes) {\n  int i;\n"
           "  for (i = 0; i < " +
           width +
           "; ++i) {\n    if (!which[i]) continue;\n"
           "    reports[i].steps += taken;\n"
           "    reports[i].iterations += (unsigned long long)passes[i];\n  }\n}\n"
           "static __attribute__((noinline, cold)) void PREFIX_refuse(PREFIX_report* reports, Mask "
           "refused, Mask is_finite, Number missed) {\n  int i;\n"
           "  for (i = 0; i < " +
           width +
           "; ++i) {\n    if (!refused[i]) continue;\n"
           "    reports[i].status = is_finite[i] ? 1 : 2;\n"
           "    reports[i].residual = missed[i];\n  }\n}\n";
  }

  /// Marks what is out of bounds: `watch_lanes` of the interpreter.
  void add_watch() {
    const TapeSection& further = program_.tape().further;
    line(4, "if (is_watching) {");
    text_ += form_.each(statements(program_.tape(), further.begin, further.end, 6, form_));
    for (const WatchedEntry& entry : program_.watched()) {
      const std::string value = slot_name(entry.value), lowest = slot_name(entry.lowest);
      each(6, lowest + " = select((" + value + " >= " + slot_name(entry.lower) + ") & (" + value +
                  " <= " + slot_name(entry.upper) + "), " + lowest + ", broadcast(-1.0));");
    }
    line(4, "}");
  }

  /// The new state, where all went well; the others take no further part.
  void add_acceptance() {
    step_.add_finite(text_);
    each(4, "const Mask finite = nothing == 0.0;");
    each(4, step_.is_iterated() ? "const Mask accept = alive & finite & negation(failed);"
                                : "const Mask accept = alive & finite;");
    line(4, "if (rarely(!" + form_.all("accept") + ")) {");
    std::string refusal;
    add_line(refusal, 6, "if (any(alive & negation(accept))) {");
    step_.add_residual(refusal);
    add_line(refusal, 8, "PREFIX_refuse(reports, alive & negation(accept), finite, residual);");
    add_line(
        refusal, 8,
        "PREFIX_close(reports, alive & negation(accept), number - first, " + iterations() + ");");
    add_line(refusal, 8, "alive = accept;");
    add_line(refusal, 6, "}");
    text_ += form_.each(refusal);
    step_.add_new_state(text_, "accept");
    line(4, "} else {");
    step_.add_new_state(text_, "");
    line(4, "}");
    if (step_.is_iterated()) each(4, "iterations = iterations + passes;");
  }

  const StepProgram& program_;
  const NumberForm& form_;
  StepText step_;
  std::string text_;
};

}  // namespace

std::string report_type() {
  return "typedef struct {\n  unsigned char status, leaves_step;\n  unsigned long long steps, "
         "iterations;\n"
         "  double residual;\n} PREFIX_report;\n";
}

std::string pack_advance_text(const StepProgram& program, const StepLayout& layout,
                              const NumberForm& form) {
  return PackAdvanceText(program, layout, form).text();
}

}  // namespace dalembert
