#include "coupled_cases.hpp"

#include <fmt/core.h>

#include "dalembert/problem/load_problem.hpp"

namespace dalembert::reproduce {

namespace {

Problem problem_with(const std::string& name, double epsilon) {
  LoadOptions options;
  if (epsilon != 0.0) options.parameters = {{"epsilon", epsilon}};
  return load_problem(name, options);
}

}  // namespace

CoupledCase::CoupledCase(std::string label_text, const std::string& problem,
                         const std::string& start_name, double epsilon)
    : label(std::move(label_text)),
      system(problem_with(problem, epsilon).system),
      start(prepare_start(system, problem_with(problem, epsilon).start(start_name))) {}

FloquetFrame CoupledCase::symmetric_frame() const {
  const FloquetFrame from_start = frame();
  return from_start.at_turning_point().value_or(from_start);
}

SquareMatrix TableColumn::reversal() const {
  std::vector<double> signs = rho;
  signs.push_back(1.0);
  return sign_changes(signs);
}

std::vector<TableColumn> table_columns() {
  return {{"CVT", 3, 0, 3, 2, {1.0, 1.0, -1.0}, {{"CVT", "contact-oscillator", "generic"}}},
          {"pendulum CVT",
           3,
           0,
           3,
           2,
           {1.0, 1.0, -1.0},
           {oscillating_transmission(0.0), rotating_transmission(0.0)}},
          {"particle", 1, 1, 2, 2, {1.0, -1.0}, {{"particle", "particle-harmonic", "generic"}}},
          {"knife edge", 1, 2, 2, 1, {1.0}, {{"knife edge", "knife-edge", "horizontal"}}},
          {"mobile robot",
           0,
           2,
           2,
           1,
           {1.0},
           {{"mobile robot, swinging", "mobile-robot", "swinging"},
            {"mobile robot, turning", "mobile-robot", "turning"}}},
          {"rolling disk", 0, 2, 2, 1, {1.0}, {{"rolling disk", "rolling-disk", "circle"}}}};
}

SquareMatrix rotating_reversal() { return sign_changes({1.0, -1.0, 1.0, 1.0}); }

CoupledCase oscillating_transmission(double epsilon) {
  return {fmt::format("pendulum CVT, oscillating, epsilon = {:g}", epsilon), "pendulum-cvt",
          "oscillating", epsilon};
}

CoupledCase rotating_transmission(double epsilon) {
  return {fmt::format("pendulum CVT, rotating, epsilon = {:g}", epsilon), "pendulum-cvt",
          "rotating", epsilon};
}

CoupledCase bent_knife_edge() {
  return {"knife edge, epsilon = 0.1", "knife-edge", "horizontal", 0.1};
}

}  // namespace dalembert::reproduce
