#pragma once
// What a product of groups does factor by factor.

#include "dalembert/mechanics/group/configuration.hpp"

namespace dalembert {

/// The parts of a factor in stored points, and in velocities, momenta and displacements.
inline Vector stored_part(const Configuration::Factor& factor, const Vector& q) {
  return slice(q, factor.storage, factor.group.storage_size());
}
inline Vector velocity_part(const Configuration::Factor& factor, const Vector& u) {
  return slice(u, factor.velocity, factor.group.dimension());
}

/// All arguments in one graph.
inline std::vector<Vector> in_one_graph(const std::vector<Vector>& arguments) {
  Vector all;
  for (const Vector& argument : arguments) all.insert(all.end(), argument.begin(), argument.end());
  const GraphPointer graph = common_graph({all});
  std::vector<Vector> result;
  for (const Vector& argument : arguments) result.push_back(in_graph(argument, graph));
  return result;
}

/// What `operate` makes of each factor, one after the other.
template <class Operate>
Vector by_factor(const Configuration& configuration, Operate operate) {
  Vector result;
  for (const Configuration::Factor& factor : configuration.factors()) {
    const Vector part = operate(factor);
    result.insert(result.end(), part.begin(), part.end());
  }
  return result;
}

}  // namespace dalembert
