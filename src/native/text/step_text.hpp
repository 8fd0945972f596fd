#pragma once
// What a step does in C, on one motion or on packs of them: the parts of `StepLoop` that are alike.

#include <string>

#include "dalembert/step/step_program.hpp"
#include "number_form.hpp"
#include "statements.hpp"
#include "step_layout.hpp"

namespace dalembert {

class StepText {
 public:
  /// `steps_taken`: the variable that counts steps.
  StepText(const StepProgram& program, const StepLayout& layout, const NumberForm& form,
           std::string steps_taken);

  const StepProgram& program() const { return program_; }
  /// Whether steps go through loops, which may fail.
  bool is_iterated() const { return !program_.tape().loops.empty() || has_stages(); }
  bool has_stages() const { return !program_.tape().stages.empty(); }

  /// Constants, what is read from the motion, and places for the rest.
  void add_entry(std::string& text) const;
  /// What a step begins with.
  void add_begin(std::string& text) const;
  /// All that computes the new state.
  void add_sections(std::string& text) const;
  /// The sum `nothing`, which is nan where a result is not finite.
  void add_finite(std::string& text) const;
  /// The variable `residual`: by how much the equations are missed.
  void add_residual(std::string& text) const;
  /// The new state, in the motions of the mask `where`; everywhere if that is empty.
  void add_new_state(std::string& text, const std::string& where) const;
  /// The state back into the motion.
  void add_exit(std::string& text) const;

 private:
  void add_each(std::string& text, int indentation, const std::string& line) const;
  std::string zero() const { return form_.constant("0.0"); }
  void add_load(std::string& text, std::uint32_t slot, bool is_constant) const;
  void add_watch_entry(std::string& text) const;
  std::string section_text(const TapeSection& section, const std::string& alive) const;
  void add_section_residual(std::string& text, const std::string& name,
                            const TapeSection& section) const;
  std::string new_entry(const StateEntry& entry, const std::string& where) const;

  const StepProgram& program_;
  const StepLayout& layout_;
  const NumberForm& form_;
  std::string steps_taken_;
  StepView view_;
  SlotUse use_;
};

}  // namespace dalembert
