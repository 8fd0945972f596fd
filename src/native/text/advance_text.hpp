#pragma once
// The functions of C that take steps: what step/detail/step_loop.hpp does by an interpreter.

#include <string>

#include "dalembert/step/step_program.hpp"
#include "number_form.hpp"
#include "step_layout.hpp"

namespace dalembert {

/// `void PREFIX_set_up(PREFIX_motion* s)`: computes what is steady.
std::string set_up_text(const StepProgram& program, const StepLayout& layout,
                        const NumberForm& form = {});

/// `int PREFIX_advance(PREFIX_motion* s, unsigned long long steps)`.
std::string advance_text(const StepProgram& program, const StepLayout& layout,
                         const NumberForm& form = {});

/// A function of C with that head, which computes the outputs of a tape without loops: `inputs`
/// and `outputs` are what is read and assigned, in the tape's order.
std::string function_text(const std::string& head, const Tape& tape,
                          const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs);

}  // namespace dalembert
