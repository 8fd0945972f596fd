#include "dalembert/study/choice/step_choice.hpp"

#include <algorithm>
#include <string>

#include "dalembert/error.hpp"
#include "dalembert/expression/printer.hpp"
#include "step_search.hpp"

namespace dalembert::study {

namespace {

/// Whether stages are swept, with another iteration for steps whose sweeps do not converge.
bool has_fallback(const StepProgram& program) {
  return std::ranges::any_of(program.tape().stages,
                             [](const TapeStages& stages) { return !stages.fallback.empty(); });
}

}  // namespace

StepChoice choose_step(const std::shared_ptr<const StepProgram>& program, const Start& start,
                       std::span<const double> parameters, const std::vector<Event>& events,
                       double until, double tolerance) {
  const auto search = [&](const std::shared_ptr<const StepProgram>& taken) {
    Trial trial(taken, start, {parameters.begin(), parameters.end()}, events,
                program->method().tolerance() > 0.0);
    return search_step(trial, until, tolerance, step_search);
  };
  if (has_fallback(*program)) {
    // Steps that fall back cost many times as much as shorter ones.
    StepOptions options = program->options();
    options.solver = StepSolver::sweeps;
    const auto choice = search(StepProgram::compile(program->system(), program->method(), options));
    if (choice && choice->kept_until >= until) return *choice;
  }
  if (const auto choice = search(program)) return *choice;
  throw RequestError("no step of method \"" + program->method().name() +
                     "\" has an error below the tolerance " + to_string(tolerance) +
                     "; give a larger one, or a step");
}

}  // namespace dalembert::study
