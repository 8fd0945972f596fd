#include "dalembert/run/node_interpolation.hpp"

#include "dalembert/numeric/angles.hpp"

namespace dalembert {

void NodeInterpolation::begin_at(const Point& point, std::span<const double> q,
                                 std::span<const double> lambda) {
  before_ = point;
  q_before_.assign(q.begin(), q.end());
  lambda_before_.assign(lambda.begin(), lambda.end());
}

void NodeInterpolation::show_at(double t, const Sample& after, const Observer& show) {
  const double h = after.t - before_.t, s = (t - before_.t) / h;
  // The cubic of Hermite and its derivative, with the values and slopes at both ends.
  const double end = s * s * (3.0 - 2.0 * s), begin_slope = s * (1.0 - s) * (1.0 - s),
               end_slope = s * s * (s - 1.0), rate = 6.0 * s * (1.0 - s) / h,
               begin_rate = (1.0 - s) * (1.0 - 3.0 * s), end_rate = s * (3.0 * s - 2.0);
  q_.resize(q_before_.size());
  lambda_.resize(lambda_before_.size());
  between_ = *after.point;
  between_.t = t;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const double change = after.q[i] - q_before_[i], v0 = before_.v[i], v1 = after.v[i];
    q_[i] = q_before_[i] + end * change + h * (begin_slope * v0 + end_slope * v1);
    between_.v[i] = rate * change + begin_rate * v0 + end_rate * v1;
    between_.q[i] = numeric::unwrapped(q_[i], -after.point->turns[i]);
  }
  for (std::size_t i = 0; i < lambda_.size(); ++i)
    lambda_[i] = lambda_before_[i] + s * (after.lambda[i] - lambda_before_[i]);
  show({after.step, t, q_, between_.v, lambda_, &between_});
}

}  // namespace dalembert
