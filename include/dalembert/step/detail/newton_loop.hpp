#pragma once

#include <cstddef>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/round_off.hpp"
#include "dalembert/numeric/step_rules.hpp"
#include "dalembert/step/step_view.hpp"

namespace dalembert {
inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

inline constexpr int most_iterations = 50;
/// Passes in which most iterations end; after these a group of unknowns may have the solution zero.
inline constexpr int early_passes = 8;
/// Passes in which secants, which may stall far above round-off for a pass, must come to that of
/// the unknowns; after these that of what the step adds them to will do.
inline constexpr int strict_passes = 16;

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
    for (int g = 0; g < Groups; ++g) active_[g] = alive[g];
    if (loop_.keeps_matrix()) return run_keeping(failed, passes, run_section);
    for (int pass = 0; pass < most_iterations && any_of(active_); ++pass) {
      run_section(section_);
      for (int g = 0; g < Groups; ++g) {
        count(active_[g], passes[g]);
        const Judgement judged = correct(g, active_[g], pass, true, Mask(pass >= early_passes));
        active_[g] = active_[g] & !judged.done;
      }
    }
    for (int g = 0; g < Groups; ++g) failed[g] = failed[g] | active_[g];
  }

 private:
  Number& slot(std::uint32_t index, int g) { return slots_[std::size_t{index} * Groups + g]; }

  struct Judgement {
    Mask done, matrix_is_good;
  };
  /// The largest correction and increment of a group of unknowns, and the largest of these.
  struct Sizes {
    Number correction = Number(0.0), increment = Number(0.0), size = Number(0.0);
  };

  static void count(const Mask& where, Number& passes) {
    using numeric::select;
    passes = passes + select(where, Number(1.0), Number(0.0));
  }

  static bool any_of(const Mask* masks) {
    using numeric::any;
    Mask all_groups = masks[0];
    for (int g = 1; g < Groups; ++g) all_groups = all_groups | masks[g];
    return any(all_groups);
  }

  /// Passes with a new matrix, each followed by others with the same one where and as long as these
  /// are worth it. All lanes take a new one together, after those that go on with theirs: no lane
  /// needs to keep a matrix while others get new ones, and each does what it would do alone.
  template <class RunSection>
  void run_keeping(Mask* failed, Number* passes, const RunSection& run_section) {
    Mask keeps[Groups], turn[Groups];
    Number taken[Groups];
    for (int g = 0; g < Groups; ++g) {
      keeps[g] = Mask(false);
      taken[g] = Number(0.0);
    }
    for (int first = 1; any_of(active_); first = 0) {
      const bool is_new = !any_of(keeps);
      for (int g = 0; g < Groups; ++g) turn[g] = is_new ? active_[g] : keeps[g];
      run_section(TapeSection{section_.begin, is_new ? loop_.matrix_end : loop_.matrix_begin});
      run_section(TapeSection{loop_.matrix_end, section_.end});
      for (int g = 0; g < Groups; ++g) {
        count(turn[g], passes[g]);
        count(turn[g], taken[g]);
        const Mask late = taken[g] > Number(early_passes);
        const Judgement judged = correct(g, turn[g], first ? 0 : 1, is_new, late);
        const Mask last = taken[g] >= Number(most_iterations);
        failed[g] = failed[g] | (turn[g] & last & !judged.done);
        active_[g] = active_[g] & !(turn[g] & (last | judged.done));
        keeps[g] = turn[g] & active_[g] & judged.matrix_is_good;
      }
    }
  }

  /// Subtracts the corrections of one group of lanes, in those whose turn it is, and finds the
  /// lanes that are done. `late` where so many passes were taken that something may be zero.
  Judgement correct(int g, const Mask& turn, int pass, bool is_new, const Mask& late) {
    using numeric::abs, numeric::select;
    Judgement all{Mask(true), Mask(true)};
    for (std::uint32_t k = loop_.group_begin; k < loop_.group_end; ++k) {
      const TapeLoopGroup& group = view_.loop_groups[k];
      Sizes sizes;
      for (std::uint32_t i = group.begin; i < group.end; ++i) {
        const TapeIterate& entry = view_.iterates[i];
        Number& iterate = slot(entry.iterate, g);
        const Number delta = slot(entry.correction, g), next = iterate - delta;
        iterate = select(turn, next, iterate);
        sizes.correction = numeric::larger(sizes.correction, Number(abs(delta)));
        sizes.increment = numeric::larger(sizes.increment, Number(abs(next)));
        sizes.size = numeric::larger(sizes.size, Number(abs(slot(entry.value, g))));
      }
      if (!group.judged) continue;
      const Judgement one = judge(k - loop_.group_begin, g, turn, pass, is_new, late, sizes);
      all.done = all.done & one.done;
      all.matrix_is_good = all.matrix_is_good & one.matrix_is_good;
    }
    return all;
  }

  Judgement judge(std::uint32_t group, int g, const Mask& turn, int pass, bool is_new,
                  const Mask& late, const Sizes& sizes) {
    using numeric::any, numeric::select;
    Number &previous = previous_[group * Groups + static_cast<std::uint32_t>(g)],
           &settled = settled_[group * Groups + static_cast<std::uint32_t>(g)];
    const Number correction = sizes.correction, unit = numeric::round_off<Number>();
    // Secants go on to the end: their last error has a bias that would add up.
    const bool to_the_end = view_.compensated || !loop_.is_quadratic;
    const Mask small = numeric::correction_is_small<Number>(correction, previous, sizes.increment,
                                                            pass, is_new, to_the_end, unit);
    Judgement result{small, Mask(true)};
    if (pass == 0) settled = Number(0.0);
    const Mask stalls =
        pass > 0 ? numeric::correction_stalls<Number>(correction, previous) : Mask(false);
    Mask slow = stalls;
    if (loop_.keeps_matrix()) {
      result.matrix_is_good =
          numeric::matrix_is_good<Number>(correction, is_new ? sizes.increment : previous);
      slow = turn & (stalls | !result.matrix_is_good);
    }
    const Mask lasts = turn & late;
    if (any(slow | lasts)) {
      const bool is_strict = !loop_.is_quadratic && pass < strict_passes;
      const Number state = state_scale(g), shared = is_strict ? Number(0.0) : state,
                   scale = numeric::larger(numeric::larger(sizes.size, sizes.increment),
                                           numeric::larger(shared, block_scale(g)));
      // A correction alone may be nothing because a slope is infinite, and iterates that are far
      // off would make anything look like nothing; the state is where it is.
      const Number both = numeric::larger(correction, sizes.increment);
      const Mask here = slow & numeric::is_round_off<Number>(correction, scale, unit),
                 none = lasts & numeric::is_nothing<Number>(both, state, unit);
      // Groups stall in passes of their own, so one that has stays done.
      settled = select(none | (here & (stalls | (settled > Number(0.0)))), Number(1.0), settled);
      if (!is_new) result.matrix_is_good = result.matrix_is_good | here;
    }
    result.done = small | (settled == Number(1.0));
    // With a kept matrix groups are small in passes of their own, too, and then at round-off.
    if (loop_.keeps_matrix())
      settled = select(turn & small & (settled == Number(0.0)), Number(0.5), settled);
    previous = select(turn, correction, previous);
    return result;
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
    for (std::uint32_t i = loop_.unknown_begin; i < loop_.unknown_end; ++i) {
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
