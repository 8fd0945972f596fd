#include "dalembert/method/discrete_lagrangian.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/method/library.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/round_off.hpp"
#include "support/small_systems.hpp"
#include "support/text_system.hpp"

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

TEST_CASE("The leap-frog that begins with a drift is a map, a reflection and its adjoint") {
  // On the transmission: half a drift and half a kick, the reflection at x1' + sin(xi) x2' = 0,
  // half a kick and half a drift.
  const auto small = test_support::pendulum_cvt();
  const double h = 0.1;
  const auto program = StepProgram::compile(
      small.system, make_method({"leapfrog", {{"first", std::string("drift")}}}));
  for (const StepProgram::Block& block : program->blocks())
    CHECK(block.kind != StepProgram::Block::Kind::newton);
  Stepper stepper(program, h);
  Evaluator evaluator(small.system);
  Point point = start_point(stepper, evaluator, small.q, small.v);
  for (int k = 0; k < 20; ++k) {
    std::vector<double> q = point.q, v = point.v;
    const auto drift = [&] {
      for (std::size_t i = 0; i < 3; ++i) q[i] += h / 2.0 * v[i];
    };
    const auto kick = [&] {
      for (std::size_t i = 0; i < 3; ++i) v[i] -= h / 2.0 * (i < 2 ? q[i] : std::sin(q[i]));
    };
    drift();
    kick();
    const double s = std::sin(q[2]), impulse = -2.0 * (v[0] + s * v[1]) / (1.0 + s * s);
    v[0] += impulse;
    v[1] += s * impulse;
    kick();
    drift();
    const Point before = point;
    CHECK(stepper.step(point).status == StepStatus::ok);
    // Some twenty operations on numbers up to 2; the angle may have been wrapped.
    for (std::size_t i = 0; i < 3; ++i) {
      const double turned = point.q[i] + 2.0 * M_PI * (point.turns[i] - before.turns[i]);
      CHECK(std::fabs(turned - q[i]) < test_support::round_off_of(20.0, 4.0));
      CHECK(std::fabs(point.v[i] - v[i]) < test_support::round_off_of(20.0, 4.0));
    }
    // Divided by h.
    CHECK(std::fabs(point.lambda[0] - impulse / h) < test_support::round_off_of(20.0, 4.0 / h));
  }
}

TEST_CASE("The leap-frog that begins with a drift has no constraints on positions") {
  test_support::TextSystem text;
  text.name = "pendulum";
  text.coordinates = {"x", "y"};
  text.kinetic = "(x_dot^2 + y_dot^2)/2";
  text.potential = "y";
  text.holonomic = {"x^2 + y^2 - 1"};
  const System pendulum = define(text);
  CHECK(!make_method({"leapfrog"}).misfit(pendulum));
  const auto refusal =
      make_method({"leapfrog", {{"first", std::string("drift")}}}).misfit(pendulum);
  REQUIRE(refusal.has_value());
  CHECK(refusal->find("holonomic") != std::string::npos);
  CHECK(refusal->find("first = kick") != std::string::npos);
}
