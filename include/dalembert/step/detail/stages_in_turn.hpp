#pragma once

#include <cstddef>
#include <cstdint>

#include "dalembert/expression/tape/interpreter.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/step/step_view.hpp"

namespace dalembert {
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
      for (std::uint32_t c = 0; c < view_.ends; ++c) copy(view_.before[c], cell(i, view_.end[c]));
      for (int g = 0; g < Groups; ++g)
        cell(i, view_.time)[g] =
            outer(view_.start_time)[g] + outer(view_.nodes[i])[g] * outer(view_.step)[g];
    }
    for (std::uint32_t i = 0; i < view_.nodes_beside; ++i) {
      for (std::uint32_t k = 0; k < view_.function_shared_count; ++k)
        copy(view_.function_shared[k].first, beside(i, view_.function_shared[k].second));
      for (std::uint32_t c = 0; c < view_.size; ++c)
        copy(view_.before[c], beside(i, view_.function_state[c]));
      for (std::uint32_t c = 0; c < view_.ends; ++c)
        copy(view_.before[c], beside(i, view_.function_end[c]));
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
        for (int g = 0; g < Groups; ++g) cell(i, view_.state[c])[g] = moved(c, weights, g);
      }
      for (std::uint32_t i = 0; i < view_.nodes_beside; ++i) {
        const std::uint32_t* weights = view_.path + std::size_t{i} * view_.stages;
        for (int g = 0; g < Groups; ++g)
          beside(i, view_.function_state[c])[g] = moved(c, weights, g);
      }
      if (c < view_.ends) move_end(c);
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
  /// A component, moved by the rates with weights in these slots.
  Number moved(std::uint32_t c, const std::uint32_t* weights, int g) {
    Number sum = outer(weights[0])[g] * rate(0, c)[g];
    for (std::uint32_t j = 1; j < view_.stages; ++j)
      sum = sum + outer(weights[j])[g] * rate(j, c)[g];
    return outer(view_.before[c])[g] + outer(view_.step)[g] * sum;
  }
  void move_end(std::uint32_t c) {
    for (int g = 0; g < Groups; ++g) {
      const Number end = moved(c, view_.end_weights, g);
      for (std::uint32_t i = 0; i < view_.stages; ++i) cell(i, view_.end[c])[g] = end;
      for (std::uint32_t i = 0; i < view_.nodes_beside; ++i)
        beside(i, view_.function_end[c])[g] = end;
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

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
