#include "planned_blocks.hpp"

#include "dalembert/error.hpp"
#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/expression/sparse/dependent_nodes.hpp"
#include "dalembert/step/detail/named_parts.hpp"

namespace dalembert {
namespace {

void check_count(const System& system, const Method& method, std::size_t equations,
                 std::size_t unknowns) {
  if (equations == unknowns) return;
  throw RequestError("method \"" + method.name() + "\" has " + std::to_string(equations) +
                     " equations for " + std::to_string(unknowns) + " unknowns on system \"" +
                     system.name() + "\"");
}

/// The blocks of the equations, in the order in which they can be solved.
std::vector<EquationBlock> order(const System& system, const Method& method, const Vector& zero,
                                 const std::vector<StepUnknown>& unknowns) {
  check_count(system, method, zero.size(), unknowns.size());
  Vector symbols;
  for (const StepUnknown& unknown : unknowns) symbols.push_back(unknown.symbol);
  std::vector<std::vector<bool>> incidence(zero.size(), std::vector<bool>(symbols.size(), false));
  std::vector<std::vector<bool>> preferred = incidence;
  const auto mentioned = sparse_dependencies(zero, symbols);
  // A factor of many equations tells nothing of which unknown an equation is for.
  const Vector functions = symbols.empty() ? zero : name_factors_of(zero, symbols).functions;
  const SparseRows<Expr> slopes = sparse_jacobian(slice(functions, 0, zero.size()), symbols);
  for (std::size_t e = 0; e < zero.size(); ++e) {
    for (const std::size_t u : mentioned[e]) incidence[e][u] = true;
    for (const auto& [u, slope] : slopes[e]) preferred[e][u] = slope.facts().nonzero;
  }
  std::vector<EquationBlock> blocks;
  std::vector<std::size_t> unmatched;
  if (!block_lower_triangular(incidence, preferred, blocks, unmatched)) {
    throw RequestError("the equations of method \"" + method.name() +
                       "\" do not determine a step of system \"" + system.name() +
                       "\": no unknown is left for " + to_string(zero[unmatched.front()]) + " = 0");
  }
  return blocks;
}

}  // namespace

std::vector<PlannedBlock> planned_blocks(const System& system, const Method& method,
                                         const Vector& zero,
                                         const std::vector<StepUnknown>& unknowns,
                                         Companion companion) {
  std::vector<PlannedBlock> result;
  if (companion == Companion::none) {
    for (EquationBlock& block : order(system, method, zero, unknowns))
      result.push_back({std::move(block)});
    return result;
  }
  const std::size_t n = zero.size() / 2;
  check_count(system, method, n, unknowns.size() / 2);
  const std::vector<StepUnknown> own(unknowns.begin(),
                                     unknowns.begin() + static_cast<std::ptrdiff_t>(n));
  const std::vector<EquationBlock> blocks = order(system, method, slice(zero, 0, n), own);
  const auto moved = [n](std::vector<std::size_t> indices) {
    for (std::size_t& index : indices) index += n;
    return indices;
  };
  for (const EquationBlock& block : blocks) {
    result.push_back({block});
    if (companion == Companion::tangent)
      result.push_back({{moved(block.equations), moved(block.unknowns)}, result.size() - 1});
  }
  if (companion == Companion::tangent) return result;
  for (std::size_t b = blocks.size(); b-- > 0;)
    result.push_back({{moved(blocks[b].unknowns), moved(blocks[b].equations)}, b});
  return result;
}

}  // namespace dalembert
