// Takes a method of its own (trapezoidal.hpp), measures its order, and raises it by composition.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/method/splitting/composition.hpp"
#include "dalembert/run/integrate.hpp"
#include "trapezoidal.hpp"

namespace {

using namespace dalembert;
using example::Trapezoidal;

/// A ball in a bowl that cannot move freely: z_dot = y x_dot.
System make_system() {
  return System::define({.name = "bowl", .coordinates = {{"x"}, {"y"}, {"z"}}},
                        [](const Symbols& s) {
                          Mechanics mechanics;
                          mechanics.kinetic = dot(s.v, s.v) / 2.0;
                          mechanics.potential = dot(s.q, s.q) / 2.0 + square(s.q[0] * s.q[1]);
                          mechanics.constraints = {s.v[2] - s.q[1] * s.v[0]};
                          return mechanics;
                        });
}

std::vector<double> position_at_2(const Method& method, std::uint64_t steps) {
  const System system = make_system();
  const double h = 2.0 / static_cast<double>(steps), q[] = {1.0, 0.5, 0.0}, v[] = {0.2, 1.0, 0.1};
  Stepper stepper(StepProgram::compile(system, method), h);
  Evaluator evaluator(system);
  Point point = start_point(stepper, evaluator, q, v);
  if (stepper.advance(point, 0.0, 0, steps).status != StepStatus::ok) std::abort();
  return point.q;
}

double measured_order(const Method& method, const std::vector<double>& exact) {
  double errors[2] = {};
  for (int i = 0; i < 2; ++i) {
    const std::vector<double> q = position_at_2(method, 50U << i);
    for (int k = 0; k < 3; ++k) errors[i] = std::max(errors[i], std::abs(q[k] - exact[k]));
  }
  return std::log2(errors[0] / errors[1]);
}

}  // namespace

int main() {
  const std::vector<double> exact = position_at_2(Gauss{.stages = 4}, 400);
  const double order = measured_order(Trapezoidal{}, exact);
  const double raised =
      measured_order(Compose{.base = Trapezoidal{}, .scheme = Scheme::suzuki_4}, exact);
  std::printf("trapezoidal: measured order %.3f\ncomposed:    measured order %.3f\n", order,
              raised);
  return std::abs(order - 2.0) < 0.1 && std::abs(raised - 4.0) < 0.1 ? 0 : 1;
}
