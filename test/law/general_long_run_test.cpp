// Long runs on general systems: moving energy, both constraints of a pendulum, a body that turns
// back.

#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/run/integrate.hpp"
#include "support/text_system.hpp"

using namespace dalembert;
using namespace test_support;

namespace {

/// Largest changes of the energy and of one more quantity over a run.
struct Changes {
  double energy = 0.0, other = 0.0, constraint = 0.0;
  std::string failure;
};

template <class Other>
Changes run(const System& system, const MethodSpec& spec, const std::vector<double>& q,
            const std::vector<double>& v, double h, std::uint64_t steps, const Other& other) {
  const auto program = StepProgram::compile(system, make_method(spec), {.compensated = true});
  Stepper stepper(program, h, system.default_parameters());
  Evaluator evaluator(system);
  Point point = start_point(stepper, evaluator, q, v);
  const double energy = evaluator.energy(0.0, q, v), value = other(evaluator, q, v);
  Changes changes;
  const RunReport report =
      integrate(stepper, evaluator, point, {0.0, 0, steps, 1}, [&](const Sample& sample) {
        const auto& at = sample.point->q;
        const auto& rate = sample.point->v;
        changes.energy = numeric::larger(changes.energy,
                                         std::fabs(evaluator.energy(sample.t, at, rate) - energy));
        changes.other =
            numeric::larger(changes.other, std::fabs(other(evaluator, at, rate) - value));
        changes.constraint =
            numeric::larger(changes.constraint, evaluator.constraint_error(sample.t, at, rate));
        return true;
      });
  changes.failure = report.message;
  return changes;
}

/// problems/affine-particle.toml
System affine_particle() {
  TextSystem text = particle_in_space("affine-particle");
  text.potential = "(y^2 + 0.6*z^2)/2";
  text.constraints = {"z_dot - y*(x_dot - 0.5)"};
  return define(text);
}

/// problems/spherical-pendulum.toml
System spherical_pendulum() {
  TextSystem text = particle_in_space("spherical-pendulum");
  text.potential = "z";
  text.holonomic = {"(x^2 + y^2 + z^2 - 1)/2"};
  return define(text);
}

}  // namespace

TEST_CASE("The moving energy of an affine system stays bounded while the energy varies") {
  const System system = affine_particle();
  const std::vector<double> q{0, 0.7, 0.4}, v{1, 0.5, 0.35};
  const auto moving = [](Evaluator& evaluator, std::span<const double> at,
                         std::span<const double> rate) {
    return evaluator.energy(0.0, at, rate) - 0.5 * rate[0];
  };
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    // A hundred times as long and no larger: no drift.
    const std::uint64_t steps = k == 0 ? 2000 : 200000;
    const Changes changes = run(system, {"lobatto", {{"stages", 3.0}}}, q, v, 0.1, steps, moving);
    CHECK(changes.failure.empty());
    CHECK(changes.energy > 0.05);
    errors[k] = changes.other;
  }
  CHECK(errors[0] < 1e-4);  // h^4
  CHECK(errors[1] < 1.5 * errors[0]);
}

TEST_CASE("The spherical pendulum keeps its constraints and its angular momentum to round-off") {
  const System system = spherical_pendulum();
  const std::vector<double> q{std::sin(0.8), 0, -std::cos(0.8)},
      v{0.3 * std::cos(0.8), 0.9, 0.3 * std::sin(0.8)};
  const auto angular = [](Evaluator&, std::span<const double> at, std::span<const double> rate) {
    return at[0] * rate[1] - at[1] * rate[0];
  };
  for (const MethodSpec& spec : {MethodSpec{"rattle", {}}, MethodSpec{"lobatto", {{"stages", 3.0}}},
                                 MethodSpec{"variational-runge-kutta", {{"stages", 3.0}}}}) {
    CAPTURE(label(spec));
    const Changes changes = run(system, spec, q, v, 0.05, 100000, angular);
    CHECK(changes.failure.empty());
    // Round-off of one step, not of all: the constraint is solved anew in each.
    CHECK(changes.constraint < 1e-14);
    // A random walk of 1e5 roundings: 300 units and a margin of 10.
    CHECK(changes.other < 3000 * 1.1e-16);
    CHECK(changes.energy < 1e-3);  // bounded: h^2 for RATTLE
  }
}
