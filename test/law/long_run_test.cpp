// Energy over long runs in double: methods that keep it make round-off only, which grows like a
// random walk and not linearly.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/law.hpp"
#include "support/small_systems.hpp"
#include "support/text_system.hpp"
#include "support/variants.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Largest relative energy error of a run, with wrapped angles and compensated sums.
double energy_error(const System& system, const Method& method, const std::vector<double>& q,
                    const std::vector<double>& v, std::uint64_t steps, double h) {
  Stepper stepper(StepProgram::compile(system, method, {.compensated = true}), h);
  Evaluator evaluator(system);
  Point point = start_point(stepper, evaluator, q, evaluator.projected_velocity(0.0, q, v));
  const double start = evaluator.energy(0.0, point.q, point.v);
  double largest = 0.0;
  const RunReport report =
      integrate(stepper, evaluator, point, {.steps = steps, .observe_every = steps / 200},
                [&](const Sample& sample) {
                  const double now = evaluator.energy(sample.t, sample.point->q, sample.point->v);
                  largest = numeric::larger(largest, std::fabs(now - start) / std::fabs(start));
                  return true;
                });
  CHECK_MESSAGE(report.status == RunReport::Status::ok, report.message);
  return largest;
}

/// A step errs by a few units of round-off; N independent ones add up to sqrt(N) of them. An
/// iteration that is stopped too early, or an angle that grows, leaves N times a bias instead.
double random_walk(std::uint64_t steps) {
  return 8.0 * epsilon * std::sqrt(static_cast<double>(steps));
}

}  // namespace

TEST_CASE(
    "Energy-exact methods keep the energy to round-off for 100000 steps of a rotating driver") {
  const SmallSystem cvt = pendulum_cvt();
  const std::uint64_t steps = 100000;
  int measured = 0;
  for (const MethodSpec& spec : method_variants()) {
    const Method method = make_method(spec);
    if (!method.facts().exact_energy || method.misfit(cvt.system)) continue;
    ++measured;
    const double error =
        energy_error(cvt.system, method, cvt.q, {0.0, 0.0, 2.82842712}, steps, 0.1);
    CHECK_MESSAGE(error < random_walk(steps), label(spec), ": ", error);
  }
  CHECK(measured > 0);
}

TEST_CASE("A million steps keep the energy to 5e-14, on the transmission and on the knife edge") {
  // 1000 times the round-off of 5e-17 that a sum of increments a tenth of its size leaves. A bias
  // of 1e-19 per step, a two-thousandth of a unit in the last place, would break the bound: that of
  // an angle whose carry has a sign after every turn, of products with a step of 0.1, or of a last
  // correction that Newton's iteration does not repeat.
  constexpr double bound = 5e-14;
  const SmallSystem cvt = pendulum_cvt();
  const std::vector<double> rotating{0.0, 0.0, 2.82842712}, across{0.0, 0.0, M_PI / 2.0},
      turning{0.0, 0.0, 1.0};
  for (const char* name :
       {"discrete-derivative", "reduced-gradient", "energy-collocation", "gonzalez-full"}) {
    const double error =
        energy_error(cvt.system, make_method({name, {}}), cvt.q, rotating, 1000000, 0.1);
    CHECK_MESSAGE(error < bound, name, " on the transmission: ", error);
    const double turned =
        energy_error(knife_edge(), make_method({name, {}}), across, turning, 1000000, 0.1);
    CHECK_MESSAGE(turned < bound, name, " on the knife edge: ", turned);
  }
}

TEST_CASE("Energy-exact methods keep the energy of a coupled potential to round-off") {
  const Witness witness = witness_constant_mass();
  const std::uint64_t steps = 20000;
  int measured = 0;
  for (const MethodSpec& spec : method_variants(Variants::defaults)) {
    const Method method = make_method(spec);
    if (!method.facts().exact_energy || method.misfit(witness.system)) continue;
    ++measured;
    const double error = energy_error(witness.system, method, witness.q, witness.v, steps, 0.0625);
    CHECK_MESSAGE(error < random_walk(steps), label(spec), ": ", error);
  }
  CHECK(measured > 0);
}

TEST_CASE("Methods that do not promise the energy do not keep it to round-off") {
  const Witness witness = witness_constant_mass();
  int measured = 0;
  for (const MethodSpec& spec : method_variants(Variants::defaults)) {
    const Method method = make_method(spec);
    if (method.facts().exact_energy || method.misfit(witness.system)) continue;
    if (method.facts().order > 4) continue;  // near round-off at this step
    ++measured;
    const double error = energy_error(witness.system, method, witness.q, witness.v, 200, 0.125);
    // Order 4 and h = 1/8: h^4 = 2e-4 times a thousandth.
    CHECK_MESSAGE(error > 1e-7, label(spec), ": ", error);
  }
  CHECK(measured > 0);
}
