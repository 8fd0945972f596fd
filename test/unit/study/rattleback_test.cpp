// The rattleback of the library turns back, with Kane and Levinson's data.
#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/run/integrate.hpp"

using namespace dalembert;

TEST_CASE("The rattleback reverses its spin at constant energy") {
  const Problem rattleback = load_problem("rattleback");
  const System& system = rattleback.system;
  const Start start = prepare_start(system, rattleback.start("reversing"));
  constexpr double h = 1e-3, until = 5.0;
  for (const MethodSpec& spec : {MethodSpec{"lobatto", {}}, MethodSpec{"spark", {}}}) {
    CAPTURE(label(spec));
    const auto program = StepProgram::compile(system, make_method(spec), {});
    Stepper stepper(program, h, system.default_parameters());
    Evaluator evaluator(system);
    Point point = start_point(stepper, evaluator, start.q, start.v);
    const double energy = evaluator.energy(0.0, start.q, start.v);
    double spin_min = 0.0, spin_max = 0.0, error = 0.0, constraint = 0.0;
    const RunReport report =
        integrate(stepper, evaluator, point, {0.0, 0, std::uint64_t(until / h), 1},
                  [&](const Sample& sample) {
                    const auto& state = *sample.point;
                    spin_min = numeric::smaller(spin_min, state.v[3]);
                    spin_max = numeric::larger(spin_max, state.v[3]);
                    error = numeric::larger(
                        error, std::fabs(evaluator.energy(sample.t, state.q, state.v) - energy));
                    constraint = numeric::larger(
                        constraint, evaluator.constraint_error(sample.t, state.q, state.v));
                    return true;
                  });
    CHECK_MESSAGE(report.status == RunReport::Status::ok, report.message);
    CHECK(spin_min < -4.9);
    // Turned back, with most of the spin that it can have the other way round.
    CHECK(spin_max > 2.0);
    // Order 4 with frequencies of some 100/s: (0.1)^4 of the energy.
    CHECK(error < 1e-4 * std::fabs(energy));
    CHECK(constraint < 1e-14);  // that of one step: it is set anew in each
  }
}
