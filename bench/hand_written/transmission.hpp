#pragma once
/// \file
/// What the kernels of the transmission share: its state, and what its driver's potential
/// 1 - cos(xi) - epsilon sin(2 xi)/2 gives from one sine and cosine.

#include "kernels.hpp"
#include "numbers.hpp"

namespace bench::DALEMBERT_BENCH_KERNELS::transmission {

/// The state in registers.
template <class Number>
struct State {
  Number x1, x2, xi, v1, v2, v3, turns;

  explicit State(const Motion& m)
      : x1(m.q[0]), x2(m.q[1]), xi(m.q[2]), v1(m.v[0]), v2(m.v[1]), v3(m.v[2]), turns(m.turns) {}

  void store(Motion& m) const {
    const Number* positions[] = {&x1, &x2, &xi};
    const Number* velocities[] = {&v1, &v2, &v3};
    for (int i = 0; i < 3; ++i) {
      m.q[i] = dalembert::numeric::get_lane(*positions[i], 0);
      m.v[i] = dalembert::numeric::get_lane(*velocities[i], 0);
    }
    m.turns = dalembert::numeric::get_lane(turns, 0);
  }

  /// Brings the angle back to [-pi, pi]; whether all is finite.
  bool close() {
    wrap(xi, turns);
    return is_finite(x1 + x2 + xi + v1 + v2 + v3);
  }
};

/// The driver's torque at an angle with this sine.
template <class Number>
Number torque_of(const Number& sine, double epsilon) {
  return sine - epsilon * (1.0 - 2.0 * sine * sine);
}

/// Sine and cosine of the driver's angle.
template <class Number>
struct Gear {
  Number sine, cosine;

  explicit Gear(const Number& xi) { sine_and_cosine(xi, sine, cosine); }

  Number torque(double epsilon) const { return torque_of(sine, epsilon); }
  /// The derivative of the torque.
  Number stiffness(double epsilon) const { return cosine * (1.0 + 4.0 * epsilon * sine); }
  /// Moves on by an angle whose square is below round-off.
  void turn(const Number& angle) {
    const Number before = sine;
    sine += cosine * angle;
    cosine -= before * angle;
  }
};

}  // namespace bench::DALEMBERT_BENCH_KERNELS::transmission
