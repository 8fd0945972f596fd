#include "dalembert/study/ensemble/member_states.hpp"

#include <algorithm>

#include "dalembert/mechanics/evaluator.hpp"
#include "dalembert/numeric/angles.hpp"
#include "dalembert/run/integrate.hpp"
#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

MemberStates::MemberStates(const EnsemblePlan& plan, const MemberPoints& points)
    : t_(plan.starts->size(), 0.0),
      has_(plan.starts->size(), false),
      q_(rows(size(), plan.run.system.storage_count())),
      v_(rows(size(), plan.run.system.velocity_count())),
      lambda_(rows(size(), plan.run.system.constraint_count())) {
  if (points.empty()) return;
  Evaluator evaluator(plan.run.system, plan.run.parameters);
  Point point = points[0];
  std::size_t next = 0;
  plan.starts->for_each([&](std::size_t member, auto, auto) {
    points.get(next++, point);
    has_[member] = true;
    t_[member] = point.t;
    const std::span<double> q = q_.row(member), lambda = lambda_.row(member);
    for (std::size_t i = 0; i < q.size(); ++i)
      q[i] = numeric::unwrapped(point.q[i], point.turns[i]);
    std::ranges::copy(point.v, v_.row(member).begin());
    if (point.lambda.empty()) {
      evaluator.multiplier(point.t, point.q, point.v, lambda);
    } else {
      std::ranges::copy(point.lambda, lambda.begin());
    }
  });
}

MemberPoints start_points(const EnsemblePlan& plan) {
  const Stepper stepper(plan.run.program, plan.run.step, plan.run.parameters);
  Evaluator evaluator(plan.run.system, plan.run.parameters);
  StartPoints start(stepper, evaluator);
  MemberPoints points(plan.run.program, plan.starts->count());
  std::size_t next = 0;
  plan.starts->for_each([&](std::size_t, std::span<const double> q, std::span<const double> v) {
    points.set(next++, start(q, v));
  });
  return points;
}

MemberStates initial_states(const EnsemblePlan& plan) { return {plan, start_points(plan)}; }

MemberStates final_states(const EnsemblePlan& plan, const EnsembleResult& result) {
  return {plan, result.end ? result.end->points : result.state.points};
}

}  // namespace dalembert::study
