#pragma once
// Steps of packs of motions in C: what step/detail/step_loop.hpp does in lanes.

#include <string>

#include "dalembert/step/step_program.hpp"
#include "number_form.hpp"
#include "step_layout.hpp"

namespace dalembert {

/// The type PREFIX_report: `AdvanceReport` in C.
std::string report_type();

/// After that type `void PREFIX_advance(PREFIX_motion* s, unsigned long long number, unsigned long
/// long steps, PREFIX_report* reports)`: steps from that number on, with a motion for each pack
/// that goes beside the others and a report for each of its members.
std::string pack_advance_text(const StepProgram& program, const StepLayout& layout,
                              const NumberForm& form);

}  // namespace dalembert
