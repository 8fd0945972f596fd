#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "dalembert/expression/tape/interpreter.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/numeric/round_off.hpp"
#include "dalembert/numeric/step_rules.hpp"
#include "dalembert/step/step_view.hpp"

namespace dalembert {

inline constexpr int most_sweeps = 40;
/// The first sweeps, which begin with all stages at the start of the step, show how large the rates
/// are, and say nothing about how fast the changes shrink.
inline constexpr int sweeps_measured = 2, sweeps_free = 5;

/// Stages that lie in the lanes of vectors fill a power of two of lanes, at least 8 and at most
/// `most_stages_in_lanes`; more are taken one after the other.
inline constexpr std::size_t most_stages_in_lanes = 64;
constexpr std::size_t padded_stages(std::size_t stages) {
  std::size_t padded = 8;
  while (padded < stages) padded *= 2;
  return padded;
}

/// Numbers that `StageLoop` needs for each member of a block of this many.
constexpr std::size_t stage_memory(const StageView& view) {
  const std::size_t stages = padded_stages(view.stages), n = view.size, alignment = 8;
  const std::size_t beside = view.nodes_beside == 0 ? 0 : padded_stages(view.nodes_beside);
  const std::size_t for_solves = view.largest_solve * (view.largest_solve + 2);
  const std::size_t most = beside > stages ? beside : stages;
  return stages * (view.slot_count + n + view.stages + view.nodes_beside + 1) +
         beside * (view.function_slots + view.stages) + most * for_solves + 2 * view.part_count +
         alignment;
}

inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

/// The stages of a step one after the other, for any number of trajectories in the lanes.
template <class Number, int Groups>
class StagesInTurn {
 public:
  using Mask = numeric::mask_of<Number>;

  StagesInTurn(const StageView& view, Number* slots, Number* memory)
      : view_(view),
        slots_(slots),
        cells_(memory),
        rates_(cells_ + std::size_t{view.stages} * view.slot_count * Groups),
        beside_(rates_ + std::size_t{view.stages} * view.size * Groups),
        solve_(beside_ + std::size_t{view.nodes_beside} * view.function_slots * Groups) {}

