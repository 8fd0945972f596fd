#include <cstdio>
#include <memory>

#include "bench.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/sensitivity/tangent_bundle.hpp"
#include "support/small_systems.hpp"

namespace bench {
namespace {

using namespace dalembert;
using Steps = std::function<void(std::uint64_t)>;

constexpr double small_step = 0.05;
constexpr std::size_t directions = 8;

/// Steps of one trajectory with what the method carries beside it, or of the method alone.
Steps single(const test_support::SmallSystem& problem, const Method& method) {
  const auto program = StepProgram::compile(problem.system, method);
  const auto stepper = std::make_shared<Stepper>(program, small_step);
  Point start = make_point(*program, problem.q, problem.v);
  for (double& entry : start.carried) entry = 0.1;
  return [stepper, start](std::uint64_t steps) {
    Point moving = start;
    for (std::uint64_t k = 0; k < steps; ++k) {
      // An adjoint goes backwards, from one state that is put in its place to the other.
      static_cast<void>(stepper->advance(moving, 0.0, k, 1));
    }
  };
}

Steps bundle(const test_support::SmallSystem& problem, const Method& method) {
  const auto tangents =
      std::make_shared<TangentBundle>(problem.system, method, Variation{}, directions, small_step);
  const auto program = StepProgram::compile(problem.system, method);
  const Point start = make_point(*program, problem.q, problem.v);
  return [tangents, start](std::uint64_t steps) {
    tangents->set_point(start);
    for (std::size_t i = 0; i < directions; ++i)
      tangents->set_tangent(i, std::vector<double>(tangents->layout().size(), 0.1));
    static_cast<void>(tangents->advance(0.0, 0, steps));
  };
}

/// Whether the method can take steps from there; `speed-splitting` cannot from a start near rest.
bool takes_steps(const test_support::SmallSystem& problem, const Method& method) {
  if (method.misfit(problem.system)) return false;
  const auto program = StepProgram::compile(problem.system, method);
  Point point = make_point(*program, problem.q, problem.v);
  return Stepper(program, small_step).advance(point, 0.0, 0, 100).status == StepStatus::ok;
}

void print_costs(const test_support::SmallSystem& problem, const std::string& name) {
  const Method method = make_method({name, {}});
  if (!takes_steps(problem, method)) {
    std::printf(" - | - | - |");
    return;
  }
  std::vector<Candidate> candidates{{"alone", single(problem, method)},
                                    {"tangent", single(problem, tangent_method(method, {}))},
                                    {"lanes", bundle(problem, method), directions},
                                    {"adjoint", single(problem, adjoint_method(method, {}))}};
  time_by_turns(candidates, 500, 25);
  const double alone = candidates[0].nanoseconds;
  std::printf(" %.1f | %.1f | %.1f |", candidates[1].nanoseconds / alone - 1.0,
              candidates[2].nanoseconds / alone, candidates[3].nanoseconds / alone);
}

}  // namespace

void print_sensitivity_costs() {
  std::printf(
      "\n| method | pendulum-cvt: a tangent | each of 8 | an adjoint | chaotic, n = 3: a tangent | "
      "each of 8 | an adjoint |\n|---|---:|---:|---:|---:|---:|---:|\n");
  for (const MethodEntry& entry : methods()) {
    const Method method = entry.make({entry.name, {}});
    const auto small = test_support::pendulum_cvt(), large = test_support::chaotic();
    if (!takes_steps(small, method) || method.tolerance() > 0.0) continue;
    std::printf("| %s |", entry.name.c_str());
    print_costs(small, entry.name);
    print_costs(large, entry.name);
    std::printf("\n");
  }
}

}  // namespace bench
