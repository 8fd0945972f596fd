// Implicit steps for the pendulum-driven transmission: the driver's scalar equation first, then the
// passengers, whose equations are linear.

#include "transmission.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS::transmission {
namespace {

template <class Number>
std::uint64_t dla_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step, half = 0.5 * h, inertia = 1.0 / (1.0 + half * half);
  const double epsilon = motion.epsilon;
  State<Number> s(motion);
  Gear<Number> gear(s.xi);
  Number impulse = 0.0;
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    const Number middle = s.xi + half * s.v3, middle_gear = sine_of(middle);
    // v = kicked - h/2 torque(middle + h/2 v), guessed with the torque's tangent at the start.
    const Number torque = gear.torque(epsilon), kicked = s.v3 - half * torque;
    Number v = kicked - half * (torque + gear.stiffness(epsilon) * h * s.v3), correction = 1.0;
    for (int pass = 0; goes_on(magnitude(correction)); ++pass) {
      if (pass == most_passes) return taken;
      gear = Gear<Number>(middle + half * v);
      const Number residual = v - kicked + half * gear.torque(epsilon);
      correction = -residual / (1.0 + half * half * gear.stiffness(epsilon));
      v += correction;
    }
    gear.turn(half * correction);
    s.v3 = v;
    s.xi = middle + half * v;
    const Number middle1 = s.x1 + half * s.v1, middle2 = s.x2 + half * s.v2;
    const Number free1 = s.v1 - half * (s.x1 + middle1), free2 = s.v2 - half * (s.x2 + middle2);
    impulse = -(free1 + gear.sine * free2) / (1.0 + gear.sine * middle_gear);
    s.v1 = inertia * (free1 + impulse);
    s.v2 = inertia * (free2 + impulse * middle_gear);
    s.x1 = middle1 + half * s.v1;
    s.x2 = middle2 + half * s.v2;
    if (!s.close()) return taken;
  }
  s.store(motion);
  motion.lambda = dalembert::numeric::get_lane(impulse, 0) / h;
  return steps;
}

/// Three stages. Eliminating the stage velocities leaves Q2 = q + h/2 v + h^2 (F1/12 + F2/24),
/// Q3 = q + h v + h^2 (F1/6 + F2/3) and the multipliers of these two stages.
template <class Number>
std::uint64_t lobatto_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step, half = 0.5 * h, square = h * h, share = square / 24.0;
  const double inertia = 1.0 / (1.0 + share), epsilon = motion.epsilon;
  State<Number> s(motion);
  Gear<Number> first(s.xi);
  Number lambda = motion.lambda;
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    // The driver: Q2 = base + h^2/24 F2(Q2), guessed with the force's tangent at the start.
    const Number force = -first.torque(epsilon);
    const Number base = s.xi + half * s.v3 + 2.0 * share * force;
    Number angle = base + share * (force - first.stiffness(epsilon) * half * s.v3);
    Number correction = 1.0;
    Gear<Number> second = first;
    for (int pass = 0; goes_on(magnitude(correction)); ++pass) {
      if (pass == most_passes) return taken;
      second = Gear<Number>(angle);
      const Number residual = angle - base + share * second.torque(epsilon);
      correction = -residual / (1.0 + share * second.stiffness(epsilon));
      angle += correction;
    }
    second.turn(correction);
    const Number second_force = -second.torque(epsilon);
    s.xi += h * s.v3 + square / 6.0 * (force + 2.0 * second_force);
    const Gear<Number> third(s.xi);
    s.v3 += h / 6.0 * (force + 4.0 * second_force - third.torque(epsilon));
    // The passengers without the new multipliers: forces, positions, node velocities over h.
    const Number g1 = first.sine, g2 = second.sine, g3 = third.sine;
    const Number f1 = lambda - s.x1, f2 = lambda * g1 - s.x2;
    const Number middle1 = -inertia * (s.x1 + half * s.v1 + 2.0 * share * f1),
                 middle2 = -inertia * (s.x2 + half * s.v2 + 2.0 * share * f2);
    const Number end1 = s.x1 + h * s.v1 + square / 6.0 * (f1 + 2.0 * middle1),
                 end2 = s.x2 + h * s.v2 + square / 6.0 * (f2 + 2.0 * middle2);
    const Number slow1 = s.v1 + h / 24.0 * (5.0 * f1 + 8.0 * middle1 + end1),
                 slow2 = s.v2 + h / 24.0 * (5.0 * f2 + 8.0 * middle2 + end2);
    const Number fast1 = s.v1 + h / 6.0 * (f1 + 4.0 * middle1 - end1),
                 fast2 = s.v2 + h / 6.0 * (f2 + 4.0 * middle2 - end2);
    // Both constraints: lambda2 acts on the middle force and, through it, on the last position.
    const Number across = 1.0 + g2 * g3, moved = square / 3.0 * inertia;
    const Number m22 = h / 24.0 * (8.0 * inertia + moved) * (1.0 + g2 * g2),
                 m23 = -h / 24.0 * across, m32 = h / 6.0 * (4.0 * inertia - moved) * across,
                 m33 = h / 6.0 * (1.0 + g3 * g3);
    const Number r2 = -(slow1 + g2 * slow2), r3 = -(fast1 + g3 * fast2);
    const Number scale = 1.0 / (m22 * m33 - m23 * m32);
    const Number lambda2 = (r2 * m33 - m23 * r3) * scale;
    lambda = (m22 * r3 - m32 * r2) * scale;
    const Number pull = moved * lambda2, kick = h / 6.0 * (4.0 * inertia - moved) * lambda2;
    s.x1 = end1 + pull;
    s.x2 = end2 + pull * g2;
    s.v1 = fast1 + kick + h / 6.0 * lambda;
    s.v2 = fast2 + kick * g2 + h / 6.0 * lambda * g3;
    first = third;
    if (!s.close()) return taken;
  }
  s.store(motion);
  motion.lambda = dalembert::numeric::get_lane(lambda, 0);
  return steps;
}

}  // namespace

const HandKernels dla{dla_steps<double>, dla_steps<Eight>};
const HandKernels lobatto{lobatto_steps<double>, lobatto_steps<Eight>};

}  // namespace bench::DALEMBERT_BENCH_KERNELS::transmission