  /// All stages at the start of the step.
  void begin() {
    for (std::uint32_t i = 0; i < view_.stages; ++i) {
      for (std::uint32_t k = 0; k < view_.shared_count; ++k)
        copy(view_.shared[k].first, cell(i, view_.shared[k].second));
      for (std::uint32_t c = 0; c < view_.size; ++c) {
        copy(view_.before[c], cell(i, view_.state[c]));
        for (int g = 0; g < Groups; ++g) rate(i, c)[g] = Number(0.0);
      }
      for (int g = 0; g < Groups; ++g)
        cell(i, view_.time)[g] =
            outer(view_.start_time)[g] + outer(view_.nodes[i])[g] * outer(view_.step)[g];
    }
    for (std::uint32_t i = 0; i < view_.nodes_beside; ++i) {
      for (std::uint32_t k = 0; k < view_.function_shared_count; ++k)
        copy(view_.function_shared[k].first, beside(i, view_.function_shared[k].second));
      for (std::uint32_t c = 0; c < view_.size; ++c)
        copy(view_.before[c], beside(i, view_.function_state[c]));
    }
  }
  /// Computes what stays the same in all sweeps of the block that begins with a part.
  void prepare(std::uint32_t part) { run(2 * part); }
  /// Computes the rates of a part.
  void sweep(std::uint32_t part) {
    if (view_.nodes_beside > 0) {
      run_function(2 * part + 1);
      form_means(part);
    }
    run_rates(2 * part + 1);
  }
  /// Takes the new rates of a part where `active`, and says how large their changes are; `size`
  /// grows to the largest rate.
  void take(const TapeStages::Part& part, const Mask* active, Number* change, Number* size) {
    using numeric::abs, numeric::select;
    for (int g = 0; g < Groups; ++g) change[g] = Number(0.0);
    for (std::uint32_t k = part.begin; k < part.end; ++k) {
      const std::uint32_t c = view_.components[k];
      for (std::uint32_t i = 0; i < view_.stages; ++i) {
        const Number* next = cell(i, view_.rate[c]);
        Number* now = rate(i, c);
        for (int g = 0; g < Groups; ++g) {
          change[g] = numeric::larger_magnitude(change[g], Number(abs(next[g] - now[g])));
          if (size != nullptr) size[g] = numeric::larger_magnitude(size[g], Number(abs(next[g])));
          now[g] = select(active[g], next[g], now[g]);
        }
      }
    }
  }
  /// Moves the stages by the rates of a part.
  void move(const TapeStages::Part& part) {
    for (std::uint32_t k = part.begin; k < part.end; ++k) {
      const std::uint32_t c = view_.components[k];
      for (std::uint32_t i = 0; i < view_.stages; ++i) {
        const std::uint32_t* weights = view_.weights + std::size_t{i} * view_.stages;
        for (int g = 0; g < Groups; ++g) {
          Number sum = outer(weights[0])[g] * rate(0, c)[g];
          for (std::uint32_t j = 1; j < view_.stages; ++j)
            sum = sum + outer(weights[j])[g] * rate(j, c)[g];
          cell(i, view_.state[c])[g] = outer(view_.before[c])[g] + outer(view_.step)[g] * sum;
        }
      }
      for (std::uint32_t i = 0; i < view_.nodes_beside; ++i) {
        const std::uint32_t* weights = view_.path + std::size_t{i} * view_.stages;
        for (int g = 0; g < Groups; ++g) {
          Number sum = outer(weights[0])[g] * rate(0, c)[g];
          for (std::uint32_t j = 1; j < view_.stages; ++j)
            sum = sum + outer(weights[j])[g] * rate(j, c)[g];
          beside(i, view_.function_state[c])[g] =
              outer(view_.before[c])[g] + outer(view_.step)[g] * sum;
        }
      }
    }
  }
  void end() {
    for (std::uint32_t i = 0; i < view_.stages; ++i) {
      for (std::uint32_t c = 0; c < view_.size; ++c) {
        const Number* found = rate(i, c);
        Number* result = outer(view_.results[i * view_.size + c]);
        for (int g = 0; g < Groups; ++g) result[g] = found[g];
      }
    }
  }

 private:
  void run(std::size_t section) {
    if (view_.nodes_beside > 0) run_function(section);
    run_rates(section);
  }
  void run_rates(std::size_t section) {
    const TapeSection& lines = view_.sections[section];
    for (std::uint32_t i = 0; i < view_.stages; ++i)
      run_tape<Number, Groups>(view_.tape, lines.begin, lines.end, cell(i, 0), solve_);
  }
  void run_function(std::size_t section) {
    const TapeSection& lines = view_.function_sections[section];
    for (std::uint32_t i = 0; i < view_.nodes_beside; ++i)
      run_tape<Number, Groups>(view_.function, lines.begin, lines.end, beside(i, 0), solve_);
  }
  /// The means that a part uses.
  void form_means(std::uint32_t part) {
    const TapeStages::Part& used = view_.function_parts[part];
    for (std::uint32_t k = used.begin; k < used.end; ++k) {
      for (std::uint32_t i = 0; i < view_.stages; ++i) {
        const std::uint32_t* weights = view_.mean_weights + std::size_t{i} * view_.nodes_beside;
        Number* mean = cell(i, view_.mean[view_.functions[k]]);
        for (int g = 0; g < Groups; ++g) {
          Number sum = outer(weights[0])[g] * beside(0, view_.function_value[k])[g];
          for (std::uint32_t j = 1; j < view_.nodes_beside; ++j)
            sum = sum + outer(weights[j])[g] * beside(j, view_.function_value[k])[g];
          mean[g] = sum;
        }
      }
    }
  }
  Number* beside(std::uint32_t node, std::uint32_t slot) {
    return beside_ + (std::size_t{node} * view_.function_slots + slot) * Groups;
  }
  Number* outer(std::uint32_t slot) { return slots_ + std::size_t{slot} * Groups; }
  Number* cell(std::uint32_t stage, std::uint32_t slot) {
    return cells_ + (std::size_t{stage} * view_.slot_count + slot) * Groups;
  }
  Number* rate(std::uint32_t stage, std::uint32_t component) {
    return rates_ + (std::size_t{stage} * view_.size + component) * Groups;
  }
  void copy(std::uint32_t from, Number* to) {
    for (int g = 0; g < Groups; ++g) to[g] = outer(from)[g];
  }

