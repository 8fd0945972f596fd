#pragma once
// The stages of a step in C: what step/detail/stage_loop.hpp does in the lanes of vectors, one
// stage after the other.

#include <functional>
#include <string>

#include "dalembert/step/step_program.hpp"

namespace dalembert {

/// The sweeps of a stage iteration and then, where these do not converge, `fallback`: statements.
/// Adds the sweeps to the variable `passes`.
std::string stage_text(const StepProgram& program, const TapeStages& stages,
                       const std::string& fallback);

/// Numbers of the motion's workspace that the stages need, after what linear systems need; none
/// where they are few.
std::size_t stage_workspace(const TapeStages& stages);

}  // namespace dalembert
