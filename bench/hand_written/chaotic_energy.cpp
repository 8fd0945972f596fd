// The discrete derivative on the chaotic problem with three pairs: Newton's iteration with the
// structure of the stiffness, bordered by the constraint and by Gonzalez' correction.

#include "chaotic.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS::chaotic {
namespace {

/// Unknown: the mean velocity m, the multiplier's impulse, and theta of Gonzalez' correction, theta
/// times the change of positions.
template <class Number>
std::uint64_t discrete_derivative_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step, half = 0.5 * h, square = h * h;
  Seven<Number> q = load<Number>(motion.q), v = load<Number>(motion.v);
  Number impulse = h * motion.lambda, theta = 0.0;
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    const Seven<Number> ahead = sum(q, half, v);
    Seven<Number> m = sum(sum(v, -half, slope(ahead)), 0.5 * impulse, direction(ahead));
    Number correction = 1.0;
    for (int pass = 0; goes_on(correction); ++pass) {
      if (pass == most_passes) return taken;
      const Seven<Number> middle = sum(q, half, m), pulled = direction(middle);
      const Number unit = 2.0 + square * theta;
      const Seven<Number> residual =
          sum(sum(sum(scaled(2.0, v), -unit, m), -h, slope(middle)), impulse, pulled);
      const Stiffness<Number> stiffness(unit, half * h, half * impulse, middle);
      const Seven<Number> free = stiffness.solve(residual), turned = stiffness.solve(pulled),
                          drawn = stiffness.solve(m);
      Seven<Number> row = pulled;
      for (int i = 0; i < 3; ++i) row.w[i] = half * m.z[i];
      const Missing<Number> missing(middle, m, h);
      const Number length = dot(m, m);
      const Seven<Number> other = sum(missing.slope, -2.0 * theta, m);
      // change of m = free + turned (change of impulse) - h^2 drawn (change of theta).
      const Number r1 = along(middle, m) + dot(row, free),
                   r2 = theta * length - missing.value - dot(other, free);
      const Number j11 = dot(row, turned), j12 = -square * dot(row, drawn);
      const Number j21 = -dot(other, turned), j22 = length + square * dot(other, drawn);
      const Number determinant = 1.0 / (j11 * j22 - j12 * j21);
      const Number twist = (j12 * r2 - j22 * r1) * determinant,
                   turn = (j21 * r1 - j11 * r2) * determinant;
      const Seven<Number> moved = sum(sum(free, twist, turned), -square * turn, drawn);
      m = sum(m, 1.0, moved);
      impulse += twist;
      theta += turn;
      correction = larger_of<Number>(largest(moved), h * magnitude(turn));
    }
    q = sum(q, h, m);
    v = sum(scaled(2.0, m), -1.0, v);
    if (!is_finite(total(q) + total(v))) return taken;
  }
  store(q, motion.q);
  store(v, motion.v);
  motion.lambda = dalembert::numeric::get_lane(impulse, 0) / h;
  return steps;
}

}  // namespace

const HandKernels discrete_derivative{discrete_derivative_steps<double>,
                                      discrete_derivative_steps<Eight>};

}  // namespace bench::DALEMBERT_BENCH_KERNELS::chaotic
