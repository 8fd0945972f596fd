#pragma once
// The multiplier that a method reports, against that of the motion at the time where it is said to
// live.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "dalembert/audit/step_map.hpp"
#include "dalembert/measure/slope.hpp"
#include "dalembert/method/runge_kutta.hpp"
#include "dalembert/numeric/extremes.hpp"
#include "study/extended.hpp"

namespace test_support {

using WidePoint = dalembert::BasicPoint<dalembert::study::Extended>;
using WideMap = dalembert::StepMap<dalembert::study::Extended>;
using WideVector = std::vector<dalembert::study::Extended>;

/// What is said of the multiplier after a step of size h that led to a point.
using MultiplierReport =
    std::function<WideVector(WideMap&, const WidePoint&, const dalembert::study::Extended& h)>;

/// Half the sum of two multipliers.
inline WideVector mean_of(const WideVector& x, const WideVector& y) {
  if (x.size() != y.size()) throw std::runtime_error("multipliers of two systems have no mean");
  WideVector mean;
  for (std::size_t i = 0; i < x.size(); ++i) mean.push_back((x[i] + y[i]) / 2);
  return mean;
}

inline void steps_of(WideMap& map, WidePoint& point, const dalembert::study::Extended& h,
                     std::uint64_t steps = 1) {
  if (!map.apply(point, h, steps)) throw std::runtime_error("a step was refused");
}

/// The largest difference of two multipliers, which there must be.
inline double distance_of(const WideVector& x, const WideVector& y) {
  if (x.empty() || x.size() != y.size()) throw std::runtime_error("there is no such multiplier");
  return dalembert::largest_difference(x, y);
}

inline WideVector reported(WideMap& map, const WidePoint& point,
                           const dalembert::study::Extended&) {
  return map.multiplier(point);
}

/// A method of Newmark's family has two multipliers at a node: the one that the step to it reports,
/// and the first of the step from it, which that step leaves in what it carries.
inline WideVector mean_at_node(WideMap& map, const WidePoint& point,
                               const dalembert::study::Extended& h) {
  WidePoint next = point;
  steps_of(map, next, h);
  const auto first = next.carried.begin();
  return mean_of(point.lambda, WideVector(first, first + std::ptrdiff_t(point.lambda.size())));
}

/// The motion of a system from a start, and its multiplier, to some eighteen digits: Gauss
/// collocation of order 12 on the eliminated equations.
class MultiplierBench {
 public:
  using Extended = dalembert::study::Extended;

  /// A problem has a system and a start (q, v). Runs end at `until`.
  template <class Problem>
  explicit MultiplierBench(const Problem& problem, double until = 1.0)
      : motion_(problem.system, dalembert::Method(dalembert::Gauss{.stages = 6}), {}),
        q_(problem.q),
        v_(problem.v),
        until_(until) {
    WidePoint point = motion_.start(q_, v_);
    for (int quarter = 0; quarter < quarters; ++quarter) {
      steps_of(motion_, point, until_ / 16, 16 / quarters);
      nodes_.push_back(point);
    }
  }

  const dalembert::System& system() const { return motion_.program().system(); }

  /// Errors against the multiplier of the motion `back` steps before the new node: 0 there, 1 at
  /// the old node. The largest at four times, so that an error that crosses zero hides nothing.
  dalembert::OrderSeries errors(const dalembert::Method& method, const Extended& back,
                                const MultiplierReport& report = reported) {
    WideMap map(system(), method, {});
    std::vector<double> errors;
    // Even numbers of steps between those times: an error that is carried changes its sign in each.
    for (const std::uint64_t steps : {8, 16, 32}) {
      const Extended h = until_ / steps;
      WidePoint point = map.start(q_, v_);
      double largest = 0.0;
      for (const WidePoint& node : nodes_) {
        steps_of(map, point, h, steps / quarters);
        const double error = distance_of(report(map, point, h), multiplier_before(node, back * h));
        largest = dalembert::numeric::larger(largest, error);
      }
      errors.push_back(largest);
    }
    // Far above the error of the motion, and far below the smallest error of a method here, 1e-12.
    return dalembert::fit_order(errors, 1e-16);
  }

  /// What the errors say of an order: both that it is not lower and that it is not higher, by a
  /// margin that the fit gives (judge_order).
  dalembert::OrderVerdict verdict(const dalembert::Method& method, int order,
                                  const Extended& back = 0,
                                  const MultiplierReport& report = reported) {
    return dalembert::judge_order(errors(method, back, report), order);
  }

 private:
  static constexpr int quarters = 4;

  /// The multiplier of the motion some time before a node.
  WideVector multiplier_before(const WidePoint& node, const Extended& time) {
    WidePoint point = node;
    if (time != 0) steps_of(motion_, point, -time / 2, 2);
    return motion_.exact_multiplier(point);
  }

  WideMap motion_;
  std::vector<double> q_, v_;
  Extended until_;
  std::vector<WidePoint> nodes_;
};

/// The multiplier of the motion through the start and the acceleration there: the quotient of a
/// difference of velocities, which knows nothing of multipliers.
struct NewtonsLaw {
  WidePoint start;
  WideVector lambda, acceleration;

  template <class Problem>
  explicit NewtonsLaw(const Problem& problem) {
    WideMap map(problem.system, dalembert::Method(dalembert::Gauss{.stages = 6}), {});
    start = map.start(problem.q, problem.v);
    lambda = map.exact_multiplier(start);
    // The quotient is wrong by d^2, 1e-18, and by round-off over d, 1e-24.
    const dalembert::study::Extended d = dalembert::study::Extended(1) / 1000000000;
    WidePoint later = start, earlier = start;
    steps_of(map, later, d);
    steps_of(map, earlier, -d);
    for (std::size_t i = 0; i < start.v.size(); ++i)
      acceleration.push_back((later.v[i] - earlier.v[i]) / (2 * d));
  }
  bool gives(std::size_t i, const dalembert::study::Extended& force) const {
    const dalembert::study::Extended error = lambda.at(i) - force;
    // 10 times the quotient's error above, that times a third derivative.
    const dalembert::study::Extended bound = 1e-17;
    return error * error < bound * bound;
  }
};

}  // namespace test_support
