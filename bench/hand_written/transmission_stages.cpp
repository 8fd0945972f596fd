// Gauss' method with eight stages side by side for the pendulum-driven transmission: sweeps for the
// driver's accelerations, then for those of the passengers, begun with the last step's polynomial.

#include "stages.hpp"
#include "transmission.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS::transmission {
namespace {

std::uint64_t gauss_steps(Motion& motion, double step, std::uint64_t steps) {
  const double epsilon = motion.epsilon;
  const Stages& stages = Stages::of(step);
  State<double> s(motion);
  Eight a1 = 0.0, a2 = 0.0, a3 = 0.0;
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    const Eight angles = Eight(s.xi) + stages.time() * Eight(s.v3);
    Eight sine, cosine;
    Settling driver;
    bool settled = false;
    for (int sweep = 0; !settled; ++sweep) {
      if (sweep == most_sweeps) return taken;
      sine_and_cosine(angles + stages.second_integral(a3), sine, cosine);
      const Eight next = -torque_of(sine, epsilon), change = magnitude<Eight>(next - a3);
      a3 = next;
      settled = driver.is_over(largest_of(change), 1.0);
    }
    // The multiplier's equation is linear in what the passengers do.
    const Eight turning = cosine * (Eight(s.v3) + stages.integral(a3));
    const Eight shrink = Eight(1.0) / (Eight(1.0) + sine * sine);
    const Eight free1 = Eight(s.x1) + stages.time() * Eight(s.v1),
                free2 = Eight(s.x2) + stages.time() * Eight(s.v2);
    Settling passengers;
    settled = false;
    for (int sweep = 0; !settled; ++sweep) {
      if (sweep == most_sweeps) return taken;
      const Eight x1 = free1 + stages.second_integral(a1), x2 = free2 + stages.second_integral(a2),
                  v2 = Eight(s.v2) + stages.integral(a2);
      const Eight lambda = (x1 + sine * x2 - turning * v2) * shrink;
      const Eight next1 = lambda - x1, next2 = sine * lambda - x2;
      const Eight change =
          larger_of<Eight>(magnitude<Eight>(next1 - a1), magnitude<Eight>(next2 - a2));
      a1 = next1;
      a2 = next2;
      settled = passengers.is_over(
          largest_of(change),
          largest_of(larger_of<Eight>(magnitude<Eight>(a1), magnitude<Eight>(a2))));
    }
    s.x1 += step * s.v1 + stages.whole_second_integral(a1);
    s.x2 += step * s.v2 + stages.whole_second_integral(a2);
    s.xi += step * s.v3 + stages.whole_second_integral(a3);
    s.v1 += stages.whole_integral(a1);
    s.v2 += stages.whole_integral(a2);
    s.v3 += stages.whole_integral(a3);
    a1 = stages.next(a1);
    a2 = stages.next(a2);
    a3 = stages.next(a3);
    if (!s.close()) return taken;
  }
  s.store(motion);
  return steps;
}

}  // namespace

const HandKernels gauss{gauss_steps, nullptr};

}  // namespace bench::DALEMBERT_BENCH_KERNELS::transmission
