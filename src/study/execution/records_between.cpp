#include "records_between.hpp"

#include <vector>

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
  if (plan.has_acting_events())
    events_.emplace(stepper_,
                    EventFunctions(plan.system, acting_events(plan.events), plan.parameters),
                    plan.parameters);
  if (!plan.interpolates_records()) return;
  std::vector<double> q, lambda = start.lambda;
  unwrap_positions(start, q);
  if (plan.program->lambda_count() == 0) {
    lambda.resize(plan.system.constraint_count());
    if (!lambda.empty()) evaluator_.multiplier(start.t, start.q, start.v, lambda);
  }
  interpolation_.begin_at(start, q, lambda);
}

void RecordsBetween::visit(const Sample& sample, bool is_end, const Observer& show) {
  // A run that goes on does not show the state from which it does, and that is kept already.
  if (sample.step > 0) {
    const std::uint64_t node = sample.step - 1;
    const double end = is_end ? sample.t : plan_.end() + plan_.step;
    for (const double t : times_.after_node(node, plan_.step, end)) {
      if (plan_.interpolates_records()) {
        interpolation_.show_at(t, sample, show);
      } else {
        step_to(t, sample.step, show);
      }
    }
  }
  before_ = *sample.point;
  if (plan_.interpolates_records()) interpolation_.begin_at(before_, sample.q, sample.lambda);
}

void RecordsBetween::step_to(double t, std::uint64_t step, const Observer& show) {
  between_ = before_;
  if (events_) events_->forget();
  static_cast<void>(
      integrate_to(stepper_, evaluator_, between_, t, step, show, events_ ? &*events_ : nullptr));
}

}  // namespace dalembert::study
