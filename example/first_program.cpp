#include <cstdio>

#include "dalembert/study.hpp"

int main() {
  using namespace dalembert;
  const Problem problem = load_problem("pendulum-cvt");
  const Solution solution =
      simulate(problem, Dla{.alpha = 0.5}, "rotating", {.step = 0.1, .until = 100});
  for (std::size_t i = 0; i < solution.size(); i += 100)
    std::printf("%5.1f %10.6f %14.10f\n", solution.t(i), solution.q(i)[2], solution.energy(i));
  if (!solution.ok()) std::printf("%s\n", solution.message.c_str());
  return solution.ok() ? 0 : 1;
}
