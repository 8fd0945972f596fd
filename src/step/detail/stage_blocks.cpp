#include "dalembert/step/detail/stage_blocks.hpp"

#include <cmath>

#include "dalembert/expression/sparse/dependent_nodes.hpp"
#include "dalembert/step/detail/block_form.hpp"

namespace dalembert {
namespace {

using Depends = std::vector<std::vector<bool>>;

/// The components of a block in the order of its sweeps.
StageBlock swept(const std::vector<std::size_t>& components, std::size_t positions,
                 const Depends& rates) {
  StageBlock block;
  std::vector<std::size_t> velocities, places;
  for (const std::size_t c : components) (c < positions ? places : velocities).push_back(c);
  for (const auto& part : {velocities, places}) {
    if (!part.empty()) block.parts.push_back(part);
  }
  block.iterates = components.size() > 1 || rates[components.front()][components.front()];
  return block;
}

/// Components of the state that functions depend on, at a stage or at the end.
std::vector<std::vector<std::size_t>> components_of(const Vector& functions,
                                                    const StageIteration& stages) {
  auto result = sparse_dependencies(functions, stages.state);
  const auto at_end = sparse_dependencies(functions, stages.end);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i].insert(result[i].end(), at_end[i].begin(), at_end[i].end());
  return result;
}

/// What each rate depends on, by itself or by means.
Depends components_of_rates(const StageIteration& stages) {
  const std::size_t n = stages.state.size();
  const auto by_itself = components_of(stages.rate, stages),
             means = sparse_dependencies(stages.rate, stages.means.means),
             by_mean = components_of(stages.means.function, stages);
  Depends result(n, std::vector<bool>(n, false));
  for (std::size_t c = 0; c < n; ++c) {
    for (const std::size_t other : by_itself[c]) result[c][other] = true;
    for (const std::size_t m : means[c]) {
      for (const std::size_t other : by_mean[m]) result[c][other] = true;
    }
  }
  return result;
}

}  // namespace

std::vector<StageBlock> stage_blocks(const StageIteration& stages) {
  const std::size_t n = stages.state.size();
  const Depends rates = components_of_rates(stages);
  Depends with_itself = rates, diagonal(n, std::vector<bool>(n, false));
  for (std::size_t c = 0; c < n; ++c) with_itself[c][c] = diagonal[c][c] = true;
  std::vector<EquationBlock> found;
  std::vector<std::size_t> unmatched;
  block_lower_triangular(with_itself, diagonal, found, unmatched);
  std::vector<StageBlock> blocks;
  for (const EquationBlock& block : found) {
    blocks.push_back(swept(block.unknowns, stages.positions, rates));
    blocks.back().patience = patience(stages.nodes.size(), block.unknowns.size());
  }
  return blocks;
}

SweepPatience patience(std::size_t stages, std::size_t components) {
  constexpr std::size_t few_unknowns = 18;
  const bool is_patient = stages * components > few_unknowns;
  const int window = stages < 4 ? 4 : static_cast<int>(stages);
  return {.most = is_patient ? 128 : 64,
          .window = window,
          .slowest = std::ldexp(1.0, is_patient ? -(window + 1) / 2 : -window)};
}

}  // namespace dalembert
