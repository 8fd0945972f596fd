#include "records_between.hpp"

#include "dalembert/numeric/angles.hpp"

namespace dalembert::study {

RecordsBetween::RecordsBetween(const RunPlan& plan, std::optional<InstructionSet> instruction_set,
                               const Point& start)
    : plan_(plan),
      times_(plan.record_times),
      stepper_(plan.program, plan.step, plan.parameters),
      evaluator_(plan.system, plan.parameters),
      before_(start),
      between_(start) {
  if (instruction_set) stepper_.set_kernel(number_kernel(*instruction_set));
  if (!plan.interpolates_records()) return;
  for (std::size_t i = 0; i < start.q.size(); ++i)
    q_before_.push_back(numeric::unwrapped(start.q[i], start.turns[i]));
  lambda_before_ = start.lambda;
  if (plan.program->lambda_count() > 0) return;
  lambda_before_.resize(plan.system.constraint_count());
  if (!lambda_before_.empty()) evaluator_.multiplier(start.t, start.q, start.v, lambda_before_);
}

void RecordsBetween::visit(const Sample& sample, const Observer& show) {
  // A run that goes on does not show the state from which it does, and that is kept already.
  if (sample.step > 0) {
    const std::uint64_t node = sample.step - 1;
    const double end = sample.step > plan_.steps ? sample.t : plan_.end() + plan_.step;
    for (const double t : times_.after_node(node, plan_.step, end)) {
      if (plan_.interpolates_records()) {
        interpolate(t, sample, show);
      } else {
        step_to(t, sample.step, show);
      }
    }
  }
  keep(sample);
}

void RecordsBetween::step_to(double t, std::uint64_t step, const Observer& show) {
  between_ = before_;
  static_cast<void>(integrate_to(stepper_, evaluator_, between_, t, step, show));
}

void RecordsBetween::interpolate(double t, const Sample& sample, const Observer& show) {
  const double h = sample.t - before_.t, s = (t - before_.t) / h;
  // The cubic of Hermite and its derivative, with the values and slopes at both ends.
  const double end = s * s * (3.0 - 2.0 * s), begin_slope = s * (1.0 - s) * (1.0 - s),
               end_slope = s * s * (s - 1.0), rate = 6.0 * s * (1.0 - s) / h,
               begin_rate = (1.0 - s) * (1.0 - 3.0 * s), end_rate = s * (3.0 * s - 2.0);
  q_.resize(q_before_.size());
  lambda_.resize(lambda_before_.size());
  between_ = *sample.point;
  between_.t = t;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const double change = sample.q[i] - q_before_[i], v0 = before_.v[i], v1 = sample.v[i];
    q_[i] = q_before_[i] + end * change + h * (begin_slope * v0 + end_slope * v1);
    between_.v[i] = rate * change + begin_rate * v0 + end_rate * v1;
    between_.q[i] = numeric::unwrapped(q_[i], -sample.point->turns[i]);
  }
  for (std::size_t i = 0; i < lambda_.size(); ++i)
    lambda_[i] = lambda_before_[i] + s * (sample.lambda[i] - lambda_before_[i]);
  show({sample.step, t, q_, between_.v, lambda_, &between_});
}

void RecordsBetween::keep(const Sample& sample) {
  before_ = *sample.point;
  if (!plan_.interpolates_records()) return;
  q_before_.assign(sample.q.begin(), sample.q.end());
  lambda_before_.assign(sample.lambda.begin(), sample.lambda.end());
}

}  // namespace dalembert::study
