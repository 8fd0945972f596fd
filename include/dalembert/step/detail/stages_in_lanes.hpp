#pragma once

#include <cstddef>
#include <cstdint>

#include "dalembert/expression/tape/interpreter.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "dalembert/step/step_view.hpp"

namespace dalembert {

/// Stages that lie in the lanes of vectors fill a power of two of lanes, at least 8 and at most
/// `most_stages_in_lanes`; more are taken one after the other.
inline constexpr std::size_t most_stages_in_lanes = 64;
constexpr std::size_t padded_stages(std::size_t stages) {
  std::size_t padded = 8;
  while (padded < stages) padded *= 2;
  return padded;
}

inline namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE {

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
    for (std::uint32_t c = 0; c < view_.ends; ++c) end_at(c, slots_[view_.before[c]]);
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
      if (c < view_.ends) move_end(c, rate);
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
  /// Moves the end by the rates of a component at all stages.
  void move_end(std::uint32_t c, const double* rate) {
    double sum = slots_[view_.end_weights[0]] * rate[0];
    for (std::uint32_t j = 1; j < view_.stages; ++j)
      sum = sum + slots_[view_.end_weights[j]] * rate[j];
    end_at(c, slots_[view_.before[c]] + slots_[view_.step] * sum);
  }
  void end_at(std::uint32_t c, double place) {
    fill(cell(view_.end[c]), place);
    if (vectors_beside_ > 0) fill_beside(view_.function_end[c], place);
  }
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

}  // namespace DALEMBERT_INSTRUCTION_SET_NAMESPACE
}  // namespace dalembert
