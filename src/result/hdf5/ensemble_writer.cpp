#include "dalembert/result/hdf5/ensemble_writer.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "dalembert/result/copies/flush_seconds.hpp"
#include "dalembert/result/json_result.hpp"
#include "dalembert/study/ensemble/ensemble_plan.hpp"
#include "dalembert/study/ensemble/execute_ensembles.hpp"
#include "dalembert/study/ensemble/member_states.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/run_result.hpp"
#include "dalembert/study/study_file.hpp"
#include "ensemble_groups.hpp"
#include "result_file.hpp"
#include "result_writer.hpp"
#include "run_groups.hpp"
#include "study/ensemble/ensemble_summary.hpp"

namespace dalembert::study {
namespace {

using namespace hdf5;
using Clock = std::chrono::steady_clock;
constexpr hsize_t record_block = 1024, values_in_chunk = 16384;

void write_request(hid_t run, const EnsemblePlan& plan) {
  write_run_request(run, plan.run);
  write_attribute(run, "members", static_cast<std::uint64_t>(plan.starts->size()));
  write_attribute(run, "seed", plan.seed);
  if (plan.part) {
    write_attribute(run, "part", plan.part->text());
    write_attribute(run, "first_member", plan.part->first);
    write_attribute(run, "members_of_all", plan.part->members_of_all);
  }
  write_status(run, RunResult::Status::interrupted);
}

/// The tables of what the statistics of a whole ensemble follow from.
void make_part(hid_t run, const EnsemblePlan& plan) {
  const Handle part = make_group(run, "part");
  const Handle moments = make_group(part, "moments"), values = make_group(part, "values");
  const std::size_t nodes = plan.part->nodes().size(), members = plan.starts->size();
  for (const std::string& name : ensemble_quantities(plan)) {
    const Handle table =
        make_table(run, moments_table(name), nodes * numbers_of_moments, record_block / nodes);
    write_attribute(table, "names",
                    std::vector<std::string>{"count", "mean", "deviations", "min", "max"});
    describe_table(table, "these five of each node of blocks of members, a row for each record",
                   {});
    if (!keeps_values(plan)) continue;
    const hsize_t rows = std::max<hsize_t>(1, values_in_chunk / members);
    describe_table(make_table(run, values_table(name), members, rows),
                   "values of the members, a row for each record", {});
  }
}

void make_run(hid_t file, const EnsemblePlan& plan) {
  const Handle run = make_group(file, run_group_name(plan.run));
  write_request(run, plan);
  const std::vector<std::string> time_unit = units_of(plan.run.columns, 0, 1);
  describe_table(make_table(run, "t", 0, record_block), "time of each record", time_unit);
  describe_table(make_table(run, "alive", 0, record_block), "members that have got to each record",
                 {});
  const Handle statistics = make_group(run, "statistics");
  for (const std::string& name : ensemble_quantities(plan)) {
    const Handle table = make_table(statistics, name, ensemble_columns.size(), record_block);
    write_attribute(table, "names",
                    std::vector<std::string>(ensemble_columns.begin(), ensemble_columns.end()));
    describe_table(table, "statistics over the members, a row for each record", {});
  }
  const Handle members = make_group(run, "members");
  const Handle growth = make_group(run, "growth");
  describe_table(make_table(growth, "t", 0, record_block),
                 "times whose errors of all members are kept", time_unit);
  describe_table(make_table(growth, "energy_error", members_with_start(plan), 1),
                 "energy errors of the members that have a start, a row for each of these times",
                 units_of(plan.run.columns, plan.run.columns.energy(), 1));
  const Handle state = make_group(run, "state");
  if (plan.part) make_part(run, plan);
}

/// One part of the states of all members as a table; members without a state have nan.
void write_states(hid_t members, const std::string& name, const MemberStates& states,
                  MemberStates::Part part, const RecordColumns& columns, std::size_t begin,
                  std::size_t width, const std::string& description) {
  if (width == 0) return;
  std::vector<double> values(states.size() * width, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto row = values.begin() + static_cast<std::ptrdiff_t>(i * width);
    std::ranges::copy((states.*part)(i), row);
  }
  const Handle table =
      exists(members, name)
          ? open_table(members, name)
          : make_table(members, name, width, std::min<hsize_t>(record_block, states.size()));
  resize_rows(table, 0);
  const auto first = columns.names.begin() + static_cast<std::ptrdiff_t>(begin);
  describe_table(table, description, units_of(columns, begin, width));
  write_attribute(table, "names",
                  std::vector<std::string>(first, first + static_cast<std::ptrdiff_t>(width)));
  append_rows(table, values, states.size());
}

/// By which event each member has been ended.
void write_ends(hid_t members, const EnsemblePlan& plan, const EnsembleResult& result) {
  std::vector<double> ended(result.size(), 0.0);
  for (const MemberFailure& end : result.ends)
    ended[end.member - plan.first_member()] = static_cast<double>(*end.ended_by + 1);
  std::vector<std::string> names;
  for (const Event& event : plan.run.events) names.push_back(event.name);
  write_vector(members, "ended_by", ended);
  const Handle table = open_table(members, "ended_by");
  write_attribute(table, "names", names);
  describe_table(table, "number of the event that has ended the member, from 1; 0 for none", {});
}

void write_members(hid_t run, const EnsemblePlan& plan, const EnsembleResult& result) {
  const Handle members = open_group(run, "members");
  const RecordColumns& columns = plan.run.columns;
  const MemberStates initial = initial_states(plan), final = final_states(plan, result);
  const auto write = [&](const std::string& name, const MemberStates& states,
                         MemberStates::Part part, std::size_t begin, std::size_t width,
                         const std::string& description) {
    write_states(members, name, states, part, columns, begin, width, description);
  };
  const std::size_t q = columns.q_begin(), v = columns.v_begin(), l = columns.lambda_begin();
  const std::size_t q_count = columns.q_count, v_count = columns.velocity_count;
  write("q_initial", initial, &MemberStates::q, q, q_count, "positions at the start");
  write("v_initial", initial, &MemberStates::v, v, v_count, "velocities at the start");
  write("q_final", final, &MemberStates::q, q, q_count, "last positions");
  write("v_final", final, &MemberStates::v, v, v_count, "last velocities");
  write("lambda_final", final, &MemberStates::lambda, l, columns.lambda_count, "last multipliers");
  std::vector<double> t, failed(result.size(), 0.0);
  for (std::size_t i = 0; i < final.size(); ++i) t.push_back(final.t(i));
  for (const MemberFailure& failure : result.failures)
    failed[failure.member - plan.first_member()] =
        failure.step == 0 ? -1.0 : static_cast<double>(failure.step);
  write_vector(members, "t_final", t);
  write_vector(members, "failed_in_step", failed);
  if (!plan.run.events.empty()) write_ends(members, plan, result);
  describe_table(open_table(members, "failed_in_step"),
                 "number of the refused step; 0 for none, -1 where there was no start", {});
}

void write_state(hid_t group, const EnsembleState& state) {
  const std::size_t size = state.points.size();
  Point point = empty_point(*state.points.program());
  for (const auto& [name, part] : point_parts) {
    std::vector<double> values;
    values.reserve(size * (point.*part).size());
    for (std::size_t i = 0; i < size; ++i) {
      state.points.get(i, point);
      values.insert(values.end(), (point.*part).begin(), (point.*part).end());
    }
    write_vector(group, name, values);
  }
  std::vector<double> t, step(size, 0.0), residual(size, 0.0), refusal(size, 0.0);
  std::vector<double> ended_by(size, 0.0);
  for (std::size_t i = 0; i < size; ++i) t.push_back(state.points.time(i));
  for (const MemberFailure& failure : state.failures) {
    step[failure.member] = static_cast<double>(failure.step);
    residual[failure.member] = failure.residual;
    refusal[failure.member] = static_cast<double>(failure.status);
    if (failure.ended_by) ended_by[failure.member] = static_cast<double>(*failure.ended_by + 1);
  }
  write_vector(group, "t", t);
  write_vector(group, "failed_in_step", step);
  write_vector(group, "residual", residual);
  write_vector(group, "refusal", refusal);
  write_vector(group, "ended_by", ended_by);
  write_attribute(group, "steps", state.step);
}

/// Before an ensemble goes on, what its last state does not know of goes.
void drop_rows(hid_t file, const EnsemblePlan& plan) {
  const Handle run = open_group(file, run_group_name(plan.run));
  const EnsembleRows kept = rows_that_stay(run, plan);
  resize_rows(open_table(run, "t"), kept.records);
  resize_rows(open_table(run, "alive"), kept.records);
  for (const std::string& name : ensemble_quantities(plan))
    resize_rows(open_table(run, "statistics/" + name), kept.records);
  if (plan.part) {
    for (const std::string& name : ensemble_quantities(plan)) {
      resize_rows(open_table(run, moments_table(name)), kept.records);
      if (!exists(run, values_table(name))) continue;
      const Handle values = open_table(run, values_table(name));
      resize_rows(values, std::min<hsize_t>(row_count(values), kept.records));
    }
  }
  for (const char* name : {"growth/t", "growth/energy_error"})
    resize_rows(open_table(run, name), kept.growth);
}

void write_growth(hid_t run, const std::string& name, const GrowthLaw& law) {
  if (!law.measured) return;
  write_attribute(run, name + "_exponent", law.exponent);
  write_attribute(run, name + "_exponent_uncertainty", law.uncertainty);
  write_attribute(run, name + "_rate", law.rate);
  write_attribute(run, name + "_rate_uncertainty", law.rate_uncertainty);
}

void write_outcome(hid_t run, const EnsemblePlan& plan, const EnsembleResult& result) {
  const RunResult summary = as_run(plan, result);
  write_attribute(run, "steps", result.steps);
  write_status(run, result.status);
  write_attribute(run, "message", result.message);
  write_attribute(run, "failed", static_cast<std::uint64_t>(result.failures.size()));
  write_attribute(run, "ended", static_cast<std::uint64_t>(result.ends.size()));
  write_attribute(run, "energy_error_max", summary.diagnostics.energy.max_error);
  write_attribute(run, "constraint_max", summary.diagnostics.constraint_max);
  for (const IntegralSummary& integral : summary.diagnostics.integrals)
    write_attribute(run, integral.name + "_error_max", integral.max_error);
  write_attribute(run, "member_steps", result.member_steps);
  write_attribute(run, "newton_iterations", result.newton_iterations);
  write_attribute(run, "code", std::string(code_text(result.native)));
  write_attribute(run, "seconds", result.seconds);
  write_attribute(run, "seconds_per_step", summary.seconds_per_step);
  write_growth(run, "variance", result.variance);
  write_growth(run, "mean_square", result.mean_square);
}

}  // namespace

class EnsembleHdf5::Implementation {
 public:
  Implementation(const std::filesystem::path& path, const Study& study,
                 const std::vector<EnsemblePlan>& plans)
      : shown_(plans.size()), writer_(path, [study, plans](hid_t file) {
          write_study(file, study);
          const Handle runs = make_group(file, "runs");
          for (const EnsemblePlan& plan : plans) make_run(file, plan);
        }) {}

