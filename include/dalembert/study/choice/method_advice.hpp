#pragma once

#include <string>
#include <vector>

#include "dalembert/mechanics/event/event.hpp"
#include "dalembert/mechanics/problem.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/mechanics/system.hpp"

namespace dalembert::study {

/// A method that suits a system, and why.
struct MethodAdvice {
  std::string method;  ///< as studies and the command line name it: "gauss(stages=6)"
  std::string reason;  ///< a clause
};

/// Up to three methods for a system, the one to begin with first, from what the system is: whether
/// the motion meets switches between pieces of its equations, whether it keeps its energy, whether
/// drivers move it, what form its mass, constraints, forces and configuration space have. Every
/// method fits the system, and none carries a multiplier whose errors could grow. `near` is a
/// start; without one, states near the origin are looked at. Parameters in the order of the
/// description; the defaults if empty.
std::vector<MethodAdvice> advise_methods(const System& system, const Start& near = {},
                                         const std::vector<Event>& events = {},
                                         std::span<const double> parameters = {});
/// Methods for a problem, near its first start and with the parameters of that.
std::vector<MethodAdvice> advise_methods(const Problem& problem);

}  // namespace dalembert::study
