#pragma once
/// \file
/// Timing by turns: on a machine that others use too, only ratios within one run mean something.

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace bench {

/// Something to time: `run(steps)` takes that many steps of `trajectories` trajectories.
struct Candidate {
  std::string name;
  std::function<void(std::uint64_t)> run;
  double trajectories = 1.0;
  double nanoseconds = std::numeric_limits<double>::infinity();  ///< per step and trajectory
};

/// The least time of each candidate over several rounds, one after the other in every round.
inline void time_by_turns(std::vector<Candidate>& candidates, std::uint64_t steps, int rounds) {
  using Clock = std::chrono::steady_clock;
  for (int round = 0; round < rounds; ++round) {
    for (Candidate& candidate : candidates) {
      const auto begin = Clock::now();
      candidate.run(steps);
      const std::chrono::duration<double, std::nano> elapsed = Clock::now() - begin;
      const double each = elapsed.count() / static_cast<double>(steps) / candidate.trajectories;
      if (each < candidate.nanoseconds) candidate.nanoseconds = each;
    }
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
/// Prints what it costs to look at energy and constraints after every step, as a table.
void print_watched_steps();
/// Prints what lanes and threads gain on an ensemble of the chaotic system, as a table.
void print_ensemble_speedup();

}  // namespace bench
