#pragma once

#include <cstddef>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/round_off.hpp"
#include "dalembert/numeric/step_rules.hpp"
#include "dalembert/step/step_view.hpp"

namespace dalembert {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

inline constexpr int most_iterations = 50;

/// The Newton loop of one block of equations for `Groups` groups of lanes. Every lane stops by
/// itself, so that it does what it would do alone: when the correction is below round-off of the
/// increment, or when the next one would be (the corrections shrink quadratically; not where sums
/// are compensated), or when corrections stop shrinking at the round-off of the unknowns.
template <class Number, int Groups>
class NewtonLoop {
 public:
  using Mask = numeric::mask_of<Number>;

  /// `memory` has room for `newton_memory` numbers of each group of lanes.
  NewtonLoop(const StepView& view, const TapeSection& section, Number* slots, Number* memory)
      : view_(view),
        section_(section),
        loop_(view.loops[section.loop]),
        slots_(slots),
        previous_(memory),
        settled_(memory + std::size_t{loop_.group_end - loop_.group_begin} * Groups) {}

  /// Iterates the lanes in `alive`; the lanes that did not converge are added to `failed`, and the
  /// passes that each lane needed to `passes`. `run_section(section)` computes the corrections.
  template <class RunSection>
  void run(const Mask* alive, Mask* failed, Number* passes, const RunSection& run_section) {
    using numeric::select;
    for (int g = 0; g < Groups; ++g) active_[g] = alive[g];
    for (int pass = 0; pass < most_iterations && any_active(); ++pass) {
      run_section(section_);
      for (int g = 0; g < Groups; ++g) {
        passes[g] = passes[g] + select(active_[g], Number(1.0), Number(0.0));
        correct(g, pass);
      }
    }
    for (int g = 0; g < Groups; ++g) failed[g] = failed[g] | active_[g];
  }

 private:
  Number& slot(std::uint32_t index, int g) { return slots_[std::size_t{index} * Groups + g]; }

  bool any_active() const {
    using numeric::any;
    Mask all_groups = active_[0];
    for (int g = 1; g < Groups; ++g) all_groups = all_groups | active_[g];
    return any(all_groups);
  }

  /// Subtracts the corrections of one group of lanes and finds the lanes that are done.
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
        correction = numeric::larger(correction, Number(abs(delta)));
        increment = numeric::larger(increment, Number(abs(next)));
        size = numeric::larger(size, Number(abs(slot(entry.value, g))));
      }
      if (group.judged)
        done = done & is_done(k - loop_.group_begin, g, pass, correction, increment, size);
    }
    active_[g] = active_[g] & !done;
  }

  Mask is_done(std::uint32_t group, int g, int pass, const Number& correction,
               const Number& increment, const Number& size) {
    using numeric::any, numeric::round_off, numeric::select;
    Number &previous = previous_[group * Groups + static_cast<std::uint32_t>(g)],
           &settled = settled_[group * Groups + static_cast<std::uint32_t>(g)];
    const Number unit = round_off<Number>();
    Mask done = numeric::correction_is_small<Number>(correction, previous, increment, pass,
                                                     view_.compensated, unit);
    if (pass == 0) {
      settled = Number(0.0);
    } else {
      const Mask stalls = numeric::correction_stalls<Number>(correction, previous);
      if (any(stalls)) {
        const Number scale = numeric::larger(numeric::larger(size, increment),
                                             numeric::larger(state_scale(g), block_scale(g)));
        // Groups stall in passes of their own, so one that has stays done.
        const Mask here = stalls & numeric::is_round_off<Number>(correction, scale, unit);
        settled = select(here, Number(1.0), settled);
      }
      done = done | (settled == Number(1.0));
    }
    previous = correction;
    return done;
  }

  /// (|q| + |v|)/h: where a multiplier or an acceleration vanishes, its round-off is that of what
  /// the step adds it to,
  /// divided by h. Only asked for where corrections no longer shrink, so that it cannot end an
  /// iteration early.
  Number state_scale(int g) {
    using numeric::abs;
    Number sum = Number(0.0);
    for (std::size_t i = 0; i < view_.state_count; ++i) {
      sum = sum + Number(abs(slot(view_.entries[i].input, g)));
    }
    return sum / Number(abs(slot(view_.step_size, g)));
  }

  /// The largest of all unknowns of the block and their increments: where a group of them is zero,
  /// at a start from rest for instance, its round-off is that of the others in its equations.
  Number block_scale(int g) {
    using numeric::abs;
    Number scale = Number(0.0);
    const std::uint32_t begin = view_.loop_groups[loop_.group_begin].begin,
                        end = view_.loop_groups[loop_.group_end - 1].end;
    for (std::uint32_t i = begin; i < end; ++i) {
      const TapeIterate& entry = view_.iterates[i];
      scale = numeric::larger(scale, Number(abs(slot(entry.iterate, g))));
      scale = numeric::larger(scale, Number(abs(slot(entry.value, g))));
    }
    return scale;
  }

  const StepView& view_;
  const TapeSection& section_;
  const TapeLoop& loop_;
  Number* slots_;
  Number* previous_;  // largest correction of each group of unknowns in the pass before
  Number* settled_;   // 1 where a group of unknowns has stalled at round-off
  Mask active_[Groups];
};

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
