#pragma once

#include <limits>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/numeric/extremes.hpp"

namespace dalembert {

/// Distance of a method to its adjoint: the largest entry by which (q, v), and a multiplier that
/// is carried, differ from the start after a step of h, a turn of time, a step of -h and a turn of
/// time (`StepMap::turn_time`, which is nothing for most methods). Round-off of `Number` (times 1/h
/// for a carried multiplier) for a symmetric method, of the order of the local error otherwise.
/// Infinite if a step was refused.
template <class Number>
double symmetry_defect(StepMap<Number>& map, const BasicPoint<Number>& start, const Number& h) {
  BasicPoint<Number> point = start;
  if (!map.apply(point, h)) return std::numeric_limits<double>::infinity();
  map.turn_time(point);
  if (!map.apply(point, -h)) return std::numeric_limits<double>::infinity();
  map.turn_time(point);
  const double q = largest_difference(point.q, start.q), v = largest_difference(point.v, start.v);
  double lambda = 0.0;
  if (map.program().method().facts().carries_multiplier) {
    // Those of constraints on positions are not carried.
    const auto count = static_cast<std::ptrdiff_t>(map.program().system().nonholonomic_count());
    const auto carried = [&](const BasicPoint<Number>& state) {
      return std::vector<Number>(state.lambda.begin(), state.lambda.begin() + count);
    };
    lambda = largest_difference(carried(point), carried(start));
  }
  return numeric::larger(numeric::larger(q, v), lambda);
}

/// Defect of a method in commuting with a time reversal of the system, q_i -> signs_i q_i and
/// v_i -> -signs_i v_i (elements of groups stay, and their velocities turn round): the largest
/// entry by which (q, v) differs from the start after a step, the reversal, a step and the
/// reversal. Round-off for a reversible method, of the order of the local error otherwise.
/// Multipliers that are carried keep their values or change their signs, as the reversal does with
/// the constraints, and are reflected where `StepMap::turn_time` does; what else is carried starts
/// anew. Infinite if a step was refused.
template <class Number>
double reversibility_defect(StepMap<Number>& map, const BasicPoint<Number>& start, const Number& h,
                            const System::Reversal& signs) {
  const auto reverse_state = [&](BasicPoint<Number>& point) {
    for (std::size_t i = 0; i < point.q.size(); ++i)
      point.q[i] = Number(signs.stored[i]) * point.q[i];
    for (std::size_t i = 0; i < point.v.size(); ++i)  // none in skew form
      point.v[i] = Number(-signs.position[i]) * point.v[i];
  };
  // Constraints that the reversal turns into c times themselves turn their multipliers into -c
  // times theirs; c is seen at a velocity off the constraints.
  BasicPoint<Number> off = start;
  for (std::size_t i = 0; i < off.v.size(); ++i)
    off.v[i] = off.v[i] + Number(0.375 + 0.125 * static_cast<double>(i));
  const std::vector<Number> before = map.constraint(off);
  reverse_state(off);
  const std::vector<Number> after = map.constraint(off);
  const auto reverse = [&](BasicPoint<Number>& point) {
    reverse_state(point);
    for (std::size_t i = 0; i < point.lambda.size() && i < before.size(); ++i) {
      if (before[i] * after[i] > Number(0.0)) point.lambda[i] = -point.lambda[i];
    }
    map.turn_time(point);
    map.start_carried(point);
  };
  BasicPoint<Number> point = start;
  if (!map.apply(point, h)) return std::numeric_limits<double>::infinity();
  reverse(point);
  if (!map.apply(point, h)) return std::numeric_limits<double>::infinity();
  reverse(point);
  return numeric::larger(largest_difference(point.q, start.q),
                         largest_difference(point.v, start.v));
}

/// The largest |Phi_i| or |phi_i| at the nodes of `steps` steps. Round-off for a map of the
/// constraint set to itself that starts on it. Infinite if a step was refused.
template <class Number>
double constraint_defect(StepMap<Number>& map, const BasicPoint<Number>& start, const Number& h,
                         std::uint64_t steps) {
  BasicPoint<Number> point = start;
  const System& system = map.program().system();
  const std::vector<Number> zero(system.constraint_count() + system.holonomic_count(), Number(0.0));
  double largest = 0.0;
  for (std::uint64_t k = 0; k < steps; ++k) {
    if (!map.apply(point, h)) return std::numeric_limits<double>::infinity();
    const double now = largest_difference(map.constraint(point), zero);
    largest = numeric::larger(largest, now);
  }
  return largest;
}

/// The largest |H - H_0| at the nodes of `steps` steps. Round-off, growing like its random walk,
/// for a method that keeps the energy. Infinite if a step was refused.
template <class Number>
double energy_defect(StepMap<Number>& map, const BasicPoint<Number>& start, const Number& h,
                     std::uint64_t steps) {
  BasicPoint<Number> point = start;
  const std::vector<Number> at_start{map.energy(start)};
  double largest = 0.0;
  for (std::uint64_t k = 0; k < steps; ++k) {
    if (!map.apply(point, h)) return std::numeric_limits<double>::infinity();
    const double now = largest_difference({map.energy(point)}, at_start);
    largest = numeric::larger(largest, now);
  }
  return largest;
}

}  // namespace dalembert
