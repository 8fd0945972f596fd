// What it is worth that Newton's iterations begin where earlier steps point, and keep their matrix.

#include <algorithm>
#include <cstdio>
#include <memory>

#include "bench.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/step/stepper.hpp"
#include "support/small_systems.hpp"

namespace bench {
namespace {

using namespace dalembert;

constexpr std::uint64_t steps = 2000;

/// Steps one by one; before each of them what was known of the steps before is forgotten, or not.
/// Adds to `passes`.
Candidate one_by_one(const std::shared_ptr<const StepProgram>& program,
                     const test_support::SmallSystem& problem, double h, bool forgets,
                     std::uint64_t& passes) {
  const auto stepper = std::make_shared<Stepper>(program, h);
  const Point start = make_point(*program, problem.q, problem.v);
  return {"", [=, &passes](std::uint64_t count) {
            Point point = start;
            for (std::uint64_t k = 0; k < count; ++k) {
              if (forgets) std::ranges::fill(point.history, 0.0);
              passes += stepper->advance(point, 0.0, k, 1).iterations;
            }
          }};
}

void print_row(const char* name, const test_support::SmallSystem& problem, const MethodSpec& spec,
               double h) {
  const auto program = StepProgram::compile(problem.system, make_method(spec));
  if (program->history_count() == 0) return;
  const bool keeps = std::ranges::any_of(program->tape().loops, &TapeLoop::keeps_matrix);
  constexpr int rounds = 31;
  std::uint64_t forgotten = 0, known = 0;
  std::vector<Candidate> candidates{one_by_one(program, problem, h, true, forgotten),
                                    one_by_one(program, problem, h, false, known)};
  time_by_turns(candidates, steps, rounds);
  const auto per_step = [](std::uint64_t passes) {
    return static_cast<double>(passes) / (rounds * static_cast<double>(steps));
  };
  std::printf("| %s | %s | %g | %s | %.2f | %.2f | %.0f | %.0f | %.2f |\n", name,
              label(spec).c_str(), h, keeps ? "kept" : "new", per_step(forgotten), per_step(known),
              candidates[0].median, candidates[1].median,
              candidates[0].median / candidates[1].median);
  std::fflush(stdout);
}

}  // namespace

void print_newton_starts() {
  std::printf(
      "\n| problem | method | step | matrix | passes, begun anew | passes | begun anew: ns per "
      "step "
      "| ns per step | gain |\n|---|---|---:|---|---:|---:|---:|---:|---:|\n");
  const std::vector<MethodSpec> specs{
      {"lobatto"},
      {"lobatto", {{"stages", 5.0}}},
      {"gauss"},
      {"discrete-derivative"},
      {"reduced-gradient"},
      {"reduced-gradient", {{"frame", "given"}, {"gradient", "mean-value"}}},
      {"hamel"},
      {"energy-collocation"}};
  for (const double h : {0.1, 0.02}) {
    for (const MethodSpec& spec : specs)
      print_row("pendulum-cvt", test_support::pendulum_cvt(), spec, h);
    for (const MethodSpec& spec : specs)
      print_row("chaotic, n = 3", test_support::chaotic(), spec, h);
  }
}

}  // namespace bench
