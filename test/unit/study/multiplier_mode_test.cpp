// The multiplier that lobatto carries has a mode that grows where the mass depends on q: at the
// same rate in time whatever the step. Starting every step from the exact multiplier removes it.
#include <doctest/doctest.h>

#include <cmath>

#include "dalembert/method/library.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/run/integrate.hpp"

using namespace dalembert;

namespace {

/// The largest error of the energy of a car that rolls down a slope, up to t = 50.
double energy_error(const MethodSpec& spec, double h) {
  const Problem car = load_problem("car-on-slope");
  const System& system = car.system;
  const Start& start = car.start();
  const auto program = StepProgram::compile(system, make_method(spec), {});
  Stepper stepper(program, h, system.default_parameters());
  Evaluator evaluator(system);
  Point point = start_point(stepper, evaluator, start.q, start.v);
  const double energy = evaluator.energy(0.0, start.q, start.v);
  double error = 0.0;
  const RunReport report = integrate(
      stepper, evaluator, point, {0.0, 0, std::uint64_t(50.0 / h), 1}, [&](const Sample& sample) {
        const double now = evaluator.energy(sample.t, sample.point->q, sample.point->v);
        error = numeric::larger(error, std::fabs(now - energy));
        return true;
      });
  CHECK_MESSAGE(report.status == RunReport::Status::ok, report.message);
  return error;
}

}  // namespace

TEST_CASE("The mode of the carried multiplier grows on a car; the exact multiplier has none") {
  const MethodSpec exact{"lobatto", {{"multiplier", std::string("exact")}}};
  const double carried_error =
                   energy_error({"lobatto", {{"multiplier", std::string("carried")}}}, 0.05),
               exact_error = energy_error(exact, 0.05),
               spark_error = energy_error({"spark", {}}, 0.05);
  CHECK(carried_error > 1000.0 * exact_error);
  // Where nothing grows the error is that of order 4, for both.
  CHECK(exact_error < 2.0 * spark_error);
  const double ratio = exact_error / energy_error(exact, 0.025);
  CHECK(ratio > 12.0);
  CHECK(ratio < 20.0);
}
