#include "dalembert/method/library.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/error.hpp"
#include "dalembert/method/composition.hpp"
#include "dalembert/method/describe.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/method/lobatto.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/small_systems.hpp"

using namespace dalembert;

namespace {

std::string refusal(const MethodSpec& spec) {
  try {
    make_method(spec);
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}
bool says(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

OptionValue base(const std::string& name, std::map<std::string, OptionValue> options = {}) {
  return std::make_shared<const MethodSpec>(MethodSpec{name, std::move(options)});
}

}  // namespace

TEST_CASE("Every method can be made with its defaults, labelled, and described") {
  for (const MethodEntry& entry : methods()) {
    INFO(entry.name);
    const Method method = make_method({entry.name, {}});
    CHECK(method.name() == entry.name);
    CHECK(label({entry.name, {}}) == entry.name);
    CHECK(describe_equations(method).size() >= 2);
    CHECK_FALSE(entry.source.empty());
    // The whole specification gives the same method again.
    CHECK(label(make_method(method.spec()).spec()) == label(method.spec()));
  }
}

TEST_CASE("Options that make no sense are refused with what is admissible") {
  CHECK(says(refusal({"dal", {}}), "did you mean \"dla\""));
  CHECK(says(refusal({"dla", {{"alpha", 1.5}}}), "must be in [0, 1]"));
  CHECK(says(refusal({"dla", {{"beta", 0.5}}}), "its options are alpha"));
  CHECK(says(refusal({"gauss", {{"stages", 2.5}}}), "whole number"));
  CHECK(says(refusal({"reduced-gradient", {{"gradient", std::string("gonzales")}}}),
             "must be one of gonzalez"));
  CHECK(says(refusal({"newmark", {{"beta", 0.25}, {"beta_prime", 0.25}}}), "does not converge"));
  CHECK(says(refusal({"velocity-dla", {{"node", std::string("q0 + q1")}}}), "(q, q) to (q, 0)"));
  CHECK(says(refusal({"velocity-dla", {{"node", std::string("q0 + ")}}}), "expected"));
  CHECK(Method(Newmark{.beta = 0.24, .beta_prime = 0.25}).warning().has_value());
  CHECK_FALSE(Newmark{}.warning().has_value());
}

TEST_CASE("A base whose order cannot be raised is refused with the reason") {
  CHECK(says(refusal({"compose", {{"base", base("discrete-derivative")}}}),
             "does not map the constraint set"));
  CHECK(says(refusal({"compose", {{"base", base("dla", {{"alpha", 0.4}})}}}),
             "symmetric and of order 2"));
  CHECK(
      says(refusal({"compose", {{"base", base("leapfrog")}, {"scheme", std::string("yoshida-6")}}}),
           "stay at order 4"));
  CHECK(refusal({"compose", {{"base", base("leapfrog")}}}).empty());
}

TEST_CASE("Composition coefficients satisfy the order conditions that are sums of powers") {
  for (const CompositionScheme& scheme : composition_schemes()) {
    INFO(scheme.name);
    // For a symmetric base of order 2 and a palindrome: sum g = 1, sum g^3 = 0, and sum g^5 = 0
    // from order 6, g^7 from 8.
    for (int power = 1; power < scheme.order; power += 2) {
      Constant sum{power == 1 ? -1.0 : 0.0};
      for (const Constant& fraction : scheme.fractions) {
        Constant term{1.0};
        for (int k = 0; k < power; ++k) term = term * fraction;
        sum = sum + term;
      }
      // Printed to 26 digits; the tenfold covers the slopes of the powers.
      CHECK(std::fabs(sum.high) < 1e-24);
    }
  }
}

TEST_CASE("The Lobatto tableaux satisfy their simplifying assumptions") {
  for (int s = 2; s <= 7; ++s) {
    const LobattoTableaux t = lobatto_tableaux(s);
    const auto count = static_cast<std::size_t>(s);
    const auto power = [](Constant x, int k) {
      Constant result{1.0};
      for (int i = 0; i < k; ++i) result = result * x;
      return result;
    };
    double worst = 0.0;
    const auto expect = [&](const Constant& value, const Constant& expected) {
      worst = std::max(worst, std::fabs((value - expected).high));
    };
    for (int k = 1; k <= 2 * s - 2; ++k) {  // B(2s - 2)
      Constant sum{0.0};
      for (std::size_t j = 0; j < count; ++j) sum = sum + t.b[j] * power(t.c[j], k - 1);
      expect(sum, Constant{1.0} / Constant{double(k)});
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (int k = 1; k <= s; ++k) {  // IIIA: C(s); IIIB: C(s - 2)
        Constant sum{0.0}, hat{0.0};
        for (std::size_t j = 0; j < count; ++j) {
          sum = sum + t.a[i][j] * power(t.c[j], k - 1);
          hat = hat + t.a_hat[i][j] * power(t.c[j], k - 1);
        }
        expect(sum, power(t.c[i], k) / Constant{double(k)});
        if (k <= s - 2) expect(hat, power(t.c[i], k) / Constant{double(k)});
      }
      expect(t.a[0][i], Constant{0.0});
      expect(t.a[count - 1][i], t.b[i]);
      expect(t.a_hat[i][0], t.b[0]);
      expect(t.a_hat[i][count - 1], Constant{0.0});
    }
    CHECK(worst < 1e-27);  // 106 bits, less what the Lagrange polynomials in powers cost
  }
}

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

TEST_CASE("An adjoint whose guesses use unknowns of later blocks compiles and inverts its base") {
  // The snakeboard (problems/snakeboard.toml): rotor and axles turn in blocks of their own.
  const SystemDescription about{
      .name = "board", .coordinates = {{"x"}, {"y"}, {"theta"}, {"psi"}, {"phi_1"}, {"phi_2"}}};
  const System board = System::define(about, [](const Symbols& s) {
    const Expr &theta = s.q[2], &turn = s.v[2];
    Mechanics m;
    m.kinetic =
        0.5 * (square(s.v[0]) + square(s.v[1]) + 0.5 * square(turn) + 0.4 * square(turn + s.v[3]) +
               0.1 * (square(turn + s.v[4]) + square(turn + s.v[5])));
    for (const std::size_t k : {4, 5}) {
      const Expr lever = (k == 4 ? 1.0 : -1.0) * cos(s.q[k]), heading = theta + s.q[k];
      m.constraints.push_back(cos(heading) * s.v[1] - sin(heading) * s.v[0] + lever * turn);
    }
    return m;
  });
  const Dla base{.alpha = 0.0};
  Stepper forward(StepProgram::compile(board, Adjoint{base}), 0.02);
  Stepper back(StepProgram::compile(board, base), -0.02);
  Evaluator evaluator(board);
  const std::vector<double> q{0.0, 0.0, 0.0, 0.0, 0.4, -0.4};
  const std::vector<double> v{0.5 * std::cos(0.4) / std::sin(0.4), 0.0, 0.5, 1.0, 0.3, 0.2};
  Point point = start_point(forward, evaluator, q, v);
  CHECK(forward.step(point).status == StepStatus::ok);
  CHECK(back.step(point).status == StepStatus::ok);
  for (std::size_t i = 0; i < q.size(); ++i) {  // round-off of two steps
    CHECK(std::fabs(point.q[i] - q[i]) < 1e-14);
    CHECK(std::fabs(point.v[i] - v[i]) < 1e-14);
  }
}
