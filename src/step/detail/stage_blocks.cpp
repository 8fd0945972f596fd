#include "dalembert/step/detail/stage_blocks.hpp"

#include "dalembert/expression/query.hpp"
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

/// What a rate depends on, by itself or by means.
std::vector<bool> components_of(const Expr& rate, const StageIteration& stages) {
  std::vector<bool> result = dependencies(rate, stages.state);
  const std::vector<bool> means = dependencies(rate, stages.means.means);
  for (std::size_t m = 0; m < means.size(); ++m) {
    if (!means[m]) continue;
    const std::vector<bool> here = dependencies(stages.means.function[m], stages.state);
    for (std::size_t c = 0; c < result.size(); ++c) result[c] = result[c] || here[c];
  }
  return result;
}

}  // namespace

std::vector<StageBlock> stage_blocks(const StageIteration& stages) {
  const std::size_t n = stages.state.size();
  Depends rates, with_itself, diagonal(n, std::vector<bool>(n, false));
  for (std::size_t c = 0; c < n; ++c) {
    rates.push_back(components_of(stages.rate[c], stages));
    with_itself.push_back(rates.back());
    with_itself.back()[c] = diagonal[c][c] = true;
  }
  std::vector<EquationBlock> found;
  std::vector<std::size_t> unmatched;
  block_lower_triangular(with_itself, diagonal, found, unmatched);
  std::vector<StageBlock> blocks;
  for (const EquationBlock& block : found)
    blocks.push_back(swept(block.unknowns, stages.positions, rates));
  return blocks;
}

}  // namespace dalembert
