#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/mechanics/event/event.hpp"
#include "dalembert/mechanics/start.hpp"
#include "dalembert/mechanics/system.hpp"
#include "dalembert/study/choice/step_choice.hpp"

namespace dalembert::study {

/// A method that was tried for a tolerance, with its steps.
struct TriedMethod {
  std::string method;  ///< as the command line names it: "gauss(stages=6)"
  StepChoice steps;    ///< step that keeps the tolerance, with its counted cost
};

/// A run before its method is chosen.
struct AskedRun {
  Start start;                          ///< in numbers, admissible
  std::vector<double> parameters;       ///< in the order of the description
  std::vector<Event> events = {};       ///< those that end the run are regarded
  double until = 0.0, tolerance = 0.0;  ///< final time; largest error of q and v, as in choose_step
};

/// The methods that keep a tolerance in a run, the cheapest first: by the counted cost (StepCost)
/// of their steps, which is the same on every machine. The candidates are the adaptive explicit
/// method of order eight and the same with steps of one size, the one of order four, collocation
/// with four, six and eight stages, where it is worth its planning also on Lie groups and for stiff
/// damping, and the splitting of drivers where there are some: none carries a multiplier. What a
/// candidate asks for beyond `limits()` takes it out. Empty where none keeps the tolerance.
std::vector<TriedMethod> search_methods(const System& system, const AskedRun& run);

/// One clause: the cost of the first of them, and of the next two.
std::string reason_of(const std::vector<TriedMethod>& tried);

}  // namespace dalembert::study
