// Prints what accuracy costs, by methods of the library and by solvers of ordinary differential
// equations that are there; with a file, draws it too.
//
//   dalembert_work_precision [FILE.svg]

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>

#include "bench.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "work_precision.hpp"

namespace {

using namespace work_precision;

constexpr int rounds = 15;

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

void measure_times(std::vector<Entry>& entries, double end) {
  std::vector<bench::Candidate> candidates;
  for (const Entry& entry : entries) {
    const auto repeat = [run = entry.run](std::uint64_t times) {
      for (std::uint64_t k = 0; k < times; ++k) static_cast<void>(run());
    };
    candidates.push_back({.name = entry.method, .run = repeat, .trajectories = end});
  }
  bench::time_by_turns(candidates, 1, rounds);
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
  measure_times(entries, end_of(task));
  print_times_for_errors(entries);
  print_entries(entries);
  static_cast<void>(std::fflush(stdout));
  return entries;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    print_missing();
    std::vector<std::vector<Entry>> by_task;
    for (const Task task : tasks) by_task.push_back(measure(task));
    if (count > 1) draw_entries(arguments[1], by_task);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}
