// Defines a system in C++, the Chaplygin sleigh, and runs it with methods chosen by type and by
// name.
#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <vector>

#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/run/integrate.hpp"

namespace {

using namespace dalembert;

/// A sled on the ice: its blade, at (x, y) with heading theta, cannot slip sideways; its centre of
/// mass lies a distance a ahead of the blade.
System make_sleigh() {
  return System::define(
      {.name = "sleigh",
       .coordinates = {{"x"}, {"y"}, {"theta", /*is_angle=*/true}},
       .parameters = {{.name = "inertia", .value = 8.0, .min = 0.0, .min_exclusive = true},
                      {.name = "a", .value = 1.0}}},
      [](const Symbols& s) {
        const Expr &theta = s.q[2], &x_dot = s.v[0], &y_dot = s.v[1], &theta_dot = s.v[2];
        const Expr centre_x_dot = x_dot - s["a"] * sin(theta) * theta_dot;
        const Expr centre_y_dot = y_dot + s["a"] * cos(theta) * theta_dot;
        Mechanics mechanics;
        mechanics.kinetic =
            (square(centre_x_dot) + square(centre_y_dot) + s["inertia"] * square(theta_dot)) / 2.0;
        mechanics.constraints = {-sin(theta) * x_dot + cos(theta) * y_dot};
        return mechanics;
      });
}

struct ExperimentOutcome {
  double energy_error, forward_speed;
};

/// Runs to t = 50.
ExperimentOutcome run(const System& system, const Method& method) {
  const double h = 0.1;
  const std::vector<double> q{0.0, 0.0, 0.0}, v{-0.2, 0.0, 0.3};
  Stepper stepper(StepProgram::compile(system, method), h);
  Evaluator evaluator(system);
  Point point = start_point(stepper, evaluator, q, v);
  const RunReport report = integrate(stepper, evaluator, point, {.steps = 500}, {});
  if (report.status != RunReport::Status::ok) throw std::runtime_error(report.message);
  const ExperimentOutcome outcome{
      evaluator.energy(point.t, point.q, point.v) - evaluator.energy(0.0, q, v),
      std::cos(point.q[2]) * point.v[0] + std::sin(point.q[2]) * point.v[1]};
  std::printf("%-28s energy error %9.1e   forward speed %8.5f\n", label(method.spec()).c_str(),
              outcome.energy_error, outcome.forward_speed);
  return outcome;
}

}  // namespace

int main() try {
  const System sleigh = make_sleigh();
  run(sleigh, Dla{.alpha = 0.4});                                                     // by type
  const ExperimentOutcome dla = run(sleigh, make_method({"dla", {{"alpha", 0.5}}}));  // by name
  const ExperimentOutcome exact = run(sleigh, make_method({"energy-collocation", {}}));
  const bool agree = std::abs(dla.forward_speed - exact.forward_speed) < 1e-3;
  return agree && std::abs(exact.energy_error) < 1e-12 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