  const StageView& view_;
  Number *slots_, *cells_, *rates_, *beside_, *solve_;
};

/// The stages of a step of one trajectory in the lanes of vectors: sums over them are formed in the
/// order of the stages, so that the bits are those of StagesInTurn.
template <int Width, int Vectors>
class StagesInLanes {
 public:
  using Numbers = numeric::Lanes<Width>;

  /// Aligned memory. Weights and nodes stay there from step to step and are read in the first.
  StagesInLanes(const StageView& view, double* slots, Numbers* memory, bool is_first)
      : view_(view),
        slots_(slots),
        cells_(memory),
        rates_(cells_ + view.slot_count * Vectors),
        columns_(rates_ + std::size_t{view.size} * Vectors),
        nodes_(columns_ + std::size_t{view.stages} * Vectors),
        mean_columns_(nodes_ + Vectors),
        vectors_beside_(view.nodes_beside == 0
                            ? 0
                            : static_cast<std::uint32_t>(padded_stages(view.nodes_beside)) / Width),
        beside_(mean_columns_ + std::size_t{view.nodes_beside} * Vectors),
        path_columns_(beside_ + view.function_slots * vectors_beside_),
        solve_(path_columns_ + std::size_t{view.stages} * vectors_beside_) {
    if (is_first) read_coefficients();
  }

