#include "dalembert/expression/tape/stage_iteration.hpp"

#include <algorithm>

#include "dalembert/expression/tape/tape.hpp"

namespace dalembert {

StageView view_of(const TapeStages& s) {
  static const Tape nothing;
  const Tape& function = s.function == nullptr ? nothing : *s.function;
  const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  return {.tape = s.rates->view(),
          .sections = s.rates->sections.data(),
          .slot_count = s.rates->slot_count,
          .largest_solve = std::max(s.rates->largest_solve, function.largest_solve),
          .stages = size(s.nodes),
          .size = size(s.before),
          .part_count = size(s.parts),
          .block_count = size(s.blocks),
          .shared_count = size(s.shared),
          .parts = s.parts.data(),
          .blocks = s.blocks.data(),
          .components = s.components.data(),
          .shared = s.shared.data(),
          .before = s.before.data(),
          .state = s.state.data(),
          .rate = s.rate.data(),
          .nodes = s.nodes.data(),
          .weights = s.weights.data(),
          .results = s.results.data(),
          .fallback = s.fallback.data(),
          .start_time = s.start_time,
          .step = s.step,
          .time = s.time,
          .fallback_end = s.fallback_end,
          .has_fallback = !s.fallback.empty(),
          .function = function.view(),
          .function_sections = function.sections.data(),
          .function_slots = function.slot_count,
          .nodes_beside = size(s.path) / size(s.nodes),
          .means = size(s.mean),
          .function_shared_count = size(s.function_shared),
          .function_parts = s.function_parts.data(),
          .functions = s.functions.data(),
          .function_shared = s.function_shared.data(),
          .function_state = s.function_state.data(),
          .function_value = s.function_value.data(),
          .mean = s.mean.data(),
          .path = s.path.data(),
          .mean_weights = s.mean_weights.data(),
          .ends = size(s.end),
          .end = s.end.data(),
          .function_end = s.function_end.data(),
          .end_weights = s.end_weights.data()};
}

}  // namespace dalembert
