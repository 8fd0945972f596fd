#pragma once

#include "dalembert/expression/tape/interpreter.hpp"
#include "dalembert/numeric/angles.hpp"
#include "dalembert/numeric/compensated.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/step/detail/newton_loop.hpp"
#include "dalembert/step/detail/stage_loop.hpp"

namespace dalembert {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// Runs a section of the tape by the interpreter.
template <class Number, int Groups>
struct InterpretedSections {
  const StepView& view;
  Number* slots;
  Number* workspace;  ///< for linear systems

  void operator()(const TapeSection& section) const {
    run_tape<Number, Groups>(view.tape, section.begin, section.end, slots, workspace);
  }
};

/// Steps of `Groups` groups of lanes (or of one number, a single lane) together, whatever runs the
/// sections of the tape: `run_section(section)` computes on the slots.
template <class Number, int Groups, class RunSection>
class StepLoop {
 public:
  using Mask = numeric::mask_of<Number>;

  /// The lanes whose report is ok take part. `memory`: what Newton's loops remember, then what
  /// stages need.
  StepLoop(const StepView& view, Number* slots, Number* memory, AdvanceReport* reports,
           const RunSection& run_section)
      : view_(view), slots_(slots), memory_(memory), reports_(reports), run_section_(run_section) {
    for (int lane = 0; lane < Groups * lanes; ++lane)
      set(alive_[lane / lanes], lane % lanes, reports[lane].status == StepStatus::ok);
    // All lanes watch, or none does.
    using numeric::any;
    is_watching_ = view.watched_count > 0 && any(slot(view.is_watching, 0) == Number(1.0));
  }

  void run(std::uint64_t first, std::uint64_t steps) {
    using numeric::all;
    for (int g = 0; g < Groups; ++g) {
      step_size_[g] = slot(view_.step_size, g);
      passes_[g] = Number(0.0);
    }
    std::uint64_t k = 0;
    for (bool proceed = any_alive(); proceed && k < steps; ++k) {
      set_time(first + k);
      if (view_.compensated) vary_step(first + k);
      Mask accept[Groups];
      Number passes[Groups];
      try_step(accept, passes);
      if constexpr (Groups * lanes == 1) {
        if (is_watching_ && !watch()) break;
      } else {
        if (is_watching_) watch_lanes();
      }
      Mask everywhere = accept[0];
      for (int g = 1; g < Groups; ++g) everywhere = everywhere & accept[g];
      if (all(everywhere)) [[likely]] {
        take_step<true>(accept);
      } else {
        proceed = refuse(accept, k);
        take_step<false>(accept);
      }
      for (int g = 0; g < Groups; ++g) passes_[g] = passes_[g] + passes[g];
    }
    for (int g = 0; g < Groups; ++g) slot(view_.step_size, g) = step_size_[g];
    for (int lane = 0; lane < Groups * lanes; ++lane) {
      AdvanceReport& report = reports_[lane];
      if (report.status == StepStatus::ok) close(report, lane, k);
    }
  }

 private:
  static constexpr int lanes = numeric::lane_count<Number>;

  static void set(bool& mask, int /*lane*/, bool value) { mask = value; }
  template <class LaneMask>
  static void set(LaneMask& mask, int lane, bool value) {
    mask.set(lane, value);
  }
  Number& slot(std::uint32_t index, int g) { return slots_[std::size_t{index} * Groups + g]; }

  bool any_alive() const {
    using numeric::any;
    Mask anywhere = alive_[0];
    for (int g = 1; g < Groups; ++g) anywhere = anywhere | alive_[g];
    return any(anywhere);
  }

  void set_time(std::uint64_t step) {
    for (int g = 0; g < Groups; ++g)
      slot(view_.time, g) =
          numeric::time_after<Number>(slot(view_.start_time, g), step, step_size_[g]);
  }

  /// Takes step number k with a step size that differs from the given one in its last digits.
  void vary_step(std::uint64_t k) {
    for (int g = 0; g < Groups; ++g)
      slot(view_.step_size, g) =
          numeric::varied_step<Number>(step_size_[g], k, numeric::round_off<Number>());
    run_section_(TapeSection{0, view_.setup_end});
  }

