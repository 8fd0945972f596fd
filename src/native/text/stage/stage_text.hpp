#pragma once
// The stages of a step in C: what step/detail/stage_loop.hpp does in the lanes of vectors, one
// stage after the other.

#include <functional>
#include <string>

#include "dalembert/step/step_program.hpp"
#include "native/text/number_form.hpp"

namespace dalembert {

/// The sweeps of a stage iteration and then, where these do not converge, `fallback`: statements.
/// Adds the sweeps to the variable `passes`. Of packs the motions in the mask `alive` take part,
/// and the fallback is for those in `fell_back`.
std::string stage_text(const StepProgram& program, const TapeStages& stages,
                       const std::string& fallback, const NumberForm& form);

/// Numbers of the motion's workspace that the stages need, after what linear systems need; none
/// where they are few.
std::size_t stage_workspace(const TapeStages& stages, const NumberForm& form = {});

}  // namespace dalembert
