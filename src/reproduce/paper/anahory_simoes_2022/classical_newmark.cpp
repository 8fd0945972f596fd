#include "classical_newmark.hpp"

#include <cmath>

#include "dalembert/audit/symplecticity.hpp"
#include "dalembert/measure/order.hpp"
#include "dalembert/method/newmark.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

using Numbers = std::vector<Extended>;

/// Round-off of a step, and of differences of order 8 of it, in extended precision.
constexpr double exact_step = 1e-26, exact_difference = 1e-22;
/// h = 1/8 and beta of what is measured.
constexpr double step_size = 0.125, some_beta = 0.125;

/// A particle in the plane with V = |q|^2/2 + |q|^4/4: the angular momentum is kept.
System planar_particle() {
  return System::define({.name = "planar-particle", .coordinates = {{"x"}, {"y"}}},
                        [](const Symbols& s) {
                          Mechanics mechanics;
                          mechanics.kinetic = dot(s.v, s.v) / 2.0;
                          const Expr size = dot(s.q, s.q);
                          mechanics.potential = size / 2.0 + square(size) / 4.0;
                          return mechanics;
                        });
}

Numbers acceleration(const Numbers& q) {
  const Extended factor = -(1 + q[0] * q[0] + q[1] * q[1]);
  return {factor * q[0], factor * q[1]};
}

/// One step of a member of the family on the particle.
struct PlanarStep {
  StepMap<Extended> map;
  BasicPoint<Extended> before, after;
  bool arrived;

  PlanarStep(double beta, double beta_prime)
      : map(planar_particle(), Method(Newmark{.beta = beta, .beta_prime = beta_prime}), {}),
        before(map.start(std::vector<double>{0.9, -0.3}, std::vector<double>{0.4, 1.1})),
        after(before),
        arrived(map.apply(after, Extended(step_size))) {}
};

/// By how much a step misses Eq. (1) with beta and gamma.
double classical_residual(const PlanarStep& step, double beta, double gamma) {
  if (!step.arrived) return NAN;
  const Extended h(step_size);
  const Numbers a0 = acceleration(step.before.q), a1 = acceleration(step.after.q);
  Numbers residual, zero;
  for (std::size_t i = 0; i < 2; ++i) {
    residual.push_back((step.after.q[i] - step.before.q[i]) / h - step.before.v[i] -
                       h * ((Extended(0.5) - beta) * a0[i] + beta * a1[i]));
    residual.push_back((step.after.v[i] - step.before.v[i]) / h -
                       ((1 - Extended(gamma)) * a0[i] + gamma * a1[i]));
  }
  zero.resize(residual.size(), Extended(0));
  return largest_difference(residual, zero);
}

std::vector<Evidence> gamma_evidence() {
  constexpr double beta = some_beta, beta_prime = 0.0625;
  const PlanarStep step(beta, beta_prime);
  return {{"residual of (1) with gamma = (1 + 2 beta' - 2 beta)/2",
           classical_residual(step, beta, 0.5 + beta_prime - beta), 0.0, 0.0, exact_step,
           EvidenceRole::published},
          {"residual of (1) with gamma = (1 + 2 beta - 2 beta')/2",
           classical_residual(step, beta, 0.5 + beta - beta_prime), 0.0, 0.0, exact_step,
           EvidenceRole::qualified},
          {"residual of (1) with beta = 0, gamma = 1/2 for the exponential method of (6) and (7)",
           classical_residual(PlanarStep(0.0, 0.0), 0.0, 0.5), 0.0, 0.0, exact_step}};
}

/// q - beta h^2 a(q) and v as functions of q and v.
Numbers shifted(const Numbers& state, double beta) {
  const Numbers a = acceleration({state[0], state[1]});
  const Extended factor = Extended(beta) * step_size * step_size;
  return {state[0] - factor * a[0], state[1] - factor * a[1], state[2], state[3]};
}

