// Runs many starts of a library problem at once, in the lanes of vector registers, and compares one
// of them with a stepper alone.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <vector>

#include "dalembert/document/library.hpp"
#include "dalembert/method/discrete_lagrangian.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/step/batch_stepper.hpp"

int main() try {
  using namespace dalembert;
  using namespace dalembert::study;
  const System system = load_problem("knife-edge").system;
  const auto program = StepProgram::compile(system, Dla{.alpha = 0.5});
  const double h = 0.1;
  const std::uint64_t steps = 1000;
  const std::size_t members = 200;

  // One member per turning speed.
  Stepper stepper(program, h);
  Evaluator evaluator(system);
  std::vector<Point> starts;
  for (std::size_t i = 0; i < members; ++i) {
    const double q[] = {0.0, 0.0, 1.57}, v[] = {0.0, 0.0, 0.5 + 0.01 * static_cast<double>(i)};
    starts.push_back(start_point(stepper, evaluator, q, v));
  }

  BatchStepper batch(program, members, h, {.threads = 2});
  for (std::size_t i = 0; i < members; ++i) batch.set_point(i, starts[i]);
  std::size_t failed = 0;
  for (const StepReport& report : batch.advance(0.0, 0, steps))
    failed += report.status != StepStatus::ok;

  double farthest = 0.0;
  for (std::size_t i = 0; i < members; ++i) {
    const Point point = batch.point(i);
    farthest = std::max(farthest, std::hypot(point.q[0], point.q[1]));
  }
  std::printf("%zu members, %d in a vector, %zu failed, farthest went %.3f\n", batch.size(),
              batch.width(), failed, farthest);

  Point alone = starts[17];
  if (stepper.advance(alone, 0.0, 0, steps).status != StepStatus::ok) return 1;
  const bool equal = batch.point(17).q == alone.q && batch.point(17).v == alone.v;
  std::printf("member 17 alone gives %s\n", equal ? "the same bits" : "something else");
  return equal && failed == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
