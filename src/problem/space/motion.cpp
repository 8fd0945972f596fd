#include "problem/space/motion.hpp"

#include <algorithm>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"

namespace dalembert::study {

Motion::Motion(const Configuration& configuration, const Symbols& symbols)
    : variables_(symbols.variables),
      direction_(configuration.rates(symbols.variables) * symbols.v),
      velocities_(symbols.v) {
  variables_.push_back(symbols.t);
  direction_.push_back(1.0);
}

Vector Motion::rate(const Vector& entries) const {
  return directional_derivative(entries, variables_, direction_);
}

bool Motion::has_velocity(const Vector& entries) const {
  return std::ranges::any_of(entries,
                             [this](const Expr& entry) { return depends_on(entry, velocities_); });
}

}  // namespace dalembert::study
