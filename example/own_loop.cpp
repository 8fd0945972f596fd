// Takes single steps in a loop of its own: a skate on a plane whose slope is turned round by a
// feedback on the way.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/run/integrate.hpp"

int main() try {
  using namespace dalembert;
  const System skate =
      System::define({.name = "skate",
                      .coordinates = {{"x"}, {"y"}, {"heading", true}},
                      .parameters = {{.name = "slope", .value = 1.0}}},
                     [](const Symbols& s) {
                       Mechanics mechanics;
                       mechanics.kinetic = dot(s.v, s.v) / 2.0;
                       mechanics.potential = -s["slope"] * s.q[0];
                       mechanics.constraints = {-sin(s.q[2]) * s.v[0] + cos(s.q[2]) * s.v[1]};
                       return mechanics;
                     });
  const auto program = StepProgram::compile(skate, Dla01{});
  for (const StepProgram::Block& block : program->blocks()) {
    std::printf(
        "block of %zu unknowns, %s\n", block.unknowns.size(),
        block.kind == StepProgram::Block::Kind::newton ? "by Newton iteration" : "in one pass");
  }

  Stepper stepper(program, 0.01);
  Evaluator evaluator(skate);
  const double q[] = {0.0, 0.0, 1.0}, v[] = {0.0, 0.0, 1.0};
  Point point = start_point(stepper, evaluator, q, v);
  double slope = 1.0, largest_force = 0.0;
  int turns = 0;
  while (point.t < 20.0) {
    const StepReport report = stepper.step(point);
    if (report.status != StepStatus::ok) {
      std::fprintf(stderr, "no step from t = %g\n", point.t);
      return 1;
    }
    largest_force = std::max(largest_force, std::abs(point.lambda[0]));
    if (const double wanted = point.q[0] > 0.0 ? -1.0 : 1.0; wanted != slope) {
      slope = wanted;
      ++turns;
      stepper.set_parameters({&slope, 1});
    }
  }
  std::printf("at t = %.2f, after %d turns of the slope, the skate is at (%.3f, %.3f)\n", point.t,
              turns, point.q[0], point.q[1]);
  std::printf("largest force on the blade %.3f\n", largest_force);
  return evaluator.constraint_error(point.t, point.q, point.v) < 1e-12 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
