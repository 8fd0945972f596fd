#include "node_acceleration.hpp"

namespace dalembert {
namespace {

/// Coordinates beyond which the inverse of a mass matrix is too large to be written down.
constexpr std::size_t few_coordinates = 16;

}  // namespace

NodeAcceleration node_acceleration(const System& s, const State& at, const Vector& lambda,
                                   Unknowns& u, const std::string& name) {
  if (s.dof() > few_coordinates) {
    const Vector value = u.vector(name, zeros(s.dof()));
    return {value, slice(s.motion_residual(at.q, at.v, at.t, value, lambda), 0, s.dof())};
  }
  const Vector free = s.unconstrained_acceleration(at.q, at.v, at.t);
  if (lambda.empty()) return {free, {}};
  return {free + s.multiplier_directions(at.q, at.v, at.t) * lambda, {}};
}

}  // namespace dalembert
