// Reading ensembles back from their result file.
#include "dalembert/result/hdf5/ensemble_reader.hpp"

#include <algorithm>

#include "dalembert/run/integrate.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "ensemble_groups.hpp"
#include "result/hdf5/agreement/agreement.hpp"
#include "result/hdf5/agreement/ensemble_agreement.hpp"
#include "result_file.hpp"
#include "study/ensemble/ensemble_summary.hpp"

namespace dalembert::study {

using namespace hdf5;

namespace {

MemberFailure failure_of(const EnsemblePlan& plan, std::size_t member, std::uint64_t step, double t,
                         double residual, double refusal) {
  MemberFailure failure{.member = member, .step = step, .t = t, .residual = residual};
  for (const StepStatus status :
       {StepStatus::not_converged, StepStatus::not_finite, StepStatus::event_refused})
    if (refusal == static_cast<double>(status)) failure.status = status;
  failure.message =
      failure.status == StepStatus::ok
          ? "method \"" + plan.run.method.label + "\" failed in step " + std::to_string(step) +
                " before the ensemble was resumed"
          : failure_text(*plan.run.program, {.status = failure.status, .residual = residual},
                         step - 1, t);
  return failure;
}

/// What the file says of a member that an event, counted from 1, has ended.
void end_by_event(const EnsemblePlan& plan, double number, MemberFailure& member) {
  const std::vector<Event>& events = plan.run.events;
  if (!(number >= 1.0 && number <= static_cast<double>(events.size())))
    throw OutputError("it names an event that its study does not have");
  member.ended_by = static_cast<std::size_t>(number) - 1;
  member.message = event_end_text(events[*member.ended_by].name, member.t);
}

EnsembleState read_state(hid_t group, const EnsemblePlan& plan) {
  EnsembleState state;
  const std::size_t size = members_with_start(plan);
  const std::vector<double> t = read_values(group, "t", size),
                            step = read_values(group, "failed_in_step", size),
                            residual = read_values(group, "residual", size);
  // Files of earlier versions do not say how a step was refused.
  const std::vector<double> refusal = exists(group, "refusal") ? read_values(group, "refusal", size)
                                                               : std::vector<double>(size, 0.0);
  const std::vector<double> ended_by = exists(group, "ended_by")
                                           ? read_values(group, "ended_by", size)
                                           : std::vector<double>(size, 0.0);
  state.step = read_whole_attribute(group, "steps");
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (step[i] == 0.0) continue;
    if (!(step[i] > 0.0 && step[i] < 0x1p53)) throw OutputError("its failed steps are damaged");
    state.failures.push_back(
        failure_of(plan, i, static_cast<std::uint64_t>(step[i]), t[i], residual[i], refusal[i]));
    if (ended_by[i] != 0.0) end_by_event(plan, ended_by[i], state.failures.back());
  }
  state.points = MemberPoints(plan.run.program, t.size());
  for (std::size_t i = 0; i < t.size(); ++i) state.points.set_time(i, t[i]);
  Point point = empty_point(*plan.run.program);
  for (const auto& [name, part] : point_parts) {
    const std::vector<double> values = read_part(group, name, *plan.run.program, t.size());
    const std::size_t width = values.size() / std::max<std::size_t>(1, t.size());
    for (std::size_t i = 0; i < t.size(); ++i) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * width);
      state.points.get(i, point);
      (point.*part).assign(begin, begin + static_cast<std::ptrdiff_t>(width));
      state.points.set(i, point);
    }
  }
  return state;
}

SampleStatistics statistics_of(const double* columns) {
  SampleStatistics s;
  s.count = static_cast<std::size_t>(columns[0]);
  s.mean = columns[1];
  s.variance = columns[2];
  s.mean_square = columns[3];
  s.min = columns[4];
  std::copy_n(columns + 5, s.quantiles.size(), s.quantiles.begin());
  s.max = columns[10];
  return s;
}

/// What a part keeps for the statistics of the whole.
void read_part_of_statistics(hid_t run, const EnsemblePlan& plan, std::size_t rows,
                             std::size_t kept, QuantityStatistics& quantity) {
  const std::size_t nodes = plan.part->nodes().size(), members = plan.starts->size();
  const std::vector<double> moments =
      read_rows(run, moments_table(quantity.name), nodes * numbers_of_moments, rows);
  for (std::size_t i = 0; i < kept; ++i) {
    std::vector<SampleMoments>& of_record = quantity.moments.emplace_back();
    for (std::size_t k = 0; k < nodes; ++k) {
      const double* numbers = moments.data() + (i * nodes + k) * numbers_of_moments;
      if (!(numbers[0] >= 0.0 && numbers[0] <= static_cast<double>(members)))
        throw OutputError("its data set \"" + moments_table(quantity.name) + "\" is damaged");
      of_record.push_back({.count = static_cast<std::size_t>(numbers[0]),
                           .mean = numbers[1],
                           .deviations = numbers[2],
                           .min = numbers[3],
                           .max = numbers[4]});
    }
  }
  const std::string name = values_table(quantity.name);
  if (!exists(run, name) || row_count(open_table(run, name, members)) < kept) return;
  const std::vector<double> values = read_rows(run, name, members);
  for (std::size_t i = 0; i < kept; ++i) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * members);
    quantity.values.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(members));
  }
}

