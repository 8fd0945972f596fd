// Long runs of driver-splitting: what it keeps exactly is kept to round-off, and what it does not
// keep exactly does not drift.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "dalembert/measure/latitude.hpp"
#include "dalembert/method/splitting/composition.hpp"
#include "dalembert/method/splitting/driver_splitting.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/driver_witness.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

constexpr double round_off = 0x1p-52;  // a unit in the last place of 1
constexpr std::uint64_t long_run = 100000;

/// A random walk of some units of round-off per step.
double walk(std::uint64_t steps, double units) {
  return units * round_off * std::sqrt(static_cast<double>(steps));
}

/// The largest change of a quantity in the first and in the last tenth of a run.
struct Ends {
  double first = 0.0, last = 0.0;
};

/// Runs a method and calls `see(sample, fraction of the run)` at a thousand nodes.
template <class See>
void run_long(const System& system, const std::vector<double>& parameters, const Method& method,
              const std::vector<double>& q, const std::vector<double>& v, double h,
              std::uint64_t steps, const See& see) {
  Stepper stepper(StepProgram::compile(system, method, {.compensated = true}), h, parameters);
  Evaluator evaluator(system, parameters);
  Point point = start_point(stepper, evaluator, q, evaluator.projected_velocity(0.0, q, v));
  std::uint64_t sample_count = 0;
  const RunReport report =
      integrate(stepper, evaluator, point, {.steps = steps, .observe_every = steps / 1000},
                [&](const Sample& sample) {
                  see(*sample.point, static_cast<double>(sample_count++) / 1000.0);
                  return true;
                });
  CHECK_MESSAGE(report.status == RunReport::Status::ok, report.message);
}

void add(Ends& ends, double fraction, double change) {
  if (fraction <= 0.1) ends.first = numeric::larger(ends.first, std::fabs(change));
  if (fraction >= 0.9) ends.last = numeric::larger(ends.last, std::fabs(change));
}

struct TransmissionChanges {
  Ends driver, passengers, latitude;
};

TransmissionChanges transmission_changes(const Method& method, double epsilon, double speed,
                                         std::uint64_t steps) {
  const SmallSystem cvt = pendulum_cvt();
  Latitude latitude(cvt.system, std::vector<double>{epsilon});
  TransmissionChanges changes;
  double start[3] = {};
  run_long(cvt.system, {epsilon}, method, cvt.q, {0.0, 0.0, speed}, 0.1, steps,
           [&](const Point& at, double fraction) {
             const auto& [x1, x2, xi] = std::tie(at.q[0], at.q[1], at.q[2]);
             const double now[3] = {
                 at.v[2] * at.v[2] / 2.0 + 1.0 - std::cos(xi) - epsilon * std::sin(2.0 * xi) / 2.0,
                 (at.v[0] * at.v[0] + at.v[1] * at.v[1] + x1 * x1 + x2 * x2) / 2,
                 latitude.sine(at.q, at.v)};
             if (fraction == 0.0) std::copy(now, now + 3, start);
             add(changes.driver, fraction, now[0] - start[0]);
             add(changes.passengers, fraction, now[1] - start[1]);
             add(changes.latitude, fraction, now[2] - start[2]);
           });
  return changes;
}

}  // namespace

TEST_CASE("On the transmission driver-splitting keeps or bounds all three integrals") {
  // Epsilon takes away the reversal of a rotating driver, and all other methods drift.
  for (const double epsilon : {0.0, 0.1, 0.5}) {
    for (const double speed : {1.8973666, 2.82842712}) {
      CAPTURE(epsilon);
      CAPTURE(speed);
      for (const Method& method :
           {Method(DriverSplitting{}),
            Method(Compose{.base = DriverSplitting{}, .scheme = Scheme::suzuki_4})}) {
        const TransmissionChanges changes = transmission_changes(method, epsilon, speed, long_run);
        CHECK(changes.passengers.last < walk(long_run, 8.0));
        CHECK(changes.driver.last < 1.2 * changes.driver.first);
        // Beats slowly; a drift would make it ten times as large.
        CHECK(changes.latitude.last < 2.0 * changes.latitude.first);
      }
    }
  }
}

TEST_CASE("dla01 drifts where driver-splitting does not") {
  const TransmissionChanges changes = transmission_changes(Dla01{}, 0.5, 2.82842712, long_run);
  CHECK(changes.passengers.last > 3.0 * changes.passengers.first);
}

TEST_CASE("Energy and constraint of chaotic chains stay at round-off") {
  const auto changes = [](const Witness& chain, const Method& method, double& constraint) {
    Evaluator evaluator(chain.system);
    double start = 0.0, energy = 0.0;
    run_long(chain.system, {}, method, chain.q, chain.v, 0.1, long_run,
             [&](const Point& at, double fraction) {
               const double now = evaluator.energy(at.t, at.q, at.v);
               if (fraction == 0.0) start = now;
               energy = numeric::larger(energy, std::fabs(now / start - 1.0));
               constraint =
                   numeric::larger(constraint, evaluator.constraint_error(at.t, at.q, at.v));
             });
    return energy;
  };
  for (const std::size_t pairs : {1, 2, 3, 4, 5}) {
    CAPTURE(pairs);
    double constraint = 0.0;
    CHECK(changes(witness_chain(pairs), DriverSplitting{}, constraint) < walk(long_run, 8.0));
    // That of one step: it is set anew in each.
    CHECK(constraint < 20.0 * round_off);
    // Of order 2: h^2 = 0.01 times some hundredths.
    CHECK(changes(witness_chain(pairs), Dla01{}, constraint) > 1e-4);
  }
}
