#pragma once

#include <cstdint>
#include <limits>

#include "dalembert/expression/interpreter.hpp"
#include "dalembert/numeric/angles.hpp"
#include "dalembert/numeric/compensated.hpp"

namespace dalembert {

/// One component of the state: where the tape reads it and where the tape leaves its successor (or
/// its increment).
struct StateEntry {
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t input = 0, output = 0;
  std::uint32_t turns = none;  ///< slot of the number of turns of an angle
  std::uint32_t carry =
      none;  ///< slot of the carry of a compensated sum; the output is then an increment
};

/// Plain pointers to a step program, for kernels that are compiled once per instruction set.
struct StepView {
  TapeView tape;
  const TapeSection* sections;
  std::size_t section_count;
  const TapeLoop* loops;
  const TapeLoopGroup* loop_groups;
  const TapeIterate* iterates;
  const std::uint32_t* residuals;
  const StateEntry* entries;
  std::size_t entry_count;
  std::uint32_t time, step_size, start_time;  ///< slots
};

/// Why a step was refused.
enum class StepStatus : std::uint8_t { ok, not_converged, not_finite };

/// How a number of steps went, for one trajectory.
struct AdvanceReport {
  StepStatus status = StepStatus::ok;
  std::uint64_t steps = 0;       ///< completed
  std::uint64_t iterations = 0;  ///< passes through iteration loops (of the slowest lane)
  double residual = 0.0;         ///< of the failed step: largest entry of the equations' residual
};

inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

inline constexpr int most_iterations = 50;

/// The relative rounding error of one operation.
template <class Number>
constexpr Number round_off() {
  if constexpr (numeric::DoubleOrLanes<Number>) {
    return Number(std::numeric_limits<double>::epsilon());
  } else {
    return std::numeric_limits<Number>::epsilon();
  }
}

/// The Newton loops of one step for `Groups` groups of lanes. Every lane stops by itself, so that
/// it does what it would do alone: when the correction is below round-off of the increment, or when
/// the next one would be (the corrections shrink quadratically), or when corrections stop shrinking
/// at the round-off of the unknowns.
template <class Number, int Groups>
class NewtonLoop {
 public:
  using Mask = numeric::mask_of<Number>;

  NewtonLoop(const StepView& view, const TapeSection& section, Number* slots, Number* workspace)
      : view_(view),
        section_(section),
        loop_(view.loops[section.loop]),
        slots_(slots),
        workspace_(workspace) {}

  /// Iterates the lanes in `alive`; the lanes that did not converge are returned in `failed`.
  int run(const Mask* alive, Mask* failed) {
    for (int g = 0; g < Groups; ++g) active_[g] = alive[g];
    int passes = 0;
    for (; passes < most_iterations && any_active(); ++passes) {
      run_tape<Number, Groups>(view_.tape, section_.begin, section_.end, slots_, workspace_);
      for (int g = 0; g < Groups; ++g) correct(g, passes);
    }
    for (int g = 0; g < Groups; ++g) failed[g] = failed[g] | active_[g];
    return passes;
  }

 private:
  Number& slot(std::uint32_t index, int g) { return slots_[std::size_t{index} * Groups + g]; }
  bool any_active() const {
    bool result = false;
    for (int g = 0; g < Groups; ++g) result = result || numeric::any(active_[g]);
    return result;
  }

  void correct(int g, int pass) {
    using numeric::abs, numeric::select;
    Mask done = Mask(true);
    for (std::uint32_t k = loop_.group_begin; k < loop_.group_end; ++k) {
      const TapeLoopGroup& group = view_.loop_groups[k];
      Number correction = Number(0.0), increment = Number(0.0), size = Number(0.0);
      for (std::uint32_t i = group.begin; i < group.end; ++i) {
        const TapeIterate& entry = view_.iterates[i];
        Number& iterate = slot(entry.iterate, g);
        const Number delta = slot(entry.correction, g), next = iterate - delta;
        iterate = select(active_[g], next, iterate);
        correction = larger(correction, Number(abs(delta)));
        increment = larger(increment, Number(abs(next)));
        size = larger(size, Number(abs(slot(entry.value, g))));
      }
      if (group.judged)
        done = done & is_done(k - loop_.group_begin, g, pass, correction, increment, size);
    }
    active_[g] = active_[g] & !done;
  }

  Mask is_done(std::uint32_t group, int g, int pass, const Number& correction,
               const Number& increment, const Number& size) {
    using numeric::select;
    Number& previous = previous_[group < most_groups ? group : most_groups - 1][g];
    Mask done = correction <= round_off<Number>() * increment;
    if (pass > 0) {
      const Number ratio = correction / previous;
      const Number next = correction * ratio * ratio;
      const Mask shrinks = ratio < Number(0.01);
      done = done | (shrinks & (next <= Number(0.25) * round_off<Number>() * increment));
      const Mask stalled = ratio >= Number(0.5);
      const Number scale = larger(size, increment);
      done = done | (stalled & (correction <= Number(128.0) * round_off<Number>() * scale));
    }
    previous = correction;
    return done;
  }

  /// The larger of two; nan if either is.
  static Number larger(const Number& a, const Number& b) {
    return numeric::select(!(b <= a), b, a);
  }

