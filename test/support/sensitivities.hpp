#pragma once
// Derivatives of the motions of witnesses.

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>

#include "dalembert/numeric/extremes.hpp"
#include "dalembert/sensitivity/sensitivity.hpp"
#include "support/witness.hpp"

namespace test_support {

inline dalembert::Problem problem_of(const Witness& witness) {
  return {witness.system,
          {dalembert::Start{.name = "start", .q = witness.q, .v = witness.v, .project = true}}};
}

/// The largest difference of two derivatives of the same run, relative to 1 and their size.
inline double largest_apart(const dalembert::Sensitivity& x, const dalembert::Sensitivity& y) {
  REQUIRE(x.ok());
  REQUIRE(y.ok());
  REQUIRE(x.derivatives.size() == y.derivatives.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < x.derivatives.size(); ++i)
    largest = dalembert::numeric::larger(largest, std::fabs(x.derivatives[i] - y.derivatives[i]) /
                                                      (1.0 + std::fabs(x.derivatives[i])));
  return largest;
}

}  // namespace test_support
