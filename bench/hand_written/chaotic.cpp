// Implicit steps for the chaotic problem with three pairs: Newton's iteration with the structure of
// the stiffness, bordered by the constraint.

#include "chaotic.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS::chaotic {
namespace {

template <class Number>
std::uint64_t dla_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step, half = 0.5 * h, quarter = half * half;
  Seven<Number> q = load<Number>(motion.q), v = load<Number>(motion.v), gradient = slope(q);
  Number impulse = h * motion.lambda;
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    const Seven<Number> middle = sum(q, half, v), pulled = direction(middle);
    const Seven<Number> kicked = sum(v, -half, gradient);
    Seven<Number> next = sum(sum(kicked, -half, slope(sum(q, h, v))), impulse, pulled);
    Number correction = 1.0;
    for (int pass = 0; goes_on(correction); ++pass) {
      if (pass == most_passes) return taken;
      q = sum(middle, half, next);
      gradient = slope(q);
      const Seven<Number> residual =
          sum(sum(sum(kicked, -half, gradient), impulse, pulled), -1.0, next);
      const Stiffness<Number> stiffness(1.0, quarter, 0.0, q);
      const Seven<Number> free = stiffness.solve(residual), turned = stiffness.solve(pulled);
      // The derivative of the constraint at the end.
      Seven<Number> row = direction(q);
      for (int i = 0; i < 3; ++i) row.w[i] = half * next.z[i];
      const Number change = -(along(q, next) + dot(row, free)) / dot(row, turned);
      const Seven<Number> moved = sum(free, change, turned);
      next = sum(next, 1.0, moved);
      impulse += change;
      correction = largest(moved);
    }
    v = next;
    q = sum(middle, half, v);
    gradient = slope(q);
    if (!is_finite(total(q) + total(v))) return taken;
  }
  store(q, motion.q);
  store(v, motion.v);
  motion.lambda = dalembert::numeric::get_lane(impulse, 0) / h;
  return steps;
}

/// Three stages. Eliminating the stage velocities leaves Q2 = q + h/2 v + h^2 (F1/12 + F2/24),
/// Q3 = q + h v + h^2 (F1/6 + F2/3); the last multiplier follows from Q2 by the constraint at the
/// end, and Q2 is found together with the multiplier of its stage.
template <class Number>
std::uint64_t lobatto_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step, half = 0.5 * h, square = h * h, share = square / 24.0;
  Seven<Number> q = load<Number>(motion.q), v = load<Number>(motion.v), gradient = slope(q);
  Number lambda = motion.lambda;
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    const Seven<Number> f1 = sum(scaled(lambda, direction(q)), -1.0, gradient);
    const Seven<Number> base = sum(sum(q, half, v), 2.0 * share, f1),
                        far = sum(sum(q, h, v), 4.0 * share, f1), slow = sum(v, 5.0 * h / 24.0, f1),
                        fast = sum(v, h / 6.0, f1);
    // Unknown: change = Q2 - base = h^2/24 F2.
    Seven<Number> change =
        sum(scaled(share * lambda, direction(base)), -share, slope(sum(base, share, f1)));
    Seven<Number> q2, q3, end;
    Number lambda2 = lambda, correction = 1.0;
    for (int pass = 0; goes_on(correction); ++pass) {
      if (pass == most_passes) return taken;
      q2 = sum(base, 1.0, change);
      q3 = sum(far, 8.0, change);
      const Seven<Number> a2 = direction(q2), a3 = direction(q3);
      const Seven<Number> force = sum(scaled(lambda2, a2), -1.0, slope(q2));
      const Seven<Number> residual = sum(scaled(share, force), -1.0, change);
      gradient = slope(q3);
      end = sum(sum(fast, 16.0 / h, change), -h / 6.0, gradient);
      const Number length = 1.0 / along(q3, a3), across = along(q2, a3);
      const Number lambda3 = -6.0 / h * along(q3, end) * length;
      const Number ratio = across * length;
      const Seven<Number> node =
          sum(sum(sum(slow, 8.0 / h, change), h / 24.0, gradient), -h / 24.0 * lambda3, a3);
      // The derivative of A(Q2).node in Q2, with that of lambda3.
      const Seven<Number> bent = sum(a2, -ratio, a3);
      Seven<Number> row = sum(sum({}, 8.0 / h, a2), 4.0 / h * ratio, a3);
      const double third = h / 3.0;
      row.x += third * bent.x;
      for (int i = 0; i < 3; ++i) {
        const Number w = q3.w[i], z = q3.z[i];
        row.w[i] += third * (2.0 * w * z * bent.z[i]) + node.z[i] +
                    ratio * (2.0 * end.z[i] + 2.0 * third * lambda3 * w) -
                    third * lambda3 * a2.z[i];
        row.z[i] += third * ((1.0 + w * w) * bent.z[i]);
      }
      const Number z1 = q3.z[0], z2 = q3.z[1];
      row.z[0] += third * (z2 * z2 * bent.z[0] + 2.0 * z1 * z2 * bent.z[1]);
      row.z[1] += third * (z1 * z1 * bent.z[1] + 2.0 * z1 * z2 * bent.z[0]);
      const Stiffness<Number> stiffness(1.0, share, share * lambda2, q2);
      const Seven<Number> free = stiffness.solve(residual),
                          turned = stiffness.solve(scaled(share, a2));
      const Number twist = -(along(q2, node) + dot(row, free)) / dot(row, turned);
      const Seven<Number> moved = sum(free, twist, turned);
      change = sum(change, 1.0, moved);
      lambda2 += twist;
      // As velocity and impulse, in which the equations bend little.
      correction = larger_of<Number>(h * magnitude(twist), 8.0 / h * largest(moved));
    }
    q = sum(far, 8.0, change);
    gradient = slope(q);
    end = sum(sum(fast, 16.0 / h, change), -h / 6.0, gradient);
    const Seven<Number> a3 = direction(q);
    lambda = -6.0 / h * along(q, end) / along(q, a3);
    v = sum(end, h / 6.0 * lambda, a3);
    if (!is_finite(total(q) + total(v))) return taken;
  }
  store(q, motion.q);
  store(v, motion.v);
  motion.lambda = dalembert::numeric::get_lane(lambda, 0);
  return steps;
}

}  // namespace

const HandKernels dla{dla_steps<double>, dla_steps<Eight>};
const HandKernels lobatto{lobatto_steps<double>, lobatto_steps<Eight>};

}  // namespace bench::DALEMBERT_BENCH_KERNELS::chaotic