  /// Computes the new state beside the old one. In `accept`: the lanes alive where all went well;
  /// in `passes`: how often each went through its loops.
  void try_step(Mask* accept, Number* passes) {
    Mask not_converged[Groups];
    for (int g = 0; g < Groups; ++g) {
      not_converged[g] = fell_back_[g] = Mask(false);
      passes[g] = Number(0.0);
    }
    const TapeSection* end = view_.sections + view_.section_count;
    for (const TapeSection* section = view_.sections; section != end; ++section) {
      if (section->loop >= 0) {
        NewtonLoop<Number, Groups> loop(view_, *section, slots_, memory_);
        loop.run(alive_, not_converged, passes, run_section_);
      } else if (section->stages >= 0) {
        section = find_rates(section, passes, not_converged);
      } else {
        run_section_(*section);
      }
    }
    is_first_ = false;
    for (int g = 0; g < Groups; ++g) accept[g] = alive_[g] & is_finite(g) & !not_converged[g];
  }

  /// A stage iteration and, in the lanes where its sweeps do not converge, its fallback. The last
  /// section of these.
  const TapeSection* find_rates(const TapeSection* section, Number* passes, Mask* not_converged) {
    using numeric::any;
    const StageView& stages = view_.stages[section->stages];
    const TapeSection* const last = view_.sections + stages.fallback_end - 1;
    Mask settled[Groups], anywhere = Mask(false);
    run_stages<Number, Groups>(view_, stages, slots_,
                               memory_ + view_.newton_memory * std::size_t{Groups}, is_first_,
                               alive_, settled, passes);
    for (int g = 0; g < Groups; ++g) {
      fell_back_[g] = alive_[g] & !settled[g];
      anywhere = anywhere | fell_back_[g];
    }
    if (!any(anywhere)) [[likely]]
      return last;
    if (!stages.has_fallback) {
      for (int g = 0; g < Groups; ++g) not_converged[g] = not_converged[g] | fell_back_[g];
      forget_rates(stages);
      return last;
    }
    for (++section; section <= last; ++section) {
      if (section->loop < 0) {
        run_section_(*section);
      } else {
        NewtonLoop<Number, Groups> loop(view_, *section, slots_, memory_);
        loop.run(fell_back_, not_converged, passes, run_section_);
      }
    }
    take_fallback(stages);
    return last;
  }

  /// Rates that diverge may be infinite: the step has not converged, whatever follows from them.
  void forget_rates(const StageView& stages) {
    using numeric::select;
    for (std::size_t i = 0; i < std::size_t{stages.stages} * stages.size; ++i) {
      for (int g = 0; g < Groups; ++g) {
        Number& result = slot(stages.results[i], g);
        result = select(fell_back_[g], Number(0.0), result);
      }
    }
  }

  void take_fallback(const StageView& stages) {
    using numeric::select;
    for (std::size_t i = 0; i < std::size_t{stages.stages} * stages.size; ++i) {
      for (int g = 0; g < Groups; ++g) {
        const Number found = slot(stages.fallback[i], g);
        Number& result = slot(stages.results[i], g);
        result = select(fell_back_[g], found, result);
      }
    }
  }

  /// Whether the state before the step is within the bounds of what is watched; if so, it counts
  /// for the extremes.
  bool watch() {
    run_section_(view_.watch);
    const WatchedEntry* end = view_.watched + view_.watched_count;
    for (const WatchedEntry* entry = view_.watched; entry != end; ++entry) {
      const Number value = slots_[entry->value];
      if (!(value >= slots_[entry->lower] && value <= slots_[entry->upper])) return false;
    }
    for (const WatchedEntry* entry = view_.watched; entry != end; ++entry) {
      const Number value = slots_[entry->value];
      slots_[entry->lowest] = numeric::smaller(slots_[entry->lowest], value);
      slots_[entry->highest] = numeric::larger(slots_[entry->highest], value);
    }
    return true;
  }

  /// Marks what is out of bounds in a lane at the state before the step: `lowest` becomes
  /// negative. Lanes go on.
  void watch_lanes() {
    using numeric::select;
    run_section_(view_.watch);
    const WatchedEntry* end = view_.watched + view_.watched_count;
    for (const WatchedEntry* entry = view_.watched; entry != end; ++entry) {
      for (int g = 0; g < Groups; ++g) {
        const Number value = slot(entry->value, g);
        const Mask within = (value >= slot(entry->lower, g)) & (value <= slot(entry->upper, g));
        Number& lowest = slot(entry->lowest, g);
        lowest = select(within, lowest, Number(-1.0));
      }
    }
  }

  Mask is_finite(int g) {
    Number nothing = Number(0.0);
    for (std::size_t e = 0; e < view_.entry_count; ++e) {
      const StateEntry& entry = view_.entries[e];
      const Number out = slot(entry.output, g);
      nothing = nothing + numeric::zero_if_finite(out);
      if (entry.rest == StateEntry::none) continue;
      const Number rest = slot(entry.rest, g);
      nothing = nothing + numeric::zero_if_finite(rest);
    }
    return nothing == Number(0.0);
  }

