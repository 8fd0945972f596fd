// Gauss' method with eight stages side by side for the chaotic problem with three pairs: sweeps for
// all accelerations, begun with the last step's polynomial.

#include <algorithm>

#include "chaotic.hpp"
#include "stages.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS::chaotic {
namespace {

/// The numbers of a vector of the space, in one order.
template <class Number, class Use>
void for_each(Seven<Number>& a, const Use& use) {
  use(a.x, 0);
  for (int i = 0; i < 3; ++i) use(a.w[i], 1 + i);
  for (int i = 0; i < 3; ++i) use(a.z[i], 4 + i);
}

std::uint64_t gauss_steps(Motion& motion, double step, std::uint64_t steps) {
  const Stages& stages = Stages::of(step);
  double q[7], v[7];
  std::copy_n(motion.q, 7, q);
  std::copy_n(motion.v, 7, v);
  Seven<Eight> rate{0.0, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  for (std::uint64_t taken = 0; taken < steps; ++taken) {
    Settling pairs;
    bool settled = false;
    for (int sweep = 0; !settled; ++sweep) {
      if (sweep == most_sweeps) return taken;
      Seven<Eight> at;
      const auto set_place = [&](const Eight& a, Eight& place, int k) {
        place = Eight(q[k]) + stages.time() * Eight(v[k]) + stages.second_integral(a);
      };
      set_place(rate.x, at.x, 0);
      Eight turning = 0.0;
      for (int i = 0; i < 3; ++i) {
        set_place(rate.w[i], at.w[i], 1 + i);
        set_place(rate.z[i], at.z[i], 4 + i);
        turning = turning + (Eight(v[1 + i]) + stages.integral(rate.w[i])) *
                                (Eight(v[4 + i]) + stages.integral(rate.z[i]));
      }
      const Seven<Eight> gradient = slope(at), pulled = direction(at);
      const Eight lambda = (along(at, gradient) - turning) / along(at, pulled);
      const Seven<Eight> next = sum(sum({}, lambda, pulled), -1.0, gradient);
      const double change = largest_of(largest(sum(next, -1.0, rate)));
      rate = next;
      settled = pairs.is_over(change, largest_of(largest(rate)));
    }
    double total = 0.0;
    for_each(rate, [&](Eight& a, int k) {
      q[k] += step * v[k] + stages.whole_second_integral(a);
      v[k] += stages.whole_integral(a);
      total += q[k] + v[k];
      a = stages.next(a);
    });
    if (!is_finite(total)) return taken;
  }
  std::copy_n(q, 7, motion.q);
  std::copy_n(v, 7, motion.v);
  return steps;
}

}  // namespace

const HandKernels gauss{gauss_steps, nullptr};

}  // namespace bench::DALEMBERT_BENCH_KERNELS::chaotic
