#pragma once

#include <string>

#include "dalembert/mechanics/problem.hpp"
#include "dalembert/method/method.hpp"
#include "dalembert/step/step_program.hpp"

namespace dalembert {

/// Options of the C code of a method's steps.
struct CStepOptions {
  /// Prefix of all names: letters, digits and underscores, no digit first. If empty, that of the
  /// method and the system, as leapfrog_pendulum_cvt.
  std::string prefix = {};
  /// Options of the compiled step; `watched` and `also_watched` are ignored.
  StepOptions step = {};
};

/// The steps of a method on a problem as a C header that needs the C library alone (C99, or C++17):
/// a structure with the parameters and the state, functions that begin at the problem's starts,
/// take steps, and give the energy and the constraints. Its steps leave the bits of a `Stepper`, on
/// any machine with IEEE arithmetic and with any compiler that does not contract products and sums;
/// the header asks g++ and clang not to. RequestError where the method does not fit the system or
/// chooses its steps by a tolerance, where a start is not admissible, and for a prefix that is no
/// name.
std::string c_step(const Problem& problem, const Method& method, const CStepOptions& options = {});

}  // namespace dalembert
