#include "dalembert/mechanics/group/displacement.hpp"

#include <string>

namespace dalembert {
namespace {

Vector new_symbols_of(const GraphPointer& graph, const std::string& name, std::size_t count) {
  Vector symbols;
  for (std::size_t i = 0; i < count; ++i)
    symbols.push_back(make_symbol(graph, name + "_" + std::to_string(i + 1)));
  return symbols;
}

}  // namespace

template class Displacement<double>;

DisplacementEquations displacement_equations(const Configuration& configuration) {
  const auto graph = std::make_shared<Graph>();
  DisplacementEquations result;
  result.q = new_symbols_of(graph, "q", configuration.storage_count());
  result.x = new_symbols_of(graph, "x", configuration.dof());
  result.moved =
      configuration.normalised(configuration.move(Retraction::cayley, result.q, result.x));
  return result;
}

}  // namespace dalembert
