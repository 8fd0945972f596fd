#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/small_systems.hpp"

namespace test_support {

using namespace dalembert;

inline MethodSpec energy_collocation(int stages) {
  return {"energy-collocation", {{"stages", double(stages)}}};
}

inline MethodSpec with_stages(const std::string& name, int stages,
                              const std::string& coordinates = "full") {
  return {name, {{"stages", double(stages)}, {"coordinates", coordinates}}};
}

inline std::shared_ptr<const StepProgram> swept(const System& system, const MethodSpec& spec,
                                                StepSolver solver = StepSolver::structured) {
  auto program = StepProgram::compile(system, make_method(spec), {.solver = solver});
  CHECK(program->tape().stages.empty() == (solver != StepSolver::structured));
  return program;
}

struct Arrived {
  Point point;
  StepReport report;
};

inline Arrived after(const std::shared_ptr<const StepProgram>& program,
                     const std::vector<double>& q, const std::vector<double>& v, double h,
                     std::uint64_t steps, const Kernel* kernel = nullptr) {
  Stepper stepper(program, h);
  if (kernel != nullptr) stepper.set_kernel(*kernel);
  StepMap<double> map(program->system(), program->method(), program->system().default_parameters());
  Point point = map.start(q, v);
  const StepReport report = stepper.advance(point, 0.0, 0, steps);
  return {point, report};
}

/// A fast oscillator beside slow ones, on which sweeps with h = 0.1 diverge with that stiffness.
inline SmallSystem stiff(double stiffness = 1e6) {
  SystemDescription description{"stiff", {}, {{"stiffness", stiffness}}};
  for (int i = 1; i <= 6; ++i) description.coordinates.push_back({"x" + std::to_string(i)});
  return {System::define(std::move(description),
                         [](const Symbols& s) {
                           Mechanics m;
                           for (std::size_t i = 0; i < s.q.size(); ++i) {
                             m.kinetic += square(s.v[i]) / 2.0;
                             m.potential += square(s.q[i]) / 2.0 + pow(s.q[i], 4) / 4.0;
                           }
                           m.potential += s["stiffness"] * square(s.q[0]) / 2.0;
                           m.constraints = {s.v[1] + s.q[2] * s.v[3]};
                           return m;
                         }),
          {1e-3, 0.3, 0.5, -0.4, 0.2, 0.1},
          {0.0, -0.1, 0.1, 0.2, -0.3, 0.4}};
}

}  // namespace test_support