  Implementation(ResultLock lock, const Study& study, const std::vector<EnsemblePlan>& plans)
      : shown_(rows_in(lock.path(), plans)), writer_(std::move(lock), [study, plans](hid_t file) {
          write_study(file, study);
          for (const EnsemblePlan& plan : plans) {
            drop_rows(file, plan);
            write_request(open_group(file, run_group_name(plan.run)), plan);
          }
        }) {}

  void append(const EnsemblePlan& plan, const EnsembleResult& result) {
    if (Clock::now() - added_ < longest_wait()) return;
    writer_.add([&](ResultChanges& changes) { add_records(plan, result, changes); });
    added_ = Clock::now();
  }

  void finish(const EnsemblePlan& plan, const EnsembleResult& result) {
    writer_.add([&](ResultChanges& changes) {
      add_records(plan, result, changes);
      changes.set_state(run_group_name(plan.run) + " outcome",
                        [kept = share(plan), outcome = share(result)](hid_t file) {
                          const Handle run = open_group(file, run_group_name(kept->run));
                          write_members(run, *kept, *outcome);
                          write_outcome(run, *kept, *outcome);
                        });
    });
  }

  void close() { writer_.close(); }

 private:
  /// Changes are copied; what is large in them is not.
  template <class Part>
  static std::shared_ptr<const Part> share(const Part& part) {
    return std::make_shared<const Part>(part);
  }

