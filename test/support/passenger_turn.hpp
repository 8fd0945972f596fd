#pragma once
// What a method multiplies the passengers of pendulum-cvt by in one turn of the rotating pendulum,
// in wide numbers, and its real modes.

#include <cmath>
#include <cstdint>
#include <vector>

#include "dalembert/audit/volume/passenger_volume.hpp"
#include "dalembert/method/library.hpp"
#include "study/extended.hpp"
#include "support/small_systems.hpp"

namespace test_support {

using dalembert::study::Extended;

/// One turn in a number of steps of a size at which the driver closes. Coordinates are (x1, x2, s)
/// with x' = s k, and the multiplier where it is carried.
class PassengerTurn {
 public:
  using Numbers = std::vector<Extended>;
  using Rows = dalembert::NumberMatrix<Extended>;

  PassengerTurn(const dalembert::MethodSpec& spec, std::uint64_t steps, double epsilon = 0.5)
      : problem_{pendulum_cvt().system, {epsilon}, {0.0, 0.0, 0.0}, {0.0, 0.0, std::sqrt(8.0)}},
        map_(problem_.system, dalembert::make_method(spec), problem_.parameters),
        start_(map_.start(problem_.q, problem_.v)),
        steps_(steps) {
    step_ = *closing_step(map_, start_, *find_driver_turn(problem_), steps);
    const Numbers origin = after_turn(start_);
    for (std::size_t j = 0; j < origin.size(); ++j) {
      const Numbers image = after_turn(unit(j));
      columns_.emplace_back();
      for (std::size_t i = 0; i < origin.size(); ++i) columns_[j].push_back(image[i] - origin[i]);
    }
  }

  std::size_t size() const { return columns_.size(); }
  const Extended& step() const { return step_; }
  double h() const { return static_cast<double>(step_); }
  double time() const { return h() * static_cast<double>(steps_); }
  /// P, by rows.
  Rows matrix() const {
    Rows rows(size(), Numbers(size(), Extended(0.0)));
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = 0; j < size(); ++j) rows[i][j] = columns_[j][i];
    return rows;
  }
  /// det(P - mu).
  Extended characteristic(const Extended& mu) const {
    Rows rows = matrix();
    for (std::size_t i = 0; i < size(); ++i) rows[i][i] = rows[i][i] - mu;
    return dalembert::determinant(rows);
  }
  /// The real eigenvalue near a place, by secants.
  Extended eigenvalue_near(const Extended& place) const {
    Extended before = place - Extended(1e-5), mu = place + Extended(1e-5);
    Extended at_before = characteristic(before);
    for (int pass = 0; pass < 60; ++pass) {
      const Extended at = characteristic(mu), rise = at - at_before;
      if (rise == Extended(0.0)) break;
      const Extended next = mu - at * (mu - before) / rise;
      before = mu;
      at_before = at;
      mu = next;
      if (mu == before) break;
    }
    return mu;
  }
  /// d(log E)/dt of the mode along the axis and of the pair that turns about it; an odd number of
  /// steps turns the sign of what is wrong in a carried multiplier.
  double axis_rate() const { return 2.0 * log_size(eigenvalue_near(Extended(1.0))) / time(); }
  double pair_rate() const {
    Extended others = eigenvalue_near(Extended(1.0));
    if (size() == 4) others = others * eigenvalue_near(Extended(-1.0));
    return log_size(characteristic(Extended(0.0)) / others) / time();
  }
  /// log |x|, for x near one without loss.
  static double log_size(const Extended& x) {
    using std::log;
    const Extended size = x < Extended(0.0) ? Extended(-x) : x;
    return static_cast<double>(log(size));
  }

 private:
  /// k at xi = 0 is (0, 1).
  dalembert::BasicPoint<Extended> unit(std::size_t j) {
    dalembert::BasicPoint<Extended> point = start_;
    if (j < 2) point.q[j] = point.q[j] + Extended(1.0);
    if (j == 2) point.v[1] = point.v[1] + Extended(1.0);
    if (j == 3) point.lambda[0] = point.lambda[0] + Extended(1.0);
    map_.start_carried(point);
    return point;
  }
  Numbers after_turn(dalembert::BasicPoint<Extended> point) {
    if (!map_.apply(point, step_, steps_)) throw dalembert::RequestError("a step was refused");
    Numbers z{point.q[0], point.q[1], point.v[1]};
    z.insert(z.end(), point.lambda.begin(), point.lambda.end());
    const bool carries = map_.program().method().facts().carries_multiplier;
    if (!carries) z.resize(3);
    return z;
  }

  dalembert::AuditProblem problem_;
  dalembert::StepMap<Extended> map_;
  dalembert::BasicPoint<Extended> start_;
  std::uint64_t steps_;
  Extended step_;
  std::vector<Numbers> columns_;
};

}  // namespace test_support
