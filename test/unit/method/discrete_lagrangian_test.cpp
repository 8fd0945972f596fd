#include "dalembert/method/discrete_lagrangian.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/method/library.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;

TEST_CASE(
    "SI-DLA and I-DLA, written at the nodes of the discrete Lagrangian, are dla01 and dla at 1/2") {
  // On the transmission, nodes Q_k with q_k = (Q_{k-1} + Q_k)/2 and v_k = (Q_k - Q_{k-1})/h:
  // (Q_{k+1} - 2 Q_k + Q_{k-1})/h = -h dV + h A(Q_k)^T lambda, A(q_{k+1}) (Q_{k+1} - Q_k) = 0,
  // with dV at Q_k (SI-DLA) or the mean of dV at the two midpoints (I-DLA).
  const auto small = test_support::pendulum_cvt();
  const double h = 0.1;
  for (const bool semi : {true, false}) {
    Stepper stepper(
        StepProgram::compile(small.system, make_method({semi ? "si-dla" : "i-dla", {}})), h);
    Evaluator evaluator(small.system);
    Point point = start_point(stepper, evaluator, small.q, small.v);
    double now[3], last[3];
    for (int i = 0; i < 3; ++i) {
      now[i] = small.q[std::size_t(i)] + 0.5 * h * small.v[std::size_t(i)];
      last[i] = small.q[std::size_t(i)] - 0.5 * h * small.v[std::size_t(i)];
    }
    const auto slope = [](double x, int i) { return i < 2 ? x : std::sin(x); };
    for (int k = 0; k < 50; ++k) {
      double next[3] = {2.0 * now[0] - last[0], 2.0 * now[1] - last[1], 2.0 * now[2] - last[2]};
      for (int pass = 0; pass < 60; ++pass) {  // a contraction with a factor of h^2
        double free[3];
        for (int i = 0; i < 3; ++i) {
          const double force =
              semi
                  ? slope(now[i], i)
                  : 0.5 * (slope(0.5 * (last[i] + now[i]), i) + slope(0.5 * (now[i] + next[i]), i));
          free[i] = 2.0 * now[i] - last[i] - h * h * force;
        }
        next[2] = free[2];
        const double s = std::sin(now[2]), s_new = std::sin(0.5 * (now[2] + next[2]));
        const double violation = (free[0] - now[0]) + s_new * (free[1] - now[1]);
        const double impulse = -violation / (1.0 + s * s_new);
        next[0] = free[0] + impulse;
        next[1] = free[1] + s * impulse;
      }
      for (int i = 0; i < 3; ++i) {
        last[i] = now[i];
        now[i] = next[i];
      }
      CHECK(stepper.step(point).status == StepStatus::ok);
    }
    // Round-off of 50 steps, amplified by differences over h.
    for (std::size_t i = 0; i < 3; ++i) {
      const double turned = point.q[i] + 2.0 * M_PI * point.turns[i];
      CHECK(turned == doctest::Approx(0.5 * (last[i] + now[i])).epsilon(1e-11));
      CHECK(point.v[i] == doctest::Approx((now[i] - last[i]) / h).epsilon(1e-10));
    }
  }
}