  static Clock::duration longest_wait() {
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::min(0.25, flush_seconds())));
  }

  static void add_table(const EnsemblePlan& plan, const std::string& name,
                        const std::vector<double>& rows, std::size_t width,
                        ResultChanges& changes) {
    if (rows.empty()) return;
    const std::string path = run_group_name(plan.run) + "/" + name;
    changes.add_rows(path, rows, {path}, [path, width](hid_t file, const auto& values) {
      append_rows(open_table(file, path), values, values.size() / width);
    });
  }

  void add_records(const EnsemblePlan& plan, const EnsembleResult& result, ResultChanges& changes) {
    EnsembleRows& shown = shown_[plan.run.index];
    const auto from = static_cast<std::ptrdiff_t>(shown.records);
    add_table(plan, "t", {result.t.begin() + from, result.t.end()}, 1, changes);
    add_table(plan, "alive", {result.alive.begin() + from, result.alive.end()}, 1, changes);
    for (const QuantityStatistics& quantity : result.quantities) {
      std::vector<double> rows;
      for (std::size_t i = shown.records; i < result.t.size(); ++i) {
        const auto values = column_values(quantity.records[i]);
        rows.insert(rows.end(), values.begin(), values.end());
      }
      add_table(plan, "statistics/" + quantity.name, rows, ensemble_columns.size(), changes);
      if (plan.part) add_part(plan, result, quantity, shown.records, changes);
    }
    shown.records = result.t.size();
    add_growth(plan, result, changes);
    const std::string name = run_group_name(plan.run) + "/state";
    changes.set_state(name, [name, state = share(result.state)](hid_t file) {
      const Handle states = open_group(file, name);
      // Version 0.1 had two states, of which one was current.
      const std::string current = current_state(states).empty() ? "a" : current_state(states);
      write_state(
          exists(states, current) ? open_group(states, current) : make_group(states, current),
          *state);
      if (current_state(states).empty()) write_attribute(states, "current", current);
    });
  }

  static void add_part(const EnsemblePlan& plan, const EnsembleResult& result,
                       const QuantityStatistics& quantity, std::size_t from,
                       ResultChanges& changes) {
    std::vector<double> moments, values;
    for (std::size_t i = from; i < result.t.size(); ++i) {
      for (const SampleMoments& m : quantity.moments[i]) {
        const double numbers[]{static_cast<double>(m.count), m.mean, m.deviations, m.min, m.max};
        moments.insert(moments.end(), std::begin(numbers), std::end(numbers));
      }
      if (quantity.values.size() == result.t.size())
        values.insert(values.end(), quantity.values[i].begin(), quantity.values[i].end());
    }
    add_table(plan, moments_table(quantity.name), moments,
              plan.part->nodes().size() * numbers_of_moments, changes);
    add_table(plan, values_table(quantity.name), values, plan.starts->size(), changes);
  }

  void add_growth(const EnsemblePlan& plan, const EnsembleResult& result, ResultChanges& changes) {
    std::size_t& shown = shown_[plan.run.index].growth;
    add_table(plan, "growth/t",
              {result.growth_t.begin() + static_cast<std::ptrdiff_t>(shown), result.growth_t.end()},
              1, changes);
    std::vector<double> rows;
    for (; shown < result.growth_t.size(); ++shown)
      rows.insert(rows.end(), result.growth_errors[shown].begin(),
                  result.growth_errors[shown].end());
    add_table(plan, "growth/energy_error", rows, members_with_start(plan), changes);
  }

  static std::vector<EnsembleRows> rows_in(const std::filesystem::path& path,
                                           const std::vector<EnsemblePlan>& plans) {
    std::vector<EnsembleRows> rows;
    read_file_again(path, [&](hid_t file) {
      for (const EnsemblePlan& plan : plans)
        rows.push_back(rows_that_stay(open_group(file, run_group_name(plan.run)), plan));
    });
    return rows;
  }

  std::vector<EnsembleRows> shown_;  // that were added, by run
  Clock::time_point added_ = Clock::now();
  ResultWriter writer_;
};

EnsembleHdf5::EnsembleHdf5(const std::filesystem::path& path, const Study& study,
                           const std::vector<EnsemblePlan>& plans)
    : implementation_(std::make_unique<Implementation>(path, study, plans)) {}
EnsembleHdf5::EnsembleHdf5(ResultLock lock, const Study& study,
                           const std::vector<EnsemblePlan>& plans)
    : implementation_(std::make_unique<Implementation>(std::move(lock), study, plans)) {}
EnsembleHdf5::~EnsembleHdf5() = default;
void EnsembleHdf5::append(const EnsemblePlan& plan, const EnsembleResult& so_far) {
  implementation_->append(plan, so_far);
}
void EnsembleHdf5::finish(const EnsemblePlan& plan, const EnsembleResult& result) {
  implementation_->finish(plan, result);
}

void EnsembleHdf5::close() { implementation_->close(); }

}  // namespace dalembert::study