/// The largest entry of J^T W_1 J - W_0, J the derivative of the step and W the form dx ^ dv at the
/// shifted positions x.
double shifted_form_defect(double beta, double shift) {
  PlanarStep step(beta, beta);
  const NumberMatrix<Extended> j = step_jacobian(step.map, step.before, Extended(step_size));
  const auto map = [&](const Numbers& state) { return shifted(state, shift); };
  const auto slope = [&](const BasicPoint<Extended>& at) {
    return difference_jacobian<Extended>(map, coordinates_of(at, false));
  };
  const NumberMatrix<Extended> d0 = slope(step.before), d1 = slope(step.after);
  const auto form = [](const NumberMatrix<Extended>& d, std::size_t a, std::size_t b) {
    return d[0][a] * d[2][b] + d[1][a] * d[3][b] - d[2][a] * d[0][b] - d[3][a] * d[1][b];
  };
  double largest = 0.0;
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < 4; ++b) {
      Extended sum = -form(d0, a, b);
      for (std::size_t k = 0; k < 4; ++k) {
        for (std::size_t l = 0; l < 4; ++l) sum += j[k][a] * form(d1, k, l) * j[l][b];
      }
      largest = numeric::larger(largest, std::fabs(static_cast<double>(sum)));
    }
  }
  return largest;
}

/// The change of x_1 v_2 - x_2 v_1 in a step, x the shifted position.
double momentum_change(double beta, double shift) {
  const PlanarStep step(beta, beta);
  const auto momentum = [&](const BasicPoint<Extended>& at) {
    const Numbers x = shifted(coordinates_of(at, false), shift);
    return Extended(x[0] * x[3] - x[1] * x[2]);
  };
  return std::fabs(static_cast<double>(Extended(momentum(step.after) - momentum(step.before))));
}

std::vector<Evidence> form_evidence() {
  constexpr double b = some_beta;
  return {{"defect of dq ^ dv in a step with gamma = 1/2, beta = 1/8", shifted_form_defect(b, 0.0),
           0.0, 1e-6, INFINITY},
          {"defect of dx ^ dv, x = q - beta h^2 a(q)", shifted_form_defect(b, b), 0.0, 0.0,
           exact_difference},
          {"change of the angular momentum q x v in a step", momentum_change(b, 0.0), 0.0, 1e-6,
           INFINITY},
          {"change of x x v, x = q - beta h^2 a(q)", momentum_change(b, b), 0.0, 0.0, exact_step}};
}

/// The error at t = 1 against the smallest of the steps, which is halved.
Evidence classical_order(double beta, double beta_prime, double expected) {
  std::vector<double> errors;
  const auto end = [&](const Method& method, int steps) {
    StepMap<Extended> map(planar_particle(), method, {});
    BasicPoint<Extended> point =
        map.start(std::vector<double>{0.9, -0.3}, std::vector<double>{0.4, 1.1});
    const bool arrived = map.apply(point, Extended(1) / steps, static_cast<std::uint64_t>(steps));
    return arrived ? point.q : Numbers{};
  };
  const Numbers exact = end(Method(Gauss{.stages = 6}), 64);
  for (int k = 0; k < 5; ++k) {
    const Numbers found = end(Method(Newmark{.beta = beta, .beta_prime = beta_prime}), 16 << k);
    errors.push_back(found.empty() || exact.empty() ? NAN : largest_difference(found, exact));
  }
  const OrderSeries series = fit_order(errors, 1e-18);
  const double gamma = 0.5 + beta - beta_prime;
  return {"order of q, beta = " + std::to_string(beta).substr(0, 5) +
              ", gamma = " + std::to_string(gamma).substr(0, 5),
          series.measured ? series.slope : NAN, series.uncertainty, expected - 0.15,
          expected + 0.15};
}

}  // namespace

ExperimentOutcome classical_newmark(const ReproductionEffort&) {
  return {{},
          {{"003-C.1",
            {classical_order(0.0, 0.0, 2.0), classical_order(0.4, 0.4, 2.0),
             classical_order(0.125, 0.125, 2.0), classical_order(0.125, 0.0625, 1.0),
             classical_order(0.0, 0.25, 1.0)}},
           {"003-C.2", gamma_evidence()},
           {"003-C.3", form_evidence()}}};
}

}  // namespace dalembert::reproduce
