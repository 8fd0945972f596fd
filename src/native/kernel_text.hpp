#pragma once
// The steps of a program as a file of C that is loaded as a kernel.

#include <string>

#include "dalembert/step/step_program.hpp"
#include "native/text/number_form.hpp"

namespace dalembert {

/// C that defines `dalembert_set_up` and `dalembert_advance`, which are the members of a `Kernel`
/// of so many members: of one, if numbers are doubles. There is nothing in it but operations and
/// hexadecimal numbers: no name of a system or of a method. Where stages lie in lanes there is no
/// `dalembert_set_up`: the interpreter's is the one.
std::string kernel_text(const StepProgram& program, int members = 1, const NumberForm& form = {});

}  // namespace dalembert
