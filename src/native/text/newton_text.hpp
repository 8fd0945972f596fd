#pragma once
// A Newton loop in C: what step/detail/newton_loop.hpp does by an interpreter.

#include <string>
#include <vector>

#include "dalembert/step/step_program.hpp"
#include "number_form.hpp"

namespace dalembert {

/// Statements that make `name` the largest |x| of some slots.
void add_largest(std::string& text, int indentation, const std::string& name,
                 const std::vector<std::uint32_t>& slots);

/// The loop of a section, for the motions in the mask `alive`. Adds its passes to the variable
/// `passes`, and the motions for which it does not converge to `failed`.
std::string newton_text(const StepProgram& program, const TapeSection& section,
                        const NumberForm& form, const std::string& alive);

}  // namespace dalembert
