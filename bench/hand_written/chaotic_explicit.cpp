// Explicit steps for the chaotic problem with three pairs, and which kernels there are. The
// multiplier does not move the w, so that its equation is linear.

#include "chaotic.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS {

HandKernels chaotic_kernels(const std::string& label) {
  const struct {
    const char* label;
    HandKernels kernels;
  } methods[] = {
      {"dla01", chaotic::dla01},
      {"leapfrog", chaotic::leapfrog},
      {"runge-kutta-4", chaotic::runge_kutta_4},
      {"dla", chaotic::dla},
      {"lobatto(multiplier=carried)", chaotic::lobatto},
      {"discrete-derivative", chaotic::discrete_derivative},
      {"reduced-gradient(frame=given, gradient=mean-value)", chaotic::mean_value_on_dual},
      {"reduced-gradient(frame=given)", chaotic::gonzalez_on_dual},
      {"gauss(stages=8)", chaotic::gauss},
  };
  for (const auto& method : methods) {
    if (label == method.label) return method.kernels;
  }
  return {};
}

namespace chaotic {
namespace {

template <class Number>
std::uint64_t dla01_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step, half = 0.5 * h;
  Seven<Number> q = load<Number>(motion.q), v = load<Number>(motion.v);
  Number impulse = 0.0;
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    const Seven<Number> middle = sum(q, half, v), pulled = direction(middle);
    v = sum(v, -h, slope(middle));
    for (int i = 0; i < 3; ++i) q.w[i] = middle.w[i] + half * v.w[i];
    impulse = -along(q, v) / along(q, pulled);
    v = sum(v, impulse, pulled);
    q = sum(middle, half, v);
    if (!is_finite(total(q) + total(v))) return taken;
  }
  store(q, motion.q);
  store(v, motion.v);
  motion.lambda = dalembert::numeric::get_lane(impulse, 0) / h;
  return steps;
}

template <class Number>
std::uint64_t leapfrog_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step, half = 0.5 * h;
  Seven<Number> q = load<Number>(motion.q), v = load<Number>(motion.v), gradient = slope(q),
                pulled = direction(q);
  Number impulse = half * motion.lambda;
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    v = sum(sum(v, -half, gradient), impulse, pulled);
    q = sum(q, h, v);
    gradient = slope(q);
    pulled = direction(q);
    v = sum(v, -half, gradient);
    impulse = -along(q, v) / along(q, pulled);
    v = sum(v, impulse, pulled);
    if (!is_finite(total(q) + total(v))) return taken;
  }
  store(q, motion.q);
  store(v, motion.v);
  motion.lambda = dalembert::numeric::get_lane(impulse, 0) / half;
  return steps;
}

/// The acceleration with the multiplier eliminated.
template <class Number>
Seven<Number> acceleration(const Seven<Number>& q, const Seven<Number>& v) {
  const Seven<Number> gradient = slope(q), pulled = direction(q);
  const Number turning = v.w[0] * v.z[0] + v.w[1] * v.z[1] + v.w[2] * v.z[2];
  const Number lambda = (along(q, gradient) - turning) / along(q, pulled);
  Seven<Number> r;
  r.x = lambda - gradient.x;
  for (int i = 0; i < 3; ++i) r.w[i] = -gradient.w[i];
  for (int i = 0; i < 3; ++i) r.z[i] = lambda * q.w[i] - gradient.z[i];
  return r;
}

template <class Number>
std::uint64_t runge_kutta_4_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step, half = 0.5 * h;
  Seven<Number> q = load<Number>(motion.q), v = load<Number>(motion.v);
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    const Seven<Number> a1 = acceleration(q, v), v2 = sum(v, half, a1);
    const Seven<Number> a2 = acceleration(sum(q, half, v), v2), v3 = sum(v, half, a2);
    const Seven<Number> a3 = acceleration(sum(q, half, v2), v3), v4 = sum(v, h, a3);
    const Seven<Number> a4 = acceleration(sum(q, h, v3), v4);
    q = sum(q, h / 6.0, sum(sum(sum(v, 2.0, v2), 2.0, v3), 1.0, v4));
    v = sum(v, h / 6.0, sum(sum(sum(a1, 2.0, a2), 2.0, a3), 1.0, a4));
    if (!is_finite(total(q) + total(v))) return taken;
  }
  store(q, motion.q);
  store(v, motion.v);
  return steps;
}

}  // namespace

const HandKernels dla01{dla01_steps<double>, dla01_steps<Eight>};
const HandKernels leapfrog{leapfrog_steps<double>, leapfrog_steps<Eight>};
const HandKernels runge_kutta_4{runge_kutta_4_steps<double>, runge_kutta_4_steps<Eight>};

}  // namespace chaotic
}  // namespace bench::DALEMBERT_BENCH_KERNELS
