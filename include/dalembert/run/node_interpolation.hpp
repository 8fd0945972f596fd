#pragma once

#include <span>
#include <vector>

#include "dalembert/run/integrate.hpp"

namespace dalembert {

/// The cubic through positions and velocities at two nodes, with multipliers on the straight line:
/// for methods that carry data of steps of one size. Of order 4 in q and 3 in v.
class NodeInterpolation {
 public:
  /// The node before: its state, with positions unwrapped and multipliers.
  void begin_at(const Point& point, std::span<const double> q, std::span<const double> lambda);
  /// Shows the state at time t between the node before and this one.
  void show_at(double t, const Sample& after, const Observer& show);

 private:
  Point before_, between_;
  std::vector<double> q_before_, lambda_before_, q_, lambda_;
};

}  // namespace dalembert
