// Explicit steps for the pendulum-driven transmission, and which kernels there are.

#include "transmission.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS {

HandKernels transmission_kernels(const std::string& label) {
  const struct {
    const char* label;
    HandKernels kernels;
  } methods[] = {
      {"dla01", transmission::dla01},
      {"leapfrog", transmission::leapfrog},
      {"runge-kutta-4", transmission::runge_kutta_4},
      {"dla", transmission::dla},
      {"lobatto(multiplier=carried)", transmission::lobatto},
      {"discrete-derivative", transmission::discrete_derivative},
      {"reduced-gradient(frame=given, gradient=mean-value)", transmission::mean_value_on_dual},
      {"reduced-gradient(frame=given)", transmission::gonzalez_on_dual},
      {"gauss(stages=8)", transmission::gauss},
  };
  for (const auto& method : methods) {
    if (label == method.label) return method.kernels;
  }
  return {};
}

namespace transmission {
namespace {

template <class Number>
std::uint64_t dla01_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step, half = 0.5 * h;
  State<Number> s(motion);
  Number impulse = 0.0;
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    const Number x1 = s.x1 + half * s.v1, x2 = s.x2 + half * s.v2, xi = s.xi + half * s.v3;
    const Number gear = sine_of(xi);
    s.v3 -= h * torque_of(gear, motion.epsilon);
    s.xi = xi + half * s.v3;
    const Number free1 = s.v1 - h * x1, free2 = s.v2 - h * x2;
    const Number last_gear = sine_of(s.xi);
    impulse = -(free1 + last_gear * free2) / (1.0 + last_gear * gear);
    s.v1 = free1 + impulse;
    s.v2 = free2 + impulse * gear;
    s.x1 = x1 + half * s.v1;
    s.x2 = x2 + half * s.v2;
    if (!s.close()) return taken;
  }
  s.store(motion);
  motion.lambda = dalembert::numeric::get_lane(impulse, 0) / h;
  return steps;
}

/// One sine a step: that at its end is kept.
template <class Number>
std::uint64_t leapfrog_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step, half = 0.5 * h;
  State<Number> s(motion);
  Number impulse = half * motion.lambda, gear = sine_of(s.xi);
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    const Number v1 = s.v1 + (impulse - half * s.x1);
    const Number v2 = s.v2 + (impulse * gear - half * s.x2);
    const Number v3 = s.v3 - half * torque_of(gear, motion.epsilon);
    s.x1 += h * v1;
    s.x2 += h * v2;
    s.xi += h * v3;
    gear = sine_of(s.xi);
    const Number free1 = v1 - half * s.x1, free2 = v2 - half * s.x2;
    impulse = -(free1 + gear * free2) / (1.0 + gear * gear);
    s.v1 = free1 + impulse;
    s.v2 = free2 + impulse * gear;
    s.v3 = v3 - half * torque_of(gear, motion.epsilon);
    if (!s.close()) return taken;
  }
  s.store(motion);
  motion.lambda = dalembert::numeric::get_lane(impulse, 0) / half;
  return steps;
}

/// Positions and velocities, or their rates.
template <class Number>
struct Phase {
  Number x1, x2, xi, v1, v2, v3;

  Phase rate(double epsilon) const {
    const Gear<Number> gear(xi);
    const Number g = gear.sine;
    const Number lambda = (x1 + g * x2 - gear.cosine * v3 * v2) / (1.0 + g * g);
    return {v1, v2, v3, lambda - x1, g * lambda - x2, -gear.torque(epsilon)};
  }
  Phase moved(double h, const Phase& rate) const {
    return {x1 + h * rate.x1, x2 + h * rate.x2, xi + h * rate.xi,
            v1 + h * rate.v1, v2 + h * rate.v2, v3 + h * rate.v3};
  }
};

template <class Number>
std::uint64_t runge_kutta_4_steps(Motion& motion, double step, std::uint64_t steps) {
  State<Number> s(motion);
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    const Phase<Number> y{s.x1, s.x2, s.xi, s.v1, s.v2, s.v3};
    const Phase<Number> k1 = y.rate(motion.epsilon);
    const Phase<Number> k2 = y.moved(0.5 * step, k1).rate(motion.epsilon);
    const Phase<Number> k3 = y.moved(0.5 * step, k2).rate(motion.epsilon);
    const Phase<Number> k4 = y.moved(step, k3).rate(motion.epsilon);
    const Phase<Number> sum = k1.moved(2.0, k2).moved(2.0, k3).moved(1.0, k4);
    const Phase<Number> next = y.moved(step / 6.0, sum);
    s.x1 = next.x1, s.x2 = next.x2, s.xi = next.xi;
    s.v1 = next.v1, s.v2 = next.v2, s.v3 = next.v3;
    if (!s.close()) return taken;
  }
  s.store(motion);
  return steps;
}

}  // namespace

const HandKernels dla01{dla01_steps<double>, dla01_steps<Eight>};
const HandKernels leapfrog{leapfrog_steps<double>, leapfrog_steps<Eight>};
const HandKernels runge_kutta_4{runge_kutta_4_steps<double>, runge_kutta_4_steps<Eight>};

}  // namespace transmission
}  // namespace bench::DALEMBERT_BENCH_KERNELS