  /// Moves the outputs of a step into the state of the lanes in `accept`: adds increments, wraps
  /// angles.
  template <bool everywhere>
  void take_step(const Mask* accept) {
    using numeric::select;
    const auto put = [&](Number& target, const Number& value, int g) {
      if constexpr (everywhere) {
        target = value;
      } else {
        target = select(accept[g], value, target);
      }
    };
    for (std::size_t e = 0; e < view_.entry_count; ++e) {
      const StateEntry& entry = view_.entries[e];
      for (int g = 0; g < Groups; ++g) {
        Number next = slot(entry.output, g), carry = Number(0.0);
        const bool compensated = entry.carry != StateEntry::none;
        if (compensated) {
          Number sum = slot(entry.input, g);
          carry = slot(entry.carry, g);
          if (entry.rest != StateEntry::none) carry = carry + slot(entry.rest, g);
          numeric::add(sum, carry, next);
          next = sum;
        }
        if (entry.turns != StateEntry::none) {
          Number turns = slot(entry.turns, g);
          if (compensated)
            numeric::wrap_sum(next, turns, carry);
          else
            numeric::wrap(next, turns, carry);
          put(slot(entry.turns, g), turns, g);
        }
        if (compensated) put(slot(entry.carry, g), carry, g);
        put(slot(entry.input, g), next, g);
      }
    }
  }

  /// Reports the lanes alive that are not in `accept`, after `taken` steps; they take no further
  /// part. Whether any lane is left.
  [[gnu::cold, gnu::noinline]] bool refuse(const Mask* accept, std::uint64_t taken) {
    using numeric::any, numeric::get_lane;
    for (int g = 0; g < Groups; ++g) {
      const Mask refused = alive_[g] & !accept[g], finite = is_finite(g);
      if (!any(refused)) continue;
      const Number residual = largest_residual(g);
      for (int lane = 0; lane < lanes; ++lane) {
        if (!get_lane(refused, lane)) continue;
        AdvanceReport& report = reports_[g * lanes + lane];
        report.status = get_lane(finite, lane) ? StepStatus::not_converged : StepStatus::not_finite;
        report.residual = static_cast<double>(get_lane(residual, lane));
        close(report, g * lanes + lane, taken);
      }
      alive_[g] = accept[g];
    }
    return any_alive();
  }

  void close(AdvanceReport& report, int lane, std::uint64_t taken) const {
    using numeric::get_lane;
    report.steps += taken;
    report.iterations += static_cast<std::uint64_t>(get_lane(passes_[lane / lanes], lane % lanes));
  }

  /// The largest residual of the loops, as the last pass saw it.
  Number largest_residual(int g) {
    using numeric::abs, numeric::select;
    Number result = Number(0.0);
    for (std::size_t s = 0; s < view_.section_count; ++s) {
      if (view_.sections[s].loop < 0) continue;
      const TapeLoop& loop = view_.loops[view_.sections[s].loop];
      const Mask has_run = view_.sections[s].is_fallback ? fell_back_[g] : Mask(true);
      for (std::uint32_t i = loop.residual_begin; i < loop.residual_end; ++i) {
        const Number here = numeric::larger(result, Number(abs(slot(view_.residuals[i], g))));
        result = select(has_run, here, result);
      }
    }
    return result;
  }

  const StepView& view_;
  Number* slots_;
  Number* memory_;
  AdvanceReport* reports_;
  const RunSection& run_section_;
  bool is_watching_ = false, is_first_ = true;
  Mask alive_[Groups];
  Mask fell_back_[Groups];  // whose stages were found by other means than sweeps
  Number step_size_[Groups];
  Number passes_[Groups];  // of each lane through its loops, as far as its steps were taken
};

/// `Kernel::set_up` by the interpreter.
template <class Number, int Groups>
void set_up_steps(const StepView& view, Number* slots, Number* workspace) {
  run_tape<Number, Groups>(view.tape, 0, view.setup_end, slots, workspace);
}

/// `Kernel::advance` by the interpreter. The workspace holds what Newton's loops remember, what
/// stages need, then what linear systems need.
template <class Number, int Groups>
void take_steps(const StepView& view, Number* slots, Number* workspace, std::uint64_t first,
                std::uint64_t steps, AdvanceReport* reports) {
  const std::size_t memory =
      (view.newton_memory + view.stage_memory) * static_cast<std::size_t>(Groups);
  const InterpretedSections<Number, Groups> run_section{view, slots, workspace + memory};
  StepLoop<Number, Groups, InterpretedSections<Number, Groups>>(view, slots, workspace, reports,
                                                                run_section)
      .run(first, steps);
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
