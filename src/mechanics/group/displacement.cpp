#include "dalembert/mechanics/group/displacement.hpp"

#include "mechanics/new_symbols.hpp"

namespace dalembert {

template class Displacement<double>;

DisplacementEquations displacement_equations(const Configuration& configuration) {
  const auto graph = std::make_shared<Graph>();
  DisplacementEquations result;
  result.q = new_symbols(graph, "q", configuration.storage_count());
  result.x = new_symbols(graph, "x", configuration.dof());
  result.moved =
      configuration.normalised(configuration.move(Retraction::cayley, result.q, result.x));
  return result;
}

}  // namespace dalembert
