#pragma once
// The stages of one motion in C, in the lanes of vectors: what step/detail/stages_in_lanes.hpp
// does.

#include <string>

#include "dalembert/step/step_program.hpp"
#include "native/text/number_form.hpp"

namespace dalembert {

/// Whether the stages of one motion can lie in vectors of so many doubles: few of these are enough,
/// and the rates have neither tables nor large linear systems.
bool fit_in_lanes(const TapeStages& stages, int width);

/// The numbers of the functions of `functions_of_stages`: packs as wide as the vectors.
NumberForm form_of_stages(const NumberForm& form);
/// A function for each stage iteration of a step that lies in lanes, to be compiled as
/// `form_of_stages` says; empty if there is none.
std::string functions_of_stages(const StepProgram& program, const NumberForm& form);
/// Statements that call it. Where the sweeps do not converge they end the steps with `leaves` set.
std::string call_of_stages_in_lanes(const StepProgram& program, const TapeStages& stages);

}  // namespace dalembert