  void begin() {
    for (std::uint32_t k = 0; k < view_.shared_count; ++k)
      fill(cell(view_.shared[k].second), slots_[view_.shared[k].first]);
    for (std::uint32_t c = 0; c < view_.size; ++c) {
      fill(cell(view_.state[c]), slots_[view_.before[c]]);
      fill(rates_ + c * Vectors, 0.0);
    }
    const Numbers start(slots_[view_.start_time]), h(slots_[view_.step]);
    for (int v = 0; v < Vectors; ++v) cell(view_.time)[v] = start + nodes_[v] * h;
    if (vectors_beside_ == 0) return;
    for (std::uint32_t k = 0; k < view_.function_shared_count; ++k)
      fill_beside(view_.function_shared[k].second, slots_[view_.function_shared[k].first]);
    for (std::uint32_t c = 0; c < view_.size; ++c)
      fill_beside(view_.function_state[c], slots_[view_.before[c]]);
  }
  void prepare(std::uint32_t part) {
    if (vectors_beside_ > 0) run_function(2 * part);
    run_rates(2 * part);
  }
  void sweep(std::uint32_t part) {
    if (vectors_beside_ > 0) {
      run_function(2 * part + 1);
      form_means(part);
    }
    run_rates(2 * part + 1);
  }
  void take(const TapeStages::Part& part, const bool* /*active*/, double* change, double* size) {
    Numbers changes[Vectors], sizes[Vectors];
    for (int v = 0; v < Vectors; ++v) changes[v] = sizes[v] = Numbers(0.0);
    const bool is_measured = size != nullptr;
    for (std::uint32_t k = part.begin; k < part.end; ++k) {
      const std::uint32_t c = view_.components[k];
      const Numbers* next = cell(view_.rate[c]);
      Numbers* now = rates_ + c * Vectors;
      for (int v = 0; v < Vectors; ++v) {
        changes[v] = numeric::larger_magnitude(changes[v], abs(next[v] - now[v]));
        if (is_measured) sizes[v] = numeric::larger_magnitude(sizes[v], abs(next[v]));
        now[v] = next[v];
      }
    }
    *change = largest(changes);
    if (is_measured) *size = numeric::larger_magnitude(*size, largest(sizes));
  }
  void move(const TapeStages::Part& part) {
    const Numbers h(slots_[view_.step]);
    for (std::uint32_t k = part.begin; k < part.end; ++k) {
      const std::uint32_t c = view_.components[k];
      const double* rate = numbers(rates_ + c * Vectors);
      Numbers sum[Vectors];
      for (int v = 0; v < Vectors; ++v) sum[v] = columns_[v] * Numbers(rate[0]);
      for (std::uint32_t j = 1; j < view_.stages; ++j) {
        const Numbers at_stage(rate[j]);
        for (int v = 0; v < Vectors; ++v)
          sum[v] = sum[v] + columns_[j * Vectors + static_cast<std::uint32_t>(v)] * at_stage;
      }
      const Numbers before(slots_[view_.before[c]]);
      for (int v = 0; v < Vectors; ++v) cell(view_.state[c])[v] = before + h * sum[v];
      for (std::uint32_t v = 0; v < vectors_beside_; ++v) {
        Numbers along = path_columns_[v] * Numbers(rate[0]);
        for (std::uint32_t j = 1; j < view_.stages; ++j)
          along = along + path_columns_[j * vectors_beside_ + v] * Numbers(rate[j]);
        beside(view_.function_state[c])[v] = before + h * along;
      }
    }
  }
  void end() {
    for (std::uint32_t c = 0; c < view_.size; ++c) {
      const double* rate = numbers(rates_ + c * Vectors);
      for (std::uint32_t i = 0; i < view_.stages; ++i)
        slots_[view_.results[i * view_.size + c]] = rate[i];
    }
  }

 private:
  Numbers* cell(std::uint32_t slot) { return cells_ + std::size_t{slot} * Vectors; }
  void run_rates(std::size_t section) {
    const TapeSection& lines = view_.sections[section];
    run_tape<Numbers, Vectors>(view_.tape, lines.begin, lines.end, cells_, solve_);
  }
  void run_function(std::size_t section) {
    switch (vectors_beside_) {
      case 1:
        return run_function_on<1>(section);
      case 2:
        return run_function_on<2>(section);
      case 4:
        return run_function_on<4>(section);
      case 8:
        return run_function_on<8>(section);
      default:
        return run_function_on<16>(section);
    }
  }
  template <int vectors>
  void run_function_on(std::size_t section) {
    const TapeSection& lines = view_.function_sections[section];
    run_tape<Numbers, vectors>(view_.function, lines.begin, lines.end, beside_, solve_);
  }
  void form_means(std::uint32_t part) {
    const TapeStages::Part& used = view_.function_parts[part];
    for (std::uint32_t k = used.begin; k < used.end; ++k) {
      const double* values = numbers(beside(view_.function_value[k]));
      Numbers* mean = cell(view_.mean[view_.functions[k]]);
      Numbers sum[Vectors];
      for (int v = 0; v < Vectors; ++v) sum[v] = mean_columns_[v] * Numbers(values[0]);
      for (std::uint32_t j = 1; j < view_.nodes_beside; ++j) {
        const Numbers at_node(values[j]);
        for (int v = 0; v < Vectors; ++v)
          sum[v] = sum[v] + mean_columns_[j * Vectors + static_cast<std::uint32_t>(v)] * at_node;
      }
      for (int v = 0; v < Vectors; ++v) mean[v] = sum[v];
    }
  }
  /// What lies in lanes that are no stages or nodes repeats the last one.
  void read_coefficients() {
    for (std::uint32_t lane = 0; lane < Width * Vectors; ++lane) {
      const std::uint32_t i = lane < view_.stages ? lane : view_.stages - 1;
      numbers(nodes_)[lane] = slots_[view_.nodes[i]];
      for (std::uint32_t j = 0; j < view_.stages; ++j)
        numbers(columns_ + j * Vectors)[lane] = slots_[view_.weights[i * view_.stages + j]];
      for (std::uint32_t j = 0; j < view_.nodes_beside; ++j)
        numbers(mean_columns_ + j * Vectors)[lane] =
            slots_[view_.mean_weights[i * view_.nodes_beside + j]];
    }
    for (std::uint32_t lane = 0; lane < Width * vectors_beside_; ++lane) {
      const std::uint32_t i = lane < view_.nodes_beside ? lane : view_.nodes_beside - 1;
      for (std::uint32_t j = 0; j < view_.stages; ++j)
        numbers(path_columns_ + j * vectors_beside_)[lane] =
            slots_[view_.path[i * view_.stages + j]];
    }
  }
  Numbers* beside(std::uint32_t slot) { return beside_ + std::size_t{slot} * vectors_beside_; }
  void fill_beside(std::uint32_t slot, double value) {
    for (std::uint32_t v = 0; v < vectors_beside_; ++v) beside(slot)[v] = Numbers(value);
  }
  static double* numbers(Numbers* vectors) { return reinterpret_cast<double*>(vectors); }
  static void fill(Numbers* vectors, double value) {
    for (int v = 0; v < Vectors; ++v) vectors[v] = Numbers(value);
  }
  /// Of all lanes; those that are no stages repeat the last one.
  static double largest(Numbers* vectors) {
    for (int v = 1; v < Vectors; ++v)
      vectors[0] = numeric::larger_magnitude(vectors[0], vectors[v]);
    double result = vectors[0].get(0);
    for (int lane = 1; lane < Width; ++lane)
      result = numeric::larger_magnitude(result, vectors[0].get(lane));
    return result;
  }

