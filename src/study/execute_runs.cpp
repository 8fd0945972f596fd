#include "dalembert/study/execute_runs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "dalembert/expression/limits.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/mechanics/rank/full_multipliers.hpp"
#include "dalembert/numeric/parallel_for.hpp"
#include "dalembert/run/event/event_advance.hpp"
#include "dalembert/study/execution/cautions.hpp"
#include "dalembert/study/execution/failure_cause.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "study/execution/error_watch.hpp"
#include "study/execution/native_steps.hpp"
#include "study/execution/processor_time.hpp"
#include "study/execution/recorder.hpp"

namespace dalembert::study {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void conclude(const RunPlan& plan, const RunReport& report, RunResult& result) {
  result.newton_iterations += report.iterations;
  result.rejected_substeps += report.rejected;
  result.message = report.message;
  if (report.ended_by) result.ended_by = plan.events[*report.ended_by].name;
  const bool complete = report.status == RunReport::Status::ok ||
                        (result.steps == plan.steps && plan.last_step == 0.0);
  result.status = complete                                     ? RunResult::Status::ok
                  : report.status == RunReport::Status::failed ? RunResult::Status::failed
                                                               : RunResult::Status::interrupted;
}

/// What was seen on the way, or is seen at the last state, says more than that a smaller step may
/// help.
void add_cause(const RunPlan& plan, const Point& last, const RunDiagnostics& found,
               std::string& message) {
  const std::string cause = failure_cause(plan, last, found);
  if (cause.empty()) return;
  constexpr std::string_view advice = "; a smaller step may help";
  if (message.ends_with(advice)) message.resize(message.size() - advice.size());
  message += "; " + cause;
}

/// A strict study takes no numbers that are out of all scale.
void judge(const RunPlan& plan, RunResult& result) {
  find_cautions(plan, result);
  if (!plan.strict || result.status != RunResult::Status::ok) return;
  for (const CautionKind& kind : caution_kinds()) {
    const std::optional<double>& since = result.diagnostics.cautions[kind.caution];
    if (!since || kind.refusal == nullptr) continue;
    const std::string reason =
        *kind.refusal == '\0' ? kind.sentences(plan, result).front() : kind.refusal;
    result.status = RunResult::Status::failed;
    result.message = fmt::format("method \"{}\" on system \"{}\" failed at t = {}: {}",
                                 plan.method.label, plan.system.name(), to_string(*since), reason);
    return;
  }
}

/// The multipliers that the motion through the first and the last state has, whatever the method
/// carries. They depend on these states alone: no file keeps them.
void recompute_multipliers(const RunPlan& plan, Evaluator& evaluator, RunResult& result) {
  std::optional<FullMultipliers> full;
  if (plan.redundancy) full.emplace(plan.redundancy, plan.parameters);
  std::vector<double> kept(plan.system.constraint_count());
  for (StateValues* state : {&result.initial, &result.final}) {
    state->lambda_recomputed.resize(state->lambda.size());
    if (state->lambda.empty()) continue;
    evaluator.multiplier(state->t, state->q, state->v, full ? kept : state->lambda_recomputed);
    if (full) (*full)(state->t, state->q, state->v, kept, state->lambda_recomputed);
  }
}

void execute(const RunPlan& plan, const ExecutionOptions& options, NativeSteps& native,
             RunResult& result) {
  const Clock::time_point begin = Clock::now();
  Stepper stepper(plan.program, plan.step, plan.parameters);
  if (options.instruction_set) stepper.set_kernel(number_kernel(*options.instruction_set));
  Evaluator evaluator(plan.system, plan.parameters);
  const bool resumed = result.steps > 0;
  Point point = resumed ? result.point : start_point(stepper, evaluator, plan.q, plan.v);
  if (!resumed && plan.lambda && point.lambda.size() == plan.lambda->size())
    point.lambda = *plan.lambda;
  // Steps that an earlier execution has taken count with what they took.
  const auto steps_before = static_cast<double>(result.steps);
  const double taken_before = result.seconds_per_step * steps_before;
  const auto code = native.of(plan, plan.steps - std::min<std::uint64_t>(plan.steps, result.steps));
  stepper.switch_when_ready(code);
  std::optional<EventAdvance> events;
  if (!plan.events.empty())
    events.emplace(stepper, EventFunctions(plan.system, plan.events, plan.parameters),
                   plan.parameters, result.diagnostics.event_histories);
  EventAdvance* const on_the_way = events ? &*events : nullptr;
  Recorder recorder(plan, options, point, stepper, on_the_way, result);
  ErrorWatch errors(plan);
  const RunOptions run{
      .first_step = result.steps,
      .steps = plan.steps - std::min<std::uint64_t>(plan.steps, result.steps),
      .next =
          [&](std::uint64_t step) {
            return std::min<std::uint64_t>(recorder.next(step), errors.next(step));
          },
      .glance = [&](const Point& between) { return recorder.glance(between); },
      .glance_every = recorder.glance_every(),
      .events = on_the_way,
  };
  result.message.clear();
  const auto observer = [&](const Sample& sample) {
    errors.see(sample);
    return recorder(sample);
  };
  const double begin_processor = processor_seconds();
  RunReport report = integrate(stepper, evaluator, point, run, observer);
  if (plan.last_step > 0.0 && report.status == RunReport::Status::ok && !report.ended_by) {
    const RunReport whole_steps = report;
    Point end = point;
    report =
        integrate_to(stepper, evaluator, end, *plan.until, plan.steps + 1, observer, on_the_way);
    if (report.ended_by) point = end;
    report.iterations += whole_steps.iterations;
    report.rejected += whole_steps.rejected;
  }
  const double taken = processor_seconds() - begin_processor;
  conclude(plan, report, result);
  if (result.steps > 0)
    result.seconds_per_step = (taken_before + taken) / static_cast<double>(result.steps);
  if (result.status == RunResult::Status::failed)
    add_cause(plan, point, result.diagnostics, result.message);
  if (!recorder.refusal().empty()) {
    result.status = RunResult::Status::failed;
    result.message = recorder.refusal();
  }
  result.native = stepper.has_switched();
  if (code != nullptr) result.native_refusal = why_interpreted(*code, stepper);
  stepper.watch(false);
  recorder.report();
  recorder.finish();
  if (result.status == RunResult::Status::ok)
    result.diagnostics.error = errors.estimate(
        result.final, [&](Stepper& other) { other.switch_when_ready(code); }, options.cancelled);
  result.seconds += seconds_since(begin);
  recompute_multipliers(plan, evaluator, result);
  judge(plan, result);
  for (RecordSink* sink : options.sinks) sink->finish(plan, result);
}

/// Refuses records that memory has no room for.
void check_numbers_of_records(const std::vector<RunPlan>& plans) {
  double numbers = 0.0;
  for (const RunPlan& plan : plans)
    numbers += static_cast<double>(plan.regular_records(plan.steps)) *
               static_cast<double>(plan.columns.width());
  if (numbers > static_cast<double>(limits().numbers))
    throw RequestError("the records of the study are more than " +
                       std::to_string(limits().numbers) +
                       " numbers of 8 bytes, which would be kept in memory; record less often "
                       "(every, record_every)");
}

}  // namespace

std::vector<RunResult> execute_runs(const std::vector<RunPlan>& plans,
                                    const ExecutionOptions& options) {
  if (options.keep_records) check_numbers_of_records(plans);
  std::vector<RunResult> results = options.resume_from;
  results.resize(plans.size());
  NativeSteps native(plans, options);
  parallel_for(options.threads, plans.size(), [&](std::size_t i, std::size_t) {
    if (options.cancelled != nullptr && *options.cancelled && i > 0) return;
    if (!options.resume_from.empty()) {
      Evaluator evaluator(plans[i].system, plans[i].parameters);
      recompute_multipliers(plans[i], evaluator, results[i]);
    }
    if (results[i].status == RunResult::Status::failed) {
      judge(plans[i], results[i]);
    } else if (goes_on(plans[i], results[i])) {
      execute(plans[i], options, native, results[i]);
    } else if (results[i].status == RunResult::Status::interrupted) {
      // Killed between its last record and its outcome.
      results[i].status = RunResult::Status::ok;
      judge(plans[i], results[i]);
      for (RecordSink* sink : options.sinks) sink->finish(plans[i], results[i]);
    } else {
      judge(plans[i], results[i]);
    }
  });
  return results;
}

}  // namespace dalembert::study
