#pragma once

#include <vector>

#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/run/simulate.hpp"

namespace dalembert {

/// A run before its first step: what is asked for, made ready as `simulate` does it. RequestError
/// as there.
struct ReadyRun {
  /// `h`: the size of a step.
  ReadyRun(const Problem& problem, const Method& wanted, const StartChoice& choice,
           const NamedValues& given, double h);

  System system;                   ///< of the problem
  std::vector<double> parameters;  ///< in the order of the description
  Evaluator evaluator;             ///< of the system with these parameters
  Start start;                     ///< admissible
  Method method;                   ///< with the quadrature that settle_quadrature chooses
};

}  // namespace dalembert
