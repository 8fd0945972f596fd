// What it costs to linearise a problem about a steady motion: to compile its equations once, and
// each time after that, also in evaluations of the accelerations.

#include <cstdio>
#include <memory>

#include "bench.hpp"
#include "dalembert/linearisation/linearise.hpp"
#include "dalembert/problem/load_problem.hpp"

namespace {

using namespace dalembert;
using Clock = std::chrono::steady_clock;

void print_costs(const char* name) {
  const Problem problem = load_problem(name);
  const Start start = prepare_start(problem.system, problem.start());
  const auto before = Clock::now();
  const auto lineariser = std::make_shared<Lineariser>(problem.system);
  const std::chrono::duration<double, std::milli> compiled = Clock::now() - before;
  const auto evaluator = std::make_shared<Evaluator>(problem.system);
  std::size_t states = 0;
  std::vector<bench::Candidate> candidates{
      {"linearisation",
       [&](std::uint64_t) { states = (*lineariser)(start.q, start.v).states.size(); }},
      {"acceleration",
       [&](std::uint64_t) {
         for (int i = 0; i < 100; ++i)
           static_cast<void>(evaluator->acceleration(0.0, start.q, start.v));
       },
       100.0}};
  bench::time_by_turns(candidates, 1, 9);
  std::printf("| %s | %zu | %zu | %.1f | %.2f | %.0f |\n", name, problem.system.dof(), states,
              compiled.count(), candidates[0].nanoseconds * 1e-6,
              candidates[0].nanoseconds / candidates[1].nanoseconds);
}

}  // namespace

int main() {
  std::printf(
      "| problem | coordinates | states | compiled once: ms | a linearisation: ms | in "
      "accelerations "
      "|\n|---|---:|---:|---:|---:|---:|\n");
  for (const char* name : {"spherical-pendulum", "tilting-disk", "tilting-disk-so3", "rattleback",
                           "bicycle", "snakeboard"})
    print_costs(name);
}
