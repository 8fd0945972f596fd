// Takes a problem from the library, simulates it and watches both parts of its energy.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

#include "dalembert/study.hpp"

int main() try {
  using namespace dalembert;
  const Problem problem = load_problem("pendulum-cvt");
  const Solution solution = simulate(problem, Dla{.alpha = 0.5}, "rotating",
                                     {.step = 0.1, .until = 3000.0, .record_every = 10});
  if (!solution.ok()) {
    std::fprintf(stderr, "%s\n", solution.message.c_str());
    return 1;
  }

  const auto driver = solution.column("driver_energy"),
             passengers = solution.column("passenger_energy");
  std::printf("%8s %16s %16s\n", "t", "driver energy", "passenger energy");
  for (std::size_t i = 0; i < solution.size(); i += 500)
    std::printf("%8.1f %16.6f %16.6f\n", solution.t(i), driver[i], passengers[i]);

  double energy_error = 0.0;
  for (const double energy : solution.energy())
    energy_error = std::max(energy_error, std::abs(energy - solution.energy(0)));
  const double constraint_error = *std::ranges::max_element(solution.constraint_error());
  std::printf("largest energy error %.2e, largest constraint error %.2e\n", energy_error,
              constraint_error);
  return energy_error < 0.1 && constraint_error < 1e-13 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