  const StageView& view_;
  double* slots_;
  Numbers *cells_, *rates_, *columns_, *nodes_, *mean_columns_;
  std::uint32_t vectors_beside_;
  Numbers *beside_, *path_columns_, *solve_;
};

/// The sweeps of one stage iteration. Every trajectory stops by itself, as it would alone: when its
/// rates have settled at round-off, or when it is clear that they settle too slowly.
template <class Number, int Groups, class Stages>
class StageLoop {
 public:
  using Mask = numeric::mask_of<Number>;

  /// `memory` for two numbers of each part and group.
  StageLoop(const StepView& step, const StageView& view, Number* slots, Number* memory,
            Stages stages)
      : step_(step),
        view_(view),
        slots_(slots),
        size_(memory),
        previous_(memory + std::size_t{view.part_count} * Groups),
        stages_(stages) {}

  /// Finds the rates of the trajectories in `alive`; those whose sweeps do not converge are taken
  /// out of `settled`.
  int run(const Mask* alive, Mask* settled) {
    int sweeps = 0;
    for (int g = 0; g < Groups; ++g) settled[g] = alive[g];
    stages_.begin();
    for (std::uint32_t b = 0; b < view_.block_count; ++b)
      sweeps += run_block(view_.blocks[b], settled);
    stages_.end();
    return sweeps;
  }

 private:
  int run_block(const TapeStages::Block& block, Mask* settled) {
    stages_.prepare(block.part_begin);
    for (std::size_t i = std::size_t{block.part_begin} * Groups; i < block.part_end * Groups; ++i)
      size_[i] = Number(0.0);
    Mask active[Groups];
    for (int g = 0; g < Groups; ++g) active[g] = settled[g];
    int sweep = 0;
    for (; sweep < most_sweeps && any_of(active); ++sweep) {
      Mask done[Groups], slow[Groups];
      for (int g = 0; g < Groups; ++g) {
        done[g] = Mask(true);
        slow[g] = Mask(false);
      }
      for (std::uint32_t p = block.part_begin; p < block.part_end; ++p) {
        stages_.sweep(p);
        Number change[Groups];
        stages_.take(view_.parts[p], active, change,
                     sweep < sweeps_measured ? size_ + p * Groups : nullptr);
        stages_.move(view_.parts[p]);
        if (block.iterates) judge(block, p, sweep, change, done, slow);
      }
      for (int g = 0; g < Groups; ++g) {
        settled[g] = settled[g] & !(active[g] & slow[g] & !done[g]);
        active[g] = active[g] & !done[g] & !slow[g];
      }
    }
    for (int g = 0; g < Groups; ++g) settled[g] = settled[g] & !active[g];
    return sweep;
  }

