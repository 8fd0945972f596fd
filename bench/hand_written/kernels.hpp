#pragma once
/// \file
/// Steps of explicit and implicit methods as a careful programmer writes them for one system: the
/// blocks of the equations in order, the multiplier eliminated where it is linear, Newton's
/// iteration with the exact small Jacobian where an equation is not. They round otherwise than the
/// engine. Compiled twice: `fused`, for the machine, with fused operations and the C library's
/// sines; `plain`, as compiled steps are, for any machine, unfused, with the engine's sines.

#include <cstdint>
#include <string>

namespace bench {

/// One trajectory: the first positions and velocities are those of the system.
struct Motion {
  double q[7], v[7];
  double lambda;   ///< carried, or of the last step
  double turns;    ///< of the angle of the transmission
  double epsilon;  ///< the parameter of the transmission
};

/// Takes steps of that size; returns how many, fewer if Newton's iteration or a number failed.
using HandKernel = std::uint64_t (*)(Motion& motion, double step, std::uint64_t steps);

/// The kernels of one method on one system; null where there is none by hand.
struct HandKernels {
  HandKernel one = nullptr;    ///< one trajectory, with the sines of the C library
  HandKernel lanes = nullptr;  ///< eight at once, all from that start; the first comes back
};

/// The method with this label on the transmission, problems/pendulum-cvt.toml, and on
/// problems/chaotic.toml with n = 3.
namespace fused {
HandKernels transmission_kernels(const std::string& label);
HandKernels chaotic_kernels(const std::string& label);
}  // namespace fused
namespace plain {
HandKernels transmission_kernels(const std::string& label);
HandKernels chaotic_kernels(const std::string& label);
}  // namespace plain

#ifdef DALEMBERT_BENCH_KERNELS
namespace DALEMBERT_BENCH_KERNELS {
namespace transmission {
extern const HandKernels dla01, leapfrog, runge_kutta_4, dla, lobatto, discrete_derivative;
/// Discrete gradients on D*, with the frame of the problem.
extern const HandKernels mean_value_on_dual, gonzalez_on_dual;
/// With eight stages.
extern const HandKernels gauss;
}  // namespace transmission

namespace chaotic {
extern const HandKernels dla01, leapfrog, runge_kutta_4, dla, lobatto, discrete_derivative;
extern const HandKernels mean_value_on_dual, gonzalez_on_dual, gauss;
}  // namespace chaotic

}  // namespace DALEMBERT_BENCH_KERNELS
#endif

}  // namespace bench
