// Prints what accuracy costs, by methods of the library and by solvers of ordinary differential
// equations that are there; with a file, draws it too.
//
//   dalembert_work_precision [FILE.svg]     errors of positions at the end
//   dalembert_work_precision energy         errors of the energy in long runs

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string_view>

#include "bench.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "work_precision.hpp"

namespace {

using namespace work_precision;

constexpr int rounds = 15, long_rounds = 3;

const Errors position_errors{{1e-6, 1e-8, 1e-10, 1e-11, 1e-12}, 1e-3};
/// 7e-3 is what an explicit step of second order has with some sixty steps in a turn.
const Errors energy_errors{{7e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-11, 1e-12}, 1e-1};

/// Ours and those of all peers that CMake has found.
std::vector<Entry> all_entries(Task task) {
  std::vector<Entry> entries = own_entries(task);
  const auto add = [&](const std::vector<Entry>& more) {
    entries.insert(entries.end(), more.begin(), more.end());
  };
  add(odeint_entries(task));
#ifdef DALEMBERT_BENCH_GSL
  add(gsl_entries(task));
#endif
#ifdef DALEMBERT_BENCH_SUNDIALS
  add(sundials_entries(task));
#endif
  return entries;
}

void print_missing() {
#ifndef DALEMBERT_BENCH_GSL
  std::printf("Missing: the GSL [libgsl-dev].\n\n");
#endif
#ifndef DALEMBERT_BENCH_SUNDIALS
  std::printf("Missing: SUNDIALS [libsundials-dev].\n\n");
#endif
}

/// The errors of all entries; drops those that give up.
void measure_errors(std::vector<Entry>& entries, const std::vector<double>& reference) {
  for (Entry& entry : entries) {
    try {
      const std::vector<double> q = entry.run();
      entry.error = 0.0;
      for (std::size_t i = 0; i < q.size(); ++i)
        entry.error = dalembert::numeric::larger(std::fabs(q[i] - reference[i]), entry.error);
    } catch (const std::exception& problem) {
      std::printf("%s with %s: %s.\n\n", entry.method.c_str(), entry.parameter.c_str(),
                  problem.what());
    }
  }
  std::erase_if(entries, [](const Entry& entry) { return std::isnan(entry.error); });
}

void measure_times(std::vector<Entry>& entries, double end, int how_often) {
  std::vector<bench::Candidate> candidates;
  for (const Entry& entry : entries) {
    const auto repeat = [run = entry.run](std::uint64_t times) {
      for (std::uint64_t k = 0; k < times; ++k) static_cast<void>(run());
    };
    candidates.push_back({.name = entry.method, .run = repeat, .trajectories = end});
  }
  bench::time_by_turns(candidates, 1, how_often);
  for (std::size_t i = 0; i < entries.size(); ++i)
    entries[i].nanoseconds = candidates[i].nanoseconds;
}

/// Measures and prints one task.
std::vector<Entry> measure(Task task) {
  const Reference reference = reference_of(task);
  std::printf("# %s\n\nThe reference is certain to %.0e.\n\n", title_of(task).c_str(),
              reference.uncertainty);
  std::vector<Entry> entries = all_entries(task);
  measure_errors(entries, reference.q);
  measure_times(entries, end_of(task), rounds);
  print_times_for_errors(entries, position_errors);
  print_entries(entries, position_errors);
  static_cast<void>(std::fflush(stdout));
  return entries;
}

void measure_long_runs(Task task) {
  std::printf("# %s\n\n", long_title_of(task).c_str());
  std::vector<Entry> entries = own_long_runs(task);
  const std::vector<Entry> peers = odeint_long_runs(task);
  entries.insert(entries.end(), peers.begin(), peers.end());
  measure_errors(entries, {0.0});
  measure_times(entries, long_time, long_rounds);
  print_times_for_errors(entries, energy_errors);
  print_entries(entries, energy_errors);
  static_cast<void>(std::fflush(stdout));
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count > 1 && std::string_view(arguments[1]) == "energy") {
      for (const Task task : tasks) measure_long_runs(task);
      return 0;
    }
    print_missing();
    std::vector<std::vector<Entry>> by_task;
    for (const Task task : tasks) by_task.push_back(measure(task));
    if (count > 1) draw_entries(arguments[1], by_task, position_errors.largest);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}
