#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "dalembert/step/step_program.hpp"

namespace dalembert {

/// Steps that `settle_quadrature` looks at.
inline constexpr std::uint64_t settling_steps = 200;

/// The program with which a run from (q, v) with steps of size h is done. Where its method, or a
/// base of it, leaves the quadrature along a step open (`quadrature = auto`), and the first 200
/// steps do not keep the energy to round-off, the method gets more nodes: 16, 24, 32, 48, 64, until
/// the energy is kept or further nodes do not halve its error any more. Otherwise the program is
/// the one that was given. Steps that would exceed `limits()` are left out. The choice depends on
/// these arguments alone, and stands in the method's options: lanes, threads and runs that are
/// resumed make the same one. Singularities that a motion meets later are not foreseen.
/// RequestError where sizes are wrong.
std::shared_ptr<const StepProgram> settle_quadrature(std::shared_ptr<const StepProgram> program,
                                                     std::span<const double> parameters,
                                                     std::span<const double> q,
                                                     std::span<const double> v, double h);

/// The method with its quadrature settled as above, to be compiled later.
Method settle_quadrature(const Method& method, const System& system,
                         std::span<const double> parameters, std::span<const double> q,
                         std::span<const double> v, double h);

}  // namespace dalembert
