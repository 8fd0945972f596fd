#include "tape_cost.hpp"

#include <cmath>

#include "dalembert/expression/tape/tape_cost.hpp"
#include "dalembert/run/integrate.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

/// Operations of an elementary function, and of sine and cosine together, are 20.
constexpr InstructionCosts operations{.copy = 0.0,
                                      .simple = 1.0,
                                      .quotient = 4.0,
                                      .sine_cosine = 20.0,
                                      .other = 20.0,
                                      .system = 0.0,
                                      .square = 1.0,
                                      .cube = 1.0};

/// A matrix that is kept is computed once a step.
double section_cost(const Tape& tape, const TapeSection& section, double passes) {
  const double lines = cost_of(tape, section.begin, section.end, operations);
  if (section.loop < 0) return lines;
  const TapeLoop& loop = tape.loops[static_cast<std::size_t>(section.loop)];
  const double once =
      loop.keeps_matrix() ? cost_of(tape, loop.matrix_begin, loop.matrix_end, operations) : 0.0;
  return (lines - once) * passes + once;
}

}  // namespace

double step_cost(const RunPlan& plan, double step, double until) {
  const Tape& tape = plan.program->tape();
  Stepper stepper(plan.program, step, plan.parameters);
  Evaluator evaluator(plan.system, plan.parameters);
  Point point = start_point(stepper, evaluator, plan.q, plan.v);
  const auto steps = static_cast<std::uint64_t>(std::llround(until / step));
  const RunReport report =
      integrate(stepper, evaluator, point, {.steps = steps, .observe_every = steps},
                [](const Sample&) { return true; });
  if (report.status != RunReport::Status::ok) return NAN;
  const double loops = std::max<double>(1.0, static_cast<double>(tape.loops.size()));
  const double passes =
      static_cast<double>(report.iterations) / (static_cast<double>(steps) * loops);
  double cost = 0.0;
  for (const TapeSection& section : tape.sections) cost += section_cost(tape, section, passes);
  return cost;
}

}  // namespace dalembert::reproduce
