// Takes a problem from the library, integrates it and watches both parts of its energy.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <tuple>

#include "dalembert/document/library.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/run/integrate.hpp"

int main() try {
  using namespace dalembert;
  const System system = make_system(read_problem_file(find_problem("pendulum-cvt")));
  const Start& start = system.description().starts.at(1);
  std::printf("%s, start \"%s\"\n", system.name().c_str(), start.name.c_str());

  const double h = 0.1;
  Stepper stepper(StepProgram::compile(system, Dla{.alpha = 0.5}), h);
  Evaluator evaluator(system);
  Point point = start_point(stepper, evaluator, start.q, start.v);

  const double initial_energy = evaluator.energy(0.0, start.q, start.v);
  double energy_error = 0.0, constraint_error = 0.0, parts[2];
  // A sample shows unwrapped angles in q; the mechanics keeps more digits with the wrapped ones of
  // the stepper's own point.
  const Observer observer = [&](const Sample& sample) {
    const auto& [t, q, v] = std::tie(sample.t, sample.point->q, sample.point->v);
    energy_error = std::max(energy_error, std::abs(evaluator.energy(t, q, v) - initial_energy));
    constraint_error = std::max(constraint_error, evaluator.constraint_error(t, q, v));
    evaluator.integrals(t, q, v, parts);
    if (sample.step % 5000 == 0) std::printf("%8.1f %16.6f %16.6f\n", t, parts[0], parts[1]);
    return true;  // false would stop the run
  };
  std::printf("%8s %16s %16s\n", "t", "driver energy", "passenger energy");
  const RunReport report =
      integrate(stepper, evaluator, h, point, {.steps = 30000, .observe_every = 10}, observer);
  if (report.status != RunReport::Status::ok) {
    std::fprintf(stderr, "%s\n", report.message.c_str());
    return 1;
  }
  std::printf("largest energy error %.2e, largest constraint error %.2e\n", energy_error,
              constraint_error);
  return energy_error < 0.1 && constraint_error < 1e-13 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