  static constexpr std::uint32_t most_groups = 64;
  const StepView& view_;
  const TapeSection& section_;
  const TapeLoop& loop_;
  Number* slots_;
  Number* workspace_;
  Mask active_[Groups];
  Number previous_[most_groups][Groups];
};

/// Runs one step of all lanes in `alive`: afterwards the outputs hold the new state.
/// `not_converged` collects lanes.
template <class Number, int Groups>
int run_step(const StepView& view, Number* slots, Number* workspace,
             const numeric::mask_of<Number>* alive, numeric::mask_of<Number>* not_converged) {
  int iterations = 0;
  for (std::size_t s = 0; s < view.section_count; ++s) {
    const TapeSection& section = view.sections[s];
    if (section.loop < 0) {
      run_tape<Number, Groups>(view.tape, section.begin, section.end, slots, workspace);
    } else {
      iterations +=
          NewtonLoop<Number, Groups>(view, section, slots, workspace).run(alive, not_converged);
    }
  }
  return iterations;
}

/// The largest residual of the loops in one lane group, as the last pass saw it.
template <class Number, int Groups>
Number largest_residual(const StepView& view, const Number* slots, int g) {
  using numeric::abs, numeric::select;
  Number result = Number(0.0);
  for (std::size_t s = 0; s < view.section_count; ++s) {
    if (view.sections[s].loop < 0) continue;
    const TapeLoop& loop = view.loops[view.sections[s].loop];
    for (std::uint32_t i = loop.residual_begin; i < loop.residual_end; ++i) {
      const Number entry = abs(slots[std::size_t{view.residuals[i]} * Groups + g]);
      result = select(!(entry <= result), entry, result);
    }
  }
  return result;
}

/// Moves the outputs of a step into the state of the lanes in `accept`: adds increments, wraps
/// angles.
template <class Number, int Groups>
void accept_step(const StepView& view, Number* slots, const numeric::mask_of<Number>* accept) {
  using numeric::select;
  const auto slot = [slots](std::uint32_t index, int g) -> Number& {
    return slots[std::size_t{index} * Groups + g];
  };
  for (std::size_t e = 0; e < view.entry_count; ++e) {
    const StateEntry& entry = view.entries[e];
    for (int g = 0; g < Groups; ++g) {
      Number& value = slot(entry.input, g);
      Number next = slot(entry.output, g);
      if (entry.carry != StateEntry::none) {
        Number& carry = slot(entry.carry, g);
        Number sum = value, rest = carry;
        numeric::add(sum, rest, next);
        carry = select(accept[g], rest, carry);
        next = sum;
      }
      if (entry.turns != StateEntry::none) {
        Number& turns = slot(entry.turns, g);
        Number angle = next, winding = turns;
        numeric::wrap(angle, winding);
        turns = select(accept[g], winding, turns);
        next = angle;
      }
      value = select(accept[g], next, value);
    }
  }
}

/// Takes `steps` steps from step number `first` on. A lane whose step is refused keeps the state
/// before it, and the step's number, status and residual are left in `reports` (one per lane, in
/// lane order); the other lanes go on. No allocation and no exception.
template <class Number, int Groups>
void advance(const StepView& view, Number* slots, Number* workspace, std::uint64_t first,
             std::uint64_t steps, AdvanceReport* reports) {
  using Mask = numeric::mask_of<Number>;
  constexpr int lanes = numeric::lane_count<Number>;
  Mask alive[Groups];
  for (int g = 0; g < Groups; ++g) {
    alive[g] = Mask(true);
    if constexpr (lanes > 1) {
      for (int lane = 0; lane < lanes; ++lane)
        alive[g].set(lane, reports[g * lanes + lane].status == StepStatus::ok);
    } else {
      alive[g] = reports[g].status == StepStatus::ok;
    }
  }
  for (std::uint64_t k = 0; k < steps; ++k) {
    Mask not_converged[Groups], accept[Groups];
    for (int g = 0; g < Groups; ++g) {
      const std::size_t base = static_cast<std::size_t>(g);
      const Number h = slots[std::size_t{view.step_size} * Groups + base];
      slots[std::size_t{view.time} * Groups + base] =
          slots[std::size_t{view.start_time} * Groups + base] +
          Number(static_cast<double>(first + k)) * h;
      not_converged[g] = Mask(false);
    }
    const int iterations = run_step<Number, Groups>(view, slots, workspace, alive, not_converged);
    bool all_well = true;
    for (int g = 0; g < Groups; ++g) {
      // x - x is zero for finite x and nan otherwise.
      Number nothing = Number(0.0);
      for (std::size_t e = 0; e < view.entry_count; ++e) {
        const Number& out = slots[std::size_t{view.entries[e].output} * Groups + g];
        nothing = nothing + (out - out);
      }
      const Mask finite = nothing == Number(0.0);
      accept[g] = alive[g] & finite & !not_converged[g];
      const Mask refused = alive[g] & !accept[g];
      if (numeric::any(refused)) {
        all_well = false;
        const Number residual = largest_residual<Number, Groups>(view, slots, g);
        for (int lane = 0; lane < lanes; ++lane) {
          if (!numeric::get_lane(refused, lane)) continue;
          AdvanceReport& report = reports[g * lanes + lane];
          report.status =
              numeric::get_lane(finite, lane) ? StepStatus::not_converged : StepStatus::not_finite;
          report.residual = static_cast<double>(numeric::get_lane(residual, lane));
        }
      }
    }
    accept_step<Number, Groups>(view, slots, accept);
    bool any_alive = false;
    for (int g = 0; g < Groups; ++g) {
      alive[g] = accept[g];
      any_alive = any_alive || numeric::any(alive[g]);
      for (int lane = 0; lane < lanes; ++lane) {
        AdvanceReport& report = reports[g * lanes + lane];
        if (report.status != StepStatus::ok) continue;
        ++report.steps;
        report.iterations += static_cast<std::uint64_t>(iterations);
      }
    }
    if (!all_well && !any_alive) return;
  }
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
