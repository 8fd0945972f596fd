#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/round_off.hpp"
#include "dalembert/numeric/step_rules.hpp"
#include "dalembert/step/detail/stages_in_lanes.hpp"
#include "dalembert/step/detail/stages_in_turn.hpp"
#include "dalembert/step/step_view.hpp"

namespace dalembert {

/// Numbers that are remembered of the sweeps of a part: the largest rate of the first sweeps, the
/// last change, the largest changes of this window and the last one, and 1 where a change was not
/// halved before it was round-off.
enum class SweepMemory : std::uint32_t { size, previous, largest, largest_before, uneven };
inline constexpr std::size_t sweep_memories = 5;

/// Numbers that `StageLoop` needs for each member of a block of this many.
constexpr std::size_t stage_memory(const StageView& view) {
  const std::size_t stages = padded_stages(view.stages), n = view.size, alignment = 8;
  const std::size_t beside = view.nodes_beside == 0 ? 0 : padded_stages(view.nodes_beside);
  const std::size_t for_solves = view.largest_solve * (view.largest_solve + 2);
  const std::size_t most = beside > stages ? beside : stages;
  return stages * (view.slot_count + n + view.stages + view.nodes_beside + 1) +
         beside * (view.function_slots + view.stages) + most * for_solves +
         sweep_memories * view.part_count + alignment;
}

inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// The sweeps of one stage iteration. Every trajectory stops by itself, as it would alone: when its
/// rates have settled at round-off, or when it is clear that they settle too slowly.
template <class Number, int Groups, class Stages>
class StageLoop {
 public:
  using Mask = numeric::mask_of<Number>;

  /// `memory` for `sweep_memories` numbers of each part and group.
  StageLoop(const StepView& step, const StageView& view, Number* slots, Number* memory,
            Stages stages)
      : step_(step), view_(view), slots_(slots), memory_(memory), stages_(stages) {}

  /// Finds the rates of the trajectories in `alive`; those whose sweeps do not converge are taken
  /// out of `settled`. The sweeps that each needed are added to `sweeps`.
  void run(const Mask* alive, Mask* settled, Number* sweeps) {
    for (int g = 0; g < Groups; ++g) settled[g] = alive[g];
    stages_.begin();
    for (std::uint32_t b = 0; b < view_.block_count; ++b)
      run_block(view_.blocks[b], settled, sweeps);
    stages_.end();
  }

 private:
  void run_block(const TapeStages::Block& block, Mask* settled, Number* sweeps) {
    using numeric::select;
    stages_.prepare(block.part_begin);
    for (std::uint32_t p = block.part_begin; p < block.part_end; ++p) {
      for (std::uint32_t what = 0; what < sweep_memories; ++what) {
        for (int g = 0; g < Groups; ++g) of_part(p, SweepMemory{what})[g] = Number(0.0);
      }
    }
    const SweepPatience& limits = block.patience;
    Mask active[Groups];
    for (int g = 0; g < Groups; ++g) active[g] = settled[g];
    for (int sweep = 0; sweep < limits.most && any_of(active); ++sweep) {
      Mask done[Groups], slow[Groups];
      for (int g = 0; g < Groups; ++g) {
        sweeps[g] = sweeps[g] + select(active[g], Number(1.0), Number(0.0));
        done[g] = Mask(true);
        slow[g] = Mask(false);
      }
      for (std::uint32_t p = block.part_begin; p < block.part_end; ++p) {
        stages_.sweep(p);
        Number change[Groups];
        stages_.take(view_.parts[p], active, change,
                     sweep < sweeps_measured ? of_part(p, SweepMemory::size) : nullptr);
        stages_.move(view_.parts[p]);
        if (!block.iterates) continue;
        judge(block, p, sweep, change, done);
        if (limits.ends(sweep)) end_window(block, p, limits, sweep, slow);
      }
      for (int g = 0; g < Groups; ++g) {
        settled[g] = settled[g] & !(active[g] & slow[g] & !done[g]);
        active[g] = active[g] & !done[g] & !slow[g];
      }
    }
    for (int g = 0; g < Groups; ++g) settled[g] = settled[g] & !active[g];
  }

  void judge(const TapeStages::Block& block, std::uint32_t part, int sweep, const Number* change,
             Mask* done) {
    using numeric::any, numeric::round_off, numeric::select;
    const Number unit = round_off<Number>(), *size = of_part(part, SweepMemory::size);
    for (int g = 0; g < Groups; ++g) {
      Number& previous = of_part(part, SweepMemory::previous)[g];
      Number& uneven = of_part(part, SweepMemory::uneven)[g];
      Mask is_done = change[g] <= Number(0.0), stalls(false), rests(false);
      if (sweep > 0) {
        // Parts come to rest at round-off in sweeps of their own, and may leave it in turn.
        rests = previous < Number(0.0);
        is_done = numeric::sweep_is_small<Number>(change[g], previous, size[g], uneven,
                                                  step_.compensated, unit);
        stalls = numeric::sweep_stalls<Number>(change[g], previous) & !rests;
      }
      if (any(stalls)) {
        const Number scale = this->scale(block, g);
        const Mask here = numeric::is_round_off<Number>(change[g], scale, unit),
                   near = numeric::may_be_round_off<Number>(change[g], scale, unit),
                   settled = near & numeric::sweeps_have_settled<Number>(change[g], previous),
                   even = uneven <= Number(0.0);
        rests = rests | (stalls & even & (here | settled));
        if (sweep >= sweeps_free) uneven = select(stalls & !near, Number(1.0), uneven);
      }
      if (sweep >= sweeps_free) {
        Number& largest = of_part(part, SweepMemory::largest)[g];
        largest = numeric::larger(largest, change[g]);
      }
      done[g] = done[g] & (is_done | rests);
      previous = select(rests, Number(-1.0), change[g]);
    }
  }

