// Anahory Simoes et al. 2022, Remark 2.3: on which discretization of the flow the map exp^beta and
// its exponential method depend, on the pendulum q'' = -sin q.
#include "exponential_methods.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/measure/slope.hpp"
#include "dalembert/method/newmark.hpp"
#include "reproduce/paper/pendulum.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using namespace study;

namespace {

constexpr double beta_of_exponential = 1.0 / 6.0;
constexpr int iterations_of_exponential = 60;   // each gains a factor of h^2
constexpr int first_power = 4, last_power = 7;  // of h = 1/16 to 1/128

struct PendulumState {
  Extended q = Extended(0.7), v = Extended(0.4);
};

Extended pendulum_acceleration(const Extended& q) {
  using std::sin;
  return -sin(q);
}

/// Where a discretization of the flow takes q in h. The acceleration depends on q alone.
using FlowOfPositions = std::function<Extended(const PendulumState&, const Extended& h)>;

Extended identity_flow(const PendulumState& s, const Extended&) { return s.q; }
Extended euler_flow(const PendulumState& s, const Extended& h) { return s.q + h * s.v; }
Extended taylor_flow(const PendulumState& s, const Extended& h) {
  return s.q + h * s.v + h * h / 2 * pendulum_acceleration(s.q);
}

/// exp^beta_{q,h}(v).
Extended exponential(const PendulumState& s, const Extended& h, const FlowOfPositions& flow) {
  const Extended beta(beta_of_exponential);
  return s.q + h * s.v +
         h * h / 2 *
             ((1 - 2 * beta) * pendulum_acceleration(s.q) +
              2 * beta * pendulum_acceleration(flow(s, h)));
}

/// Newmark's own step as the flow: q_1 from its equation.
Extended newmark_flow(const PendulumState& s, const Extended& h) {
  Extended q = s.q;
  for (int pass = 0; pass < iterations_of_exponential; ++pass)
    q = exponential(s, h, [&](const PendulumState&, const Extended&) { return q; });
  return q;
}

/// A step of (7): q_1 = exp(q_0, h, v_0), and v_1 from q_0 = exp(q_1, -h, v_1).
PendulumState exponential_step(const PendulumState& s, const Extended& h,
                               const FlowOfPositions& flow) {
  PendulumState next{exponential(s, h, flow), s.v};
  for (int pass = 0; pass < iterations_of_exponential; ++pass)
    next.v = next.v - (s.q - exponential(next, -h, flow)) / h;
  return next;
}

PendulumState end_of(const FlowOfPositions& flow, int power) {
  PendulumState state;
  const Extended h = Extended(1) / Extended(1 << power);
  for (int k = 0; k < 1 << power; ++k) state = exponential_step(state, h, flow);
  return state;
}

/// The library's method from the same start to t = 1.
PendulumState newmark_end(double beta, std::uint64_t steps) {
  StepMap<Extended> map(pendulum(), Method(Newmark{.beta = beta, .beta_prime = beta}), {});
  BasicPoint<Extended> point = map.start(std::vector<double>{0.7}, std::vector<double>{0.4});
  if (!map.apply(point, Extended(1) / Extended(static_cast<double>(steps)), steps))
    return {Extended(NAN), Extended(NAN)};
  return {point.q[0], point.v[0]};
}

/// To round-off: Richardson's extrapolation of Verlet's method, whose error is a series in h^2.
PendulumState exact_end() {
  constexpr int levels = 9;
  std::vector<PendulumState> level;
  for (int k = 0; k < levels; ++k) level.push_back(newmark_end(0.0, std::uint64_t{16} << k));
  for (Extended power(4); level.size() > 1; power = power * 4) {
    for (std::size_t k = 0; k + 1 < level.size(); ++k) {
      level[k].q = (power * level[k + 1].q - level[k].q) / (power - 1);
      level[k].v = (power * level[k + 1].v - level[k].v) / (power - 1);
    }
    level.pop_back();
  }
  return level.front();
}

double distance_of_states(const PendulumState& a, const PendulumState& b) {
  using std::fabs;
  const double q = static_cast<double>(fabs(a.q - b.q)), v = static_cast<double>(fabs(a.v - b.v));
  return q > v ? q : v;
}

}  // namespace

ExperimentOutcome exponential_methods(const ReproductionEffort&) {
  const PendulumState exact = exact_end();
  std::vector<Evidence> evidence;
  std::vector<PendulumState> ends;
  const std::vector<std::pair<const char*, FlowOfPositions>> flows{
      {"the identity", identity_flow},
      {"Euler's method", euler_flow},
      {"Taylor's method of order 2", taylor_flow},
      {"Newmark's method", newmark_flow}};
  for (const auto& [name, flow] : flows) {
    std::vector<double> errors;
    PendulumState end;
    for (int power = first_power; power <= last_power; ++power) {
      end = end_of(flow, power);
      errors.push_back(distance_of_states(end, exact));
    }
    ends.push_back(end);
    const OrderSeries series = fit_order(errors, 1e-20);
    evidence.push_back({std::string("order with the flow by ") + name,
                        series.measured ? series.slope : NAN, series.uncertainty, 1.85, 2.15});
    evidence.push_back({std::string("error at t = 1, h = 1/128, with the flow by ") + name,
                        errors.back(), 0.0, -INFINITY, INFINITY, EvidenceRole::shown});
  }
  for (std::size_t k = 0; k + 1 < flows.size(); ++k)
    evidence.push_back(
        {std::string("distance from Newmark's method, h = 1/128, flow by ") + flows[k].first,
         distance_of_states(ends[k], ends.back()), 0.0, 1e-12});
  // The method's beta is 1/6, the one here that number rounded to a double.
  evidence.push_back(
      {"distance of newmark(beta=beta'=1/6) from that with its own flow, h = 1/128",
       distance_of_states(ends.back(), newmark_end(beta_of_exponential, 1U << last_power)), 0.0,
       0.0, 1e-16});
  return {{}, {{"003-C.4", evidence}}};
}

}  // namespace dalembert::reproduce