void check_members(hid_t run, const EnsemblePlan& plan) {
  check_count(run, "members", plan.starts->size(), "the study");
  check_count(run, "first_member", plan.first_member(), "the study");
  check_count(run, "seed", plan.seed, "the study");
}

/// Members that were not refused have got as far as the steps of the state.
void check_times_of_state(const EnsemblePlan& plan, const EnsembleState& state) {
  std::vector<bool> is_refused(state.points.size(), false);
  for (const MemberFailure& failure : state.failures) is_refused[failure.member] = true;
  for (std::size_t i = 0; i < state.points.size(); ++i)
    if (!is_refused[i]) check_time_of_steps(state.points.time(i), plan.run, state.step);
}

/// The steps of the state. Records without one are refused, but for those of version 0.1, which
/// wrote them first.
std::uint64_t steps_of(hid_t run, bool is_old) {
  const bool has_state = !current_state(open_group(run, "state")).empty();
  const hsize_t rows = row_count(open_table(run, "t", 1));
  if (!has_state && rows > 0 && !is_old) {
    throw OutputError("it holds " + std::to_string(rows) +
                      " records of an ensemble, and no state that belongs to them");
  }
  return has_state ? steps_in(run) : 0;
}

EnsembleResult read_result(hid_t run, const EnsemblePlan& plan, bool is_old, bool has_other_end) {
  EnsembleResult result;
  const std::uint64_t steps = steps_of(run, is_old);
  if (steps == 0) return result;
  result.state =
      read_state(open_group(run, "state/" + current_state(open_group(run, "state"))), plan);
  check_times_of_state(plan, result.state);
  check_times(run, plan.run, plan.run.regular_records(steps));
  result.steps = steps;
  result.status = read_status(run);
  if (has_attribute(run, "code"))
    result.native = read_text_attribute(run, "code") == code_text(true);
  result.t = read_values(run, "t");
  const std::size_t rows = result.t.size();
  result.t.resize(kept_rows(plan, steps, result.t));
  if (result.t.empty() || result.t.size() < plan.run.regular_records(steps))
    throw OutputError("it holds fewer records than its steps say");
  for (const double alive : read_values(run, "alive", rows)) {
    if (!(alive >= 0.0 && alive < 0x1p53)) throw OutputError("its data set \"alive\" is damaged");
    result.alive.push_back(static_cast<std::uint64_t>(alive));
  }
  result.alive.resize(result.t.size());
  for (const std::string& name : ensemble_quantities(plan)) {
    const std::vector<double> values =
        read_rows(run, "statistics/" + name, ensemble_columns.size(), rows);
    QuantityStatistics quantity{.name = name};
    for (std::size_t i = 0; i < result.t.size(); ++i)
      quantity.records.push_back(statistics_of(values.data() + i * ensemble_columns.size()));
    if (plan.part) read_part_of_statistics(run, plan, rows, result.t.size(), quantity);
    result.quantities.push_back(std::move(quantity));
  }
  const std::size_t width = members_with_start(plan);
  const std::vector<double> growth_t = read_values(run, "growth/t"),
                            errors = width == 0 ? std::vector<double>{}
                                                : read_rows(run, "growth/energy_error", width,
                                                            growth_t.size());
  for (const double t : growth_t) {
    if (t > result.t.back()) break;
    if (!result.growth_t.empty() && !(t > result.growth_t.back()))
      throw OutputError("its data set \"growth/t\" does not increase");
    const auto begin = errors.begin() + static_cast<std::ptrdiff_t>(result.growth_t.size() * width);
    result.growth_t.push_back(t);
    result.growth_errors.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(width));
  }
  if (has_attribute(run, "member_steps")) {
    result.member_steps = read_whole_attribute(run, "member_steps");
    if (has_attribute(run, "newton_iterations"))
      result.newton_iterations = read_whole_attribute(run, "newton_iterations");
    result.seconds = read_number_attribute(run, "seconds");
    result.stepper_seconds =
        read_number_attribute(run, "seconds_per_step") * static_cast<double>(result.member_steps);
  }
  if (!is_old) check_ensemble(run, plan, result, has_other_end);
  return result;
}

}  // namespace

std::vector<EnsembleResult> read_hdf5_ensembles(const std::filesystem::path& path,
                                                std::vector<EnsemblePlan>& plans,
                                                const ReadRuns& how) {
  std::vector<EnsembleResult> results;
  read_file(path, [&](hid_t file) {
    const bool is_old = is_of_version_0_1(file);
    for (EnsemblePlan& plan : plans) {
      read_run_group(file, plan.run, [&](hid_t run) {
        plan.run.record_every = read_record_every(run, how.record_every);
        check_request(run, plan.run);
        check_members(run, plan);
        results.push_back(read_result(run, plan, is_old, how.has_other_end));
        if (!how.has_other_end && !is_old) check_end(run, plan.run, results.back().steps, false);
      });
    }
  });
  return results;
}

}  // namespace dalembert::study