  /// Changes that have shrunk unevenly, and no longer do, are round-off or shrink too slowly.
  void end_window(const TapeStages::Block& block, std::uint32_t part, const SweepPatience& limits,
                  int sweep, Mask* slow) {
    using numeric::any, numeric::round_off, numeric::select;
    for (int g = 0; g < Groups; ++g) {
      Number& largest = of_part(part, SweepMemory::largest)[g];
      Number& before = of_part(part, SweepMemory::largest_before)[g];
      Number& previous = of_part(part, SweepMemory::previous)[g];
      const Number uneven = of_part(part, SweepMemory::uneven)[g];
      if (limits.judges(sweep)) {
        const Mask is_uneven = uneven > Number(0.0), rests = previous < Number(0.0),
                   is_slow =
                       numeric::sweeps_are_slow<Number>(largest, before, Number(limits.slowest)),
                   lags = is_uneven & !rests & is_slow;
        if (any(lags)) {
          const Mask near =
              numeric::may_be_round_off<Number>(largest, scale(block, g), round_off<Number>());
          slow[g] = slow[g] | (lags & !near);
          previous = select(lags & near, Number(-1.0), previous);
        }
      }
      before = largest;
      largest = Number(0.0);
    }
  }

  /// The scale of the round-off of rates, as for Newton's iteration: the largest of the block, or
  /// (|q| + |v|)/h with the h that rates are multiplied with.
  Number scale(const TapeStages::Block& block, int g) {
    using numeric::abs;
    Number sum = Number(0.0);
    for (std::size_t i = 0; i < step_.state_count; ++i)
      sum = sum + Number(abs(slot(step_.entries[i].input, g)));
    Number scale = sum / Number(abs(slot(view_.step, g)));
    for (std::uint32_t p = block.part_begin; p < block.part_end; ++p)
      scale = numeric::larger(scale, of_part(p, SweepMemory::size)[g]);
    return scale;
  }

  static bool any_of(const Mask* masks) {
    using numeric::any;
    Mask anywhere = masks[0];
    for (int g = 1; g < Groups; ++g) anywhere = anywhere | masks[g];
    return any(anywhere);
  }
  Number& slot(std::uint32_t index, int g) { return slots_[std::size_t{index} * Groups + g]; }
  /// Of all groups.
  Number* of_part(std::uint32_t part, SweepMemory what) {
    return memory_ +
           (static_cast<std::size_t>(what) * view_.part_count + part) * std::size_t{Groups};
  }

  const StepView& step_;
  const StageView& view_;
  Number *slots_, *memory_;
  Stages stages_;
};

/// Runs a stage iteration on the memory of `stage_memory(view)` numbers for each member, which
/// nobody else changes from the first step on.
template <class Number, int Groups>
void run_stages(const StepView& step, const StageView& view, Number* slots, Number* memory,
                [[maybe_unused]] bool is_first, const numeric::mask_of<Number>* alive,
                numeric::mask_of<Number>* settled, Number* sweeps) {
#ifndef DALEMBERT_IS_USER
  if constexpr (std::is_same_v<Number, double> && Groups == 1) {
    constexpr int width = numeric::detail::native_width < 4 ? 4 : numeric::detail::native_width;
    const auto in_lanes = [&]<int vectors>(std::integral_constant<int, vectors>) {
      constexpr std::uintptr_t alignment = 64;
      double* const rest = memory + sweep_memories * view.part_count;
      const std::uintptr_t beyond = reinterpret_cast<std::uintptr_t>(rest) % alignment;
      double* const aligned = beyond == 0 ? rest : rest + (alignment - beyond) / sizeof(double);
      auto* const vector_memory = reinterpret_cast<numeric::Lanes<width>*>(aligned);
      StageLoop<double, 1, StagesInLanes<width, vectors>> loop(
          step, view, slots, memory,
          StagesInLanes<width, vectors>(view, slots, vector_memory, is_first));
      loop.run(alive, settled, sweeps);
    };
    const bool fits =
        view.stages <= most_stages_in_lanes && view.nodes_beside <= most_stages_in_lanes;
    switch (fits ? padded_stages(view.stages) / width : 0) {
      case 1:
        return in_lanes(std::integral_constant<int, 1>());
      case 2:
        return in_lanes(std::integral_constant<int, 2>());
      case 4:
        return in_lanes(std::integral_constant<int, 4>());
      case 8:
        return in_lanes(std::integral_constant<int, 8>());
      default:
        break;  // one after the other
    }
  }
#endif
  using InTurn = StagesInTurn<Number, Groups>;
  Number* const rest = memory + sweep_memories * view.part_count * Groups;
  return StageLoop<Number, Groups, InTurn>(step, view, slots, memory, InTurn(view, slots, rest))
      .run(alive, settled, sweeps);
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
