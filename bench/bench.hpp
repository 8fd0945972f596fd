#pragma once
/// \file
/// Timing by turns: on a machine that others use too, only ratios within one run mean something.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace bench {

/// Something to time: `run(steps)` takes that many steps of `trajectories` trajectories.
struct Candidate {
  std::string name;
  std::function<void(std::uint64_t)> run;
  double trajectories = 1.0;
  double nanoseconds = std::numeric_limits<double>::infinity();  ///< least per step and trajectory
  double median = 0.0;                                           ///< of the rounds
};

/// The least time of each candidate over several rounds, and the median, one after the other in
/// every round.
inline void time_by_turns(std::vector<Candidate>& candidates, std::uint64_t steps, int rounds) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::vector<double>> times(candidates.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      Candidate& candidate = candidates[i];
      const auto begin = Clock::now();
      candidate.run(steps);
      const std::chrono::duration<double, std::nano> elapsed = Clock::now() - begin;
      const double each = elapsed.count() / static_cast<double>(steps) / candidate.trajectories;
      if (each < candidate.nanoseconds) candidate.nanoseconds = each;
      times[i].push_back(each);
    }
  }
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto middle = times[i].begin() + std::ssize(times[i]) / 2;
    std::nth_element(times[i].begin(), middle, times[i].end());
    if (middle != times[i].end()) candidates[i].median = *middle;
  }
}

/// Hand-written steps of the transmission: see hand_written.hpp.
enum class HandWritten { own_functions, library_functions, lanes };
std::function<void(std::uint64_t)> hand_written(const std::string& method, HandWritten variant);
/// Trajectories that the lanes variant advances together.
inline constexpr int hand_written_lanes = 16;

/// Prints the cost of every method of the library on three systems, as a table.
void print_method_costs();
/// Prints the cost of Lobatto's methods on a Lie group.
void print_group_costs();
/// Prints the cost of methods of several stages, by the structured and by the plain solver.
void print_stage_costs();

/// Prints what compiled steps gain on one trajectory, as a table.
void print_native_speedup();
/// Prints what it is worth that iterations begin where earlier steps point, as a table.
void print_newton_starts();
/// Prints what it costs to look at energy and constraints after every step, as a table.
void print_watched_steps();
/// Prints what tangents and adjoints of steps cost, in steps of the method, as a table.
void print_sensitivity_costs();
/// Prints what lanes and threads gain on an ensemble of the chaotic system, as a table.
void print_ensemble_speedup();

}  // namespace bench