  void judge(const TapeStages::Block& block, std::uint32_t part, int sweep, const Number* change,
             Mask* done, Mask* slow) {
    using numeric::any, numeric::round_off;
    const Number unit = round_off<Number>();
    for (int g = 0; g < Groups; ++g) {
      const std::uint32_t at = part * Groups + static_cast<std::uint32_t>(g);
      Number& previous = previous_[at];
      Mask is_done = change[g] <= Number(0.0), is_slow(false);
      if (sweep > 0) {
        is_done = numeric::sweep_is_small<Number>(change[g], previous, size_[at], step_.compensated,
                                                  unit);
        is_slow = numeric::sweeps_are_slow<Number>(change[g], previous);
      }
      if (any(is_slow)) {
        const Mask here = numeric::is_round_off<Number>(change[g], scale(block, g), unit);
        is_done = is_done | (is_slow & here);
        if (sweep >= sweeps_free) slow[g] = slow[g] | (is_slow & !here);
      }
      done[g] = done[g] & is_done;
      previous = change[g];
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
      scale = numeric::larger(scale, size_[p * Groups + static_cast<std::uint32_t>(g)]);
    return scale;
  }

  static bool any_of(const Mask* masks) {
    using numeric::any;
    Mask anywhere = masks[0];
    for (int g = 1; g < Groups; ++g) anywhere = anywhere | masks[g];
    return any(anywhere);
  }
  Number& slot(std::uint32_t index, int g) { return slots_[std::size_t{index} * Groups + g]; }

  const StepView& step_;
  const StageView& view_;
  Number *slots_, *size_, *previous_;
  Stages stages_;
};

/// Runs a stage iteration on the memory of `stage_memory(view)` numbers for each member, which
/// nobody else changes from the first step on.
template <class Number, int Groups>
int run_stages(const StepView& step, const StageView& view, Number* slots, Number* memory,
               [[maybe_unused]] bool is_first, const numeric::mask_of<Number>* alive,
               numeric::mask_of<Number>* settled) {
#ifndef DALEMBERT_IS_USER
  if constexpr (std::is_same_v<Number, double> && Groups == 1) {
    constexpr int width = numeric::detail::native_width < 4 ? 4 : numeric::detail::native_width;
    const auto in_lanes = [&]<int vectors>(std::integral_constant<int, vectors>) {
      constexpr std::uintptr_t alignment = 64;
      double* const rest = memory + 2 * view.part_count;
      const std::uintptr_t beyond = reinterpret_cast<std::uintptr_t>(rest) % alignment;
      double* const aligned = beyond == 0 ? rest : rest + (alignment - beyond) / sizeof(double);
      auto* const vector_memory = reinterpret_cast<numeric::Lanes<width>*>(aligned);
      StageLoop<double, 1, StagesInLanes<width, vectors>> loop(
          step, view, slots, memory,
          StagesInLanes<width, vectors>(view, slots, vector_memory, is_first));
      return loop.run(alive, settled);
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
  StagesInTurn<Number, Groups> stages(view, slots,
                                      memory + std::size_t{2} * view.part_count * Groups);
  return StageLoop<Number, Groups, StagesInTurn<Number, Groups>>(step, view, slots, memory, stages)
      .run(alive, settled);
}

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
