#include <chrono>
#include <cstdio>

#include "dalembert/study/ensemble_output.hpp"
#include "dalembert/study/json_result.hpp"
#include "ensemble_summary.hpp"
#include "hdf5_handle.hpp"

namespace dalembert {
namespace {

using namespace hdf5;
using Clock = std::chrono::steady_clock;
constexpr hsize_t block = 1024;
constexpr std::uint64_t format_version = 1;
constexpr std::chrono::seconds longest_wait{5};  // before records are written

std::string group_name(const EnsemblePlan& plan) {
  char number[16];
  std::snprintf(number, sizeof number, "%04zu", plan.run.index + 1);
  return std::string("runs/") + number;
}

std::vector<std::string> quantity_names(const EnsemblePlan& plan) {
  std::vector<std::string> names{"energy_error", "energy_error_relative", "constraint"};
  for (const auto& [name, integral] : plan.run.system.mechanics().integrals)
    names.push_back(name + "_error");
  return names;
}

void describe_table(hid_t table, const std::string& description) {
  write_attribute(table, "description", description);
  write_attribute(table, "units", std::string("nondimensional"));
}

void write_request(hid_t run, const EnsemblePlan& plan) {
  write_attribute(run, "problem", plan.run.system.name());
  write_attribute(run, "run", plan.run.label);
  write_attribute(run, "label", plan.run.method.label);
  write_attribute(run, "method", method_json_text(plan.run.method.spec));
  write_attribute(run, "step", plan.run.step);
  write_attribute(run, "steps_requested", plan.run.steps);
  write_attribute(run, "record_every", plan.run.record_every);
  write_attribute(run, "members", static_cast<std::uint64_t>(plan.starts->size()));
  write_attribute(run, "seed", plan.seed);
  write_attribute(run, "status", std::string(status_text(RunResult::Status::interrupted)));
  const Handle parameters = make_group(run, "parameters");
  const auto& described = plan.run.system.description().parameters;
  for (std::size_t i = 0; i < described.size(); ++i)
    write_attribute(parameters, described[i].name, plan.run.parameters[i]);
  for (const auto& [name, value] : plan.run.sizes)
    write_attribute(parameters, name, static_cast<std::uint64_t>(value));
}

void make_run(hid_t file, const EnsemblePlan& plan) {
  const Handle run = make_group(file, group_name(plan));
  write_request(run, plan);
  describe_table(make_table(run, "t", 0, block), "time of each record");
  describe_table(make_table(run, "alive", 0, block), "members that have got to each record");
  const Handle statistics = make_group(run, "statistics");
  for (const std::string& name : quantity_names(plan)) {
    const Handle table = make_table(statistics, name, ensemble_columns.size(), block);
    write_attribute(table, "names",
                    std::vector<std::string>(ensemble_columns.begin(), ensemble_columns.end()));
    describe_table(table, "statistics over the members, a row for each record");
  }
  const Handle members = make_group(run, "members");
}

Handle open_table(hid_t group, const std::string& name) {
  return {H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, "open a data set"};
}

/// One part of the states of all members as a table; members without a state have nan.
void write_states(hid_t members, const std::string& name, const std::vector<StateValues>& states,
                  std::vector<double> StateValues::*part, std::size_t width,
                  const std::string& description) {
  if (width == 0) return;
  std::vector<double> values;
  for (const StateValues& state : states) {
    std::vector<double> row = state.*part;
    row.resize(width, std::numeric_limits<double>::quiet_NaN());
    values.insert(values.end(), row.begin(), row.end());
  }
  const Handle table = make_table(members, name, width, block);
  describe_table(table, description);
  append_rows(table, values, states.size());
}

void write_members(hid_t run, const EnsemblePlan& plan, const EnsembleResult& result) {
  const Handle members = open_group(run, "members");
  const RecordColumns& columns = plan.run.columns;
  const std::size_t q = columns.dof, v = columns.velocity_count, l = columns.lambda_count;
  write_states(members, "q_initial", result.initial, &StateValues::q, q, "positions at the start");
  write_states(members, "v_initial", result.initial, &StateValues::v, v, "velocities at the start");
  write_states(members, "q_final", result.final, &StateValues::q, q, "last positions");
  write_states(members, "v_final", result.final, &StateValues::v, v, "last velocities");
  write_states(members, "lambda_final", result.final, &StateValues::lambda, l, "last multipliers");
  std::vector<double> t, failed(result.size(), 0.0);
  for (const StateValues& state : result.final) t.push_back(state.t);
  for (const MemberFailure& failure : result.failures)
    failed[failure.member] = failure.step == 0 ? -1.0 : static_cast<double>(failure.step);
  write_vector(members, "t_final", t);
  write_vector(members, "failed_in_step", failed);
  describe_table(open_table(members, "failed_in_step"),
                 "number of the refused step; 0 for none, -1 where there was no start");
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
  write_attribute(run, "status", std::string(status_text(result.status)));
  write_attribute(run, "message", result.message);
  write_attribute(run, "failed", static_cast<std::uint64_t>(result.failures.size()));
  write_attribute(run, "energy_error_max", summary.diagnostics.energy.max_error);
  write_attribute(run, "constraint_max", summary.diagnostics.constraint_max);
  for (const IntegralSummary& integral : summary.diagnostics.integrals)
    write_attribute(run, integral.name + "_error_max", integral.max_error);
  write_attribute(run, "member_steps", result.member_steps);
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
      : path_(path), file_(open_file(path, true, true)) {
    guarded([&] {
      write_attribute(file_, "dalembert", version());
      write_attribute(file_, "format", format_version);
      write_attribute(file_, "title", study.title);
      write_attribute(file_, "study", study.text);
      const Handle runs = make_group(file_, "runs");
      for (const EnsemblePlan& plan : plans) make_run(file_, plan);
    });
  }

  void append(const EnsemblePlan& plan, const EnsembleResult& result, bool at_once) {
    if (!at_once && Clock::now() - written_ < longest_wait) return;
    guarded([&] {
      const Handle run = open_group(file_, group_name(plan));
      const Handle times = open_table(run, "t");
      const std::size_t begin = row_count(times), count = result.t.size() - begin;
      const auto from = static_cast<std::ptrdiff_t>(begin);
      append_rows(times, {result.t.begin() + from, result.t.end()}, count);
      append_rows(open_table(run, "alive"), {result.alive.begin() + from, result.alive.end()},
                  count);
      for (const QuantityStatistics& quantity : result.quantities) {
        std::vector<double> rows;
        for (std::size_t i = begin; i < result.t.size(); ++i) {
          const auto values = column_values(quantity.records[i]);
          rows.insert(rows.end(), values.begin(), values.end());
        }
        append_rows(open_table(run, "statistics/" + quantity.name), rows, count);
      }
    });
    written_ = Clock::now();
  }

  void finish(const EnsemblePlan& plan, const EnsembleResult& result) {
    append(plan, result, true);
    guarded([&] {
      const Handle run = open_group(file_, group_name(plan));
      write_members(run, plan, result);
      write_outcome(run, plan, result);
    });
  }

 private:
  template <class Action>
  void guarded(Action action) {
    try {
      action();
      check(H5Fflush(file_, H5F_SCOPE_LOCAL), "write to the disk");
    } catch (const OutputError& error) {
      throw OutputError("cannot write \"" + path_.string() + "\": " + error.what());
    }
  }

  std::filesystem::path path_;
  Handle file_;
  Clock::time_point written_ = Clock::now();
};

EnsembleHdf5::EnsembleHdf5(const std::filesystem::path& path, const Study& study,
                           const std::vector<EnsemblePlan>& plans)
    : implementation_(std::make_unique<Implementation>(path, study, plans)) {}
EnsembleHdf5::~EnsembleHdf5() = default;
void EnsembleHdf5::append(const EnsemblePlan& plan, const EnsembleResult& so_far) {
  implementation_->append(plan, so_far, false);
}
void EnsembleHdf5::finish(const EnsemblePlan& plan, const EnsembleResult& result) {
  implementation_->finish(plan, result);
}

}  // namespace dalembert
