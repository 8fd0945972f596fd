// The discrete derivative on the pendulum-driven transmission: the passengers follow from the
// driver's motion, and Newton's iteration has two unknowns.

#include "energy_parts.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS::transmission {
namespace {

/// Unknown: the driver's mean velocity m, and Gonzalez' correction, theta times the change of
/// positions.
template <class Number>
std::uint64_t discrete_derivative_steps(Motion& motion, double step, std::uint64_t steps) {
  const double h = step, half = 0.5 * h, square = h * h, epsilon = motion.epsilon;
  State<Number> s(motion);
  Extrapolated<Number> kick;
  Number theta = 0.0, lambda = motion.lambda;
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    Number m = s.v3 + kick.next(), correction = 1.0, y = 0.0, gear = 0.0;
    for (int pass = 0; goes_on(correction); ++pass) {
      if (pass == most_passes) return taken;
      const Gear<Number> middle(s.xi + half * m);
      const MeanTorque<Number> mean(middle, h * m, epsilon);
      gear = middle.sine;
      // The second passenger's mean velocity, from the equations along D.
      const Number stretch = 1.0 + gear * gear, inertia = 2.0 + 0.5 * square + theta * square;
      const Number turned = 2.0 * s.v1 - h * s.x1, scale = 1.0 / inertia;
      y = (2.0 * s.v2 - h * s.x2 - gear * turned) * scale / stretch;
      const Number passengers = stretch * y * y;
      const Number by_m = -h * middle.cosine * y * (turned * scale + gear * y),
                   by_theta = -2.0 * square * passengers * scale;
      const Number r1 = 2.0 * (m - s.v3) + h * middle.torque(epsilon) + square * theta * m,
                   r2 = theta * (passengers + m * m) - mean.excess * m / h;
      const Number j11 = 2.0 + half * h * middle.stiffness(epsilon) + square * theta,
                   j12 = square * m,
                   j21 = theta * (by_m + 2.0 * m) - (mean.excess / h + m * mean.slope),
                   j22 = passengers + m * m + theta * by_theta;
      const Number determinant = 1.0 / (j11 * j22 - j12 * j21);
      const Number change = (j12 * r2 - j22 * r1) * determinant;
      m += change;
      const Number turn = (j21 * r1 - j11 * r2) * determinant;
      theta += turn;
      correction = larger_of(magnitude(change), magnitude(turn));
      gear += half * middle.cosine * change;
    }
    // With the last correction.
    const Number stretch = 1.0 + gear * gear, inertia = 2.0 + 0.5 * square + theta * square;
    const Number turned = 2.0 * s.v1 - h * s.x1;
    y = (2.0 * s.v2 - h * s.x2 - gear * turned) / (stretch * inertia);
    lambda = -(gear * y * inertia + turned) / h;
    s.x1 -= h * gear * y;
    s.x2 += h * y;
    s.xi += h * m;
    s.v1 = -2.0 * gear * y - s.v1;
    s.v2 = 2.0 * y - s.v2;
    kick.push(m - s.v3);
    s.v3 = 2.0 * m - s.v3;
    if (!s.close()) return taken;
  }
  s.store(motion);
  motion.lambda = dalembert::numeric::get_lane(lambda, 0);
  return steps;
}

}  // namespace

const HandKernels discrete_derivative{discrete_derivative_steps<double>,
                                      discrete_derivative_steps<Eight>};

}  // namespace bench::DALEMBERT_BENCH_KERNELS::transmission
