#pragma once
// How the error of a method falls where its step is halved.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/measure/exact_flow.hpp"

namespace test_support {

/// The errors of (q, v) after `duration` in `steps` steps and in twice as many.
struct HalvedStep {
  double coarse = 0.0, fine = 0.0;

  HalvedStep(dalembert::StepMap<double>& map, const dalembert::BasicPoint<double>& start,
             double duration, int steps) {
    dalembert::BasicPoint<double> exact = start;
    dalembert::ExactFlow<double> flow(map.program().system());
    if (!flow.advance(exact.t, std::span(exact.q), std::span(exact.v), duration))
      throw std::runtime_error("the exact flow was refused a step");
    const auto error = [&](int count) {
      dalembert::BasicPoint<double> point = start;
      if (!map.apply(point, duration / count, static_cast<std::uint64_t>(count)))
        throw std::runtime_error("the method was refused a step");
      return std::max(dalembert::largest_difference(point.q, exact.q),
                      dalembert::largest_difference(point.v, exact.v));
    };
    coarse = error(steps);
    fine = error(2 * steps);
  }
  /// As a power of the step.
  double order() const { return std::log2(coarse / fine); }
};

}  // namespace test_support
