#pragma once

#include <cstdint>

#include "dalembert/expression/tape/instruction.hpp"
#include "dalembert/expression/tape/stage_iteration.hpp"

namespace dalembert {

/// One component of the state: where the tape reads it and where the tape leaves its successor (or
/// its increment).
struct StateEntry {
  static constexpr std::uint32_t none = 0xffffffff;  ///< no slot
  std::uint32_t input = 0, output = 0;               ///< slots of the old and the new value
  std::uint32_t turns = none;                        ///< slot of the number of turns of an angle
  std::uint32_t carry =
      none;  ///< slot of the carry of a compensated sum; the output is then an increment
  std::uint32_t rest = none;  ///< slot of what a step adds to the carry beside its increment
};

/// One quantity of the state that is watched. All are slots: its value at the state that a step
/// begins with; the extremes that it has had at these; the bounds outside of which steps end.
struct WatchedEntry {
  std::uint32_t value, lowest, highest, lower, upper;  ///< value, extremes, bounds
};

/// Plain pointers to a step program, for kernels that are compiled once per instruction set.
struct StepView {
  TapeView tape;                              ///< instructions
  const TapeSection* sections;                ///< in the order in which they run
  std::size_t section_count;                  ///< number of sections
  const StageView* stages;                    ///< stage iterations, by TapeSection::stages
  const TapeLoop* loops;                      ///< Newton loops, by TapeSection::loop
  const TapeLoopGroup* loop_groups;           ///< groups of unknowns of all loops
  const TapeIterate* iterates;                ///< unknowns of all groups
  const std::uint32_t* residuals;             ///< slots of the residuals of all loops
  const StateEntry* entries;                  ///< q, v, then the rest of the state
  std::size_t entry_count, state_count;       ///< all entries; those of q and v, which come first
  std::size_t setup_end;                      ///< instructions of the setup, which come first
  std::size_t newton_memory;                  ///< numbers that the loops remember from pass to pass
  std::size_t stage_memory;                   ///< numbers that a stage iteration needs
  std::uint32_t time, step_size, start_time;  ///< slots
  bool compensated;                           ///< see StepOptions
  TapeSection watch;                          ///< lines that only watched quantities need
  const WatchedEntry* watched;                ///< watched quantities
  std::size_t watched_count;                  ///< number of watched quantities
  std::uint32_t is_watching;                  ///< slot: 1 while they are watched, else 0
};

/// Reason for which a step was refused: its equations, its numbers, or an event that could not take
/// place.
enum class StepStatus : std::uint8_t { ok, not_converged, not_finite, event_refused };

/// Result of a number of steps, for one trajectory.
struct AdvanceReport {
  StepStatus status = StepStatus::ok;  ///< ok, or the reason for the refused step
  bool leaves_step = false;      ///< the kernel of one member leaves the next to the interpreter
  std::uint64_t steps = 0;       ///< completed
  std::uint64_t iterations = 0;  ///< passes through iteration loops
  double residual = 0.0;         ///< of the failed step: largest entry of the equations' residual
};

}  // namespace dalembert
