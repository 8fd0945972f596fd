#pragma once

#include <cstdint>

#include "dalembert/expression/tape/instruction.hpp"
#include "dalembert/expression/tape/stage_iteration.hpp"

namespace dalembert {

/// One component of the state: where the tape reads it and where the tape leaves its successor (or
/// its increment).
struct StateEntry {
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t input = 0, output = 0;
  std::uint32_t turns = none;  ///< slot of the number of turns of an angle
  std::uint32_t carry =
      none;  ///< slot of the carry of a compensated sum; the output is then an increment
  std::uint32_t rest = none;  ///< slot of what a step adds to the carry beside its increment
};

/// One quantity of the state that is watched. All are slots: its value at the state that a step
/// begins with; the extremes that it has had at these; the bounds outside of which steps end.
struct WatchedEntry {
  std::uint32_t value, lowest, highest, lower, upper;
};

/// Plain pointers to a step program, for kernels that are compiled once per instruction set.
struct StepView {
  TapeView tape;
  const TapeSection* sections;
  std::size_t section_count;
  const StageView* stages;
  const TapeLoop* loops;
  const TapeLoopGroup* loop_groups;
  const TapeIterate* iterates;
  const std::uint32_t* residuals;
  const StateEntry* entries;
  std::size_t entry_count, state_count;  ///< all entries; those of q and v, which come first
  std::size_t setup_end;
  std::size_t newton_memory;                  ///< numbers that the loops remember from pass to pass
  std::size_t stage_memory;                   ///< numbers that a stage iteration needs
  std::uint32_t time, step_size, start_time;  ///< slots
  bool compensated;                           ///< see StepOptions
  TapeSection watch;                          ///< lines that only watched quantities need
  const WatchedEntry* watched;
  std::size_t watched_count;
  std::uint32_t is_watching;  ///< slot: whether they are watched, 1 or 0
};

/// Why a step was refused: by its equations, its numbers, or an event that could not take place.
enum class StepStatus : std::uint8_t { ok, not_converged, not_finite, event_refused };

/// How a number of steps went, for one trajectory.
struct AdvanceReport {
  StepStatus status = StepStatus::ok;
  bool leaves_step = false;      ///< the kernel of one member leaves the next to the interpreter
  std::uint64_t steps = 0;       ///< completed
  std::uint64_t iterations = 0;  ///< passes through iteration loops
  double residual = 0.0;         ///< of the failed step: largest entry of the equations' residual
};

}  // namespace dalembert
