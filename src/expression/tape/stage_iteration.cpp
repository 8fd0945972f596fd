#include "dalembert/expression/tape/stage_iteration.hpp"

#include "dalembert/expression/tape/tape.hpp"

namespace dalembert {

StageView view_of(const TapeStages& s) {
  const auto size = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
  return {.tape = s.rates->view(),
          .sections = s.rates->sections.data(),
          .slot_count = s.rates->slot_count,
          .largest_solve = s.rates->largest_solve,
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
          .fallback_end = s.fallback_end};
}

}  // namespace dalembert
