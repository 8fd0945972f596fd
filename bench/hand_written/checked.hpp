#pragma once
/// \file
/// Hand-written kernels that have been compared with the engine.

#include <cstdint>
#include <functional>

#include "dalembert/step/stepper.hpp"
#include "kernels.hpp"
#include "support/small_systems.hpp"

namespace bench {

/// The parameter of the transmission in comparisons with hand-written kernels.
inline constexpr double transmission_epsilon = 0.1;

/// A stepper with that parameter where the system has it, and where a run of it would start.
dalembert::Stepper stepper_of(const std::shared_ptr<const dalembert::StepProgram>& program,
                              double step);
dalembert::Point start_of(const dalembert::Stepper& stepper,
                          const test_support::SmallSystem& problem);

/// Steps by the kernel from the same start. Throws std::runtime_error unless some hundred of them
/// lead where the engine's lead, to round-off.
std::function<void(std::uint64_t)> checked_kernel(
    HandKernel kernel, const std::shared_ptr<const dalembert::StepProgram>& program,
    const test_support::SmallSystem& problem, double step);

}  // namespace bench
