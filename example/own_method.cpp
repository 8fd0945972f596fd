// Writes a method of its own as a page of equations, measures its order, and raises it by
// composition.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

#include "dalembert/method/composition.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/run/integrate.hpp"

namespace {

using namespace dalembert;

/// The trapezoidal rule for positions and forces, with the constraint force at the middle of the
/// two positions: q1 = q0 + h (v0 + v1)/2, M (v1 - v0) = h (f(q0) + f(q1))/2 + h A(qm)^T lambda,
/// A(q1) v1 = 0.
struct Trapezoidal {
  static MethodPage<Trapezoidal> page() {
    return {.name = "trapezoidal",
            .facts = Facts{.order = 2,
                           .multiplier_order = 1,
                           .symmetric = true,
                           .reversible = true,
                           .maps_constraint_set = true,
                           .keeps_fibration = true},
            .equations = &Trapezoidal::equations};
  }
  Equations equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
    const Vector v = u.vector("v", a.v), lambda = u.multiplier("lambda", a.lambda);
    const Vector q = a.q + 0.5 * h * (a.v + v), middle = 0.5 * (a.q + q);
    const Vector force = -0.5 * (s.potential_gradient(a.q) + s.potential_gradient(q));
    return {.zero = s.mass(q) * (v - a.v) - h * (force + s.constraint_force(middle, lambda)),
            .constraint = s.constraint(q, v),
            .after = {q, v, lambda}};
  }
};

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
