#pragma once

#include <vector>

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// factor * sum_j weights_j terms_j, as sums over stages: there may be more terms than weights.
/// Vectors have `size` entries, that of the terms where there are any.
inline Vector weighted_sum(const Expr& factor, const std::vector<Constant>& weights,
                           const std::vector<Vector>& terms, std::size_t size) {
  Vector sum = zeros(size);
  for (std::size_t j = 0; j < weights.size(); ++j)
    sum = sum + (Expr(weights[j]) * factor) * terms[j];
  return sum;
}
inline Vector weighted_sum(const Expr& factor, const std::vector<Constant>& weights,
                           const std::vector<Vector>& terms) {
  return weighted_sum(factor, weights, terms, terms.front().size());
}

}  // namespace dalembert
