#pragma once
// For the sources of this room and for tests.

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "dalembert/audit/volume/passenger_volume.hpp"
#include "dalembert/error.hpp"
#include "study/extended.hpp"

namespace dalembert::reproduce {

using study::Extended;

/// What a method multiplies two passengers of a driver that turns by in one turn, in a number of
/// steps of a size at which the driver closes, in wide numbers; and its real modes. Coordinates are
/// (x1, x2, s) with x' = s k, k of length one in the constraints' kernel, and the multiplier where
/// it is carried.
class ClosedTurn {
 public:
  using Numbers = std::vector<Extended>;
  using Rows = NumberMatrix<Extended>;

  /// From a start of the problem in which both passengers rest at the origin. RequestError if a
  /// step is refused and if the problem has no such turn.
  ClosedTurn(const AuditProblem& problem, const Method& method, std::uint64_t steps)
      : map_(problem.system, method, problem.parameters),
        start_(map_.start(problem.q, problem.v)),
        steps_(steps) {
    const std::optional<DriverTurn> turn = find_driver_turn(problem);
    if (!turn)
      throw RequestError("system \"" + problem.system.name() + "\" has no driver that turns");
    const std::optional<Extended> closing = closing_step(map_, start_, *turn, steps);
    if (!closing) throw RequestError("a step was refused");
    step_ = *closing;
    BasicPoint<Extended> across = map_.start(problem.q, std::vector<double>{0.0, 1.0, 0.0});
    kernel_ = {across.v[0], across.v[1]};
    using std::sqrt;
    const Extended length = sqrt(kernel_[0] * kernel_[0] + kernel_[1] * kernel_[1]);
    for (Extended& entry : kernel_) entry = entry / length;
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
  /// How much the driver's velocity misses after the turn.
  double velocity_defect() const { return velocity_defect_; }
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
    return determinant(rows);
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
  BasicPoint<Extended> unit(std::size_t j) {
    BasicPoint<Extended> point = start_;
    if (j < 2) point.q[j] = point.q[j] + Extended(1.0);
    if (j == 2)
      for (std::size_t i = 0; i < 2; ++i) point.v[i] = point.v[i] + kernel_[i];
    if (j == 3) point.lambda[0] = point.lambda[0] + Extended(1.0);
    map_.start_carried(point);
    return point;
  }
  Numbers after_turn(BasicPoint<Extended> point) {
    if (!map_.apply(point, step_, steps_)) throw RequestError("a step was refused");
    velocity_defect_ = std::fabs(static_cast<double>(point.v[2] - start_.v[2]));
    const Extended along = kernel_[0] * point.v[0] + kernel_[1] * point.v[1];
    Numbers z{point.q[0], point.q[1], along};
    z.insert(z.end(), point.lambda.begin(), point.lambda.end());
    const bool carries = map_.program().method().facts().carries_multiplier;
    if (!carries) z.resize(3);
    return z;
  }

  StepMap<Extended> map_;
  BasicPoint<Extended> start_;
  std::uint64_t steps_;
  Extended step_;
  Numbers kernel_;
  std::vector<Numbers> columns_;
  double velocity_defect_ = 0.0;
};

}  // namespace dalembert::reproduce
