#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

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
  const Handle parameters =
      exists(run, "parameters") ? open_group(run, "parameters") : make_group(run, "parameters");
  const auto& described = plan.run.system.description().parameters;
  for (std::size_t i = 0; i < described.size(); ++i)
    write_attribute(parameters, described[i].name, plan.run.parameters[i]);
  for (const auto& [name, value] : plan.run.sizes)
    write_attribute(parameters, name, static_cast<std::uint64_t>(value));
}

/// Members that have a start.
std::size_t plan_members(const EnsemblePlan& plan) {
  return static_cast<std::size_t>(
      std::count_if(plan.starts->begin(), plan.starts->end(),
                    [](const MemberStart& start) { return start.failure.empty(); }));
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
  const Handle growth = make_group(run, "growth");
  describe_table(make_table(growth, "t", 0, block), "times whose errors of all members are kept");
  describe_table(make_table(growth, "energy_error", plan_members(plan), 1),
                 "energy errors of the members that have a start, a row for each of these times");
  const Handle state = make_group(run, "state");
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
  const Handle table = exists(members, name) ? open_table(members, name)
                                             : make_table(members, name, width,
                                                          std::min<hsize_t>(block, states.size()));
  resize_rows(table, 0);
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

/// The parts of a point, by the names of their data sets.
using PointPart = std::vector<double> Point::*;
constexpr std::array<std::pair<const char*, PointPart>, 7> point_parts{
    {{"q", &Point::q},
     {"v", &Point::v},
     {"lambda", &Point::lambda},
     {"extra", &Point::extra},
     {"turns", &Point::turns},
     {"q_carry", &Point::q_carry},
     {"v_carry", &Point::v_carry}}};

void write_state(hid_t group, const EnsembleState& state) {
  for (const auto& [name, part] : point_parts) {
    std::vector<double> values;
    for (const Point& point : state.points)
      values.insert(values.end(), (point.*part).begin(), (point.*part).end());
    write_vector(group, name, values);
  }
  const std::size_t size = state.points.size();
  std::vector<double> t, step(size, 0.0), residual(size, 0.0);
  for (const Point& point : state.points) t.push_back(point.t);
  for (const MemberFailure& failure : state.failures) {
    step[failure.member] = static_cast<double>(failure.step);
    residual[failure.member] = failure.residual;
  }
  write_vector(group, "t", t);
  write_vector(group, "failed_in_step", step);
  write_vector(group, "residual", residual);
  write_attribute(group, "steps", state.step);
}

EnsembleState read_state(hid_t group, const EnsemblePlan& plan) {
  EnsembleState state;
  const std::vector<double> t = read_values(group, "t"),
                            step = read_values(group, "failed_in_step"),
                            residual = read_values(group, "residual");
  state.step = read_whole_attribute(group, "steps");
  state.points.resize(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) {
    state.points[i].t = t[i];
    if (step[i] == 0.0) continue;
    state.failures.push_back({i, static_cast<std::uint64_t>(step[i]), t[i], residual[i],
                              "method \"" + plan.run.method.label + "\" failed in step " +
                                  std::to_string(static_cast<std::uint64_t>(step[i])) +
                                  " before the ensemble was resumed"});
  }
  for (const auto& [name, part] : point_parts) {
    const std::vector<double> values = read_values(group, name);
    const std::size_t width = values.size() / std::max<std::size_t>(1, t.size());
    for (std::size_t i = 0; i < t.size(); ++i) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i * width);
      (state.points[i].*part).assign(begin, begin + static_cast<std::ptrdiff_t>(width));
    }
  }
  return state;
}

/// The group of the last complete state, or none.
std::string current_state(hid_t run) {
  const Handle group = open_group(run, "state");
  return H5Aexists(group, "current") > 0 ? read_text_attribute(group, "current") : "";
}

/// How many rows of records a run keeps that goes on after so many steps, or stays as it is.
hsize_t kept_rows(const EnsemblePlan& plan, std::uint64_t steps, hsize_t rows) {
  if (steps >= plan.run.steps) return rows;
  return steps == 0 ? 0 : std::min<hsize_t>(rows, steps / plan.run.record_every + 1);
}

std::uint64_t steps_in(hid_t run) {
  const std::string current = current_state(run);
  return current.empty() ? 0 : read_whole_attribute(open_group(run, "state/" + current), "steps");
}

/// Before an ensemble goes on, what its last state does not know of goes.
void drop_rows(hid_t file, const EnsemblePlan& plan) {
  const Handle run = open_group(file, group_name(plan));
  const Handle times = open_table(run, "t");
  const hsize_t rows = kept_rows(plan, steps_in(run), row_count(times));
  const std::vector<double> t = read_values(run, "t"), growth_t = read_values(run, "growth/t");
  const double last = rows == 0 ? -1.0 : t.at(rows - 1);
  const auto kept = std::upper_bound(growth_t.begin(), growth_t.end(), last) - growth_t.begin();
  resize_rows(times, rows);
  resize_rows(open_table(run, "alive"), rows);
  for (const std::string& name : quantity_names(plan))
    resize_rows(open_table(run, "statistics/" + name), rows);
  for (const char* name : {"growth/t", "growth/energy_error"})
    resize_rows(open_table(run, name), static_cast<hsize_t>(kept));
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

EnsembleResult read_result(hid_t run, const EnsemblePlan& plan) {
  EnsembleResult result;
  const std::uint64_t steps = steps_in(run);
  if (steps == 0) return result;
  result.state = read_state(open_group(run, "state/" + current_state(run)), plan);
  result.steps = steps;
  result.t = read_values(run, "t");
  result.t.resize(kept_rows(plan, steps, result.t.size()));
  for (const double alive : read_values(run, "alive"))
    result.alive.push_back(static_cast<std::uint64_t>(alive));
  result.alive.resize(result.t.size());
  for (const std::string& name : quantity_names(plan)) {
    const std::vector<double> values = read_values(run, "statistics/" + name);
    QuantityStatistics quantity{name, {}};
    for (std::size_t i = 0; i < result.t.size(); ++i)
      quantity.records.push_back(statistics_of(values.data() + i * ensemble_columns.size()));
    result.quantities.push_back(std::move(quantity));
  }
  const std::vector<double> errors = read_values(run, "growth/energy_error");
  const std::size_t width = plan_members(plan);
  for (const double t : read_values(run, "growth/t")) {
    if (t > result.t.back()) break;
    const auto begin = errors.begin() + static_cast<std::ptrdiff_t>(result.growth_t.size() * width);
    result.growth_t.push_back(t);
    result.growth_errors.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(width));
  }
  if (H5Aexists(run, "member_steps") > 0) {
    result.member_steps = read_whole_attribute(run, "member_steps");
    result.seconds = read_number_attribute(run, "seconds");
    result.stepper_seconds =
        read_number_attribute(run, "seconds_per_step") * static_cast<double>(result.member_steps);
  }
  return result;
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
                 const std::vector<EnsemblePlan>& plans, Mode mode)
      : path_(path), file_(open_file(path, mode == Mode::create, true)) {
    guarded([&] {
      write_attribute(file_, "dalembert", version());
      write_attribute(file_, "format", format_version);
      write_attribute(file_, "title", study.title);
      write_attribute(file_, "study", study.text);
      if (mode == Mode::create) const Handle runs = make_group(file_, "runs");
      for (const EnsemblePlan& plan : plans) {
        if (mode == Mode::create) {
          make_run(file_, plan);
        } else {
          drop_rows(file_, plan);
          write_request(open_group(file_, group_name(plan)), plan);
        }
      }
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
      append_growth(run, result);
    });
    switch_state(plan, result);
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
  static void append_growth(hid_t run, const EnsembleResult& result) {
    const Handle times = open_table(run, "growth/t");
    const std::size_t begin = row_count(times), count = result.growth_t.size() - begin;
    append_rows(
        times,
        {result.growth_t.begin() + static_cast<std::ptrdiff_t>(begin), result.growth_t.end()},
        count);
    std::vector<double> rows;
    for (std::size_t i = begin; i < result.growth_t.size(); ++i)
      rows.insert(rows.end(), result.growth_errors[i].begin(), result.growth_errors[i].end());
    append_rows(open_table(run, "growth/energy_error"), rows, count);
  }

  /// Writes the state that is not current, and makes it current when it is on the disk.
  void switch_state(const EnsemblePlan& plan, const EnsembleResult& result) {
    const Handle run = open_group(file_, group_name(plan));
    const std::string next = current_state(run) == "a" ? "b" : "a";
    const Handle states = open_group(run, "state");
    guarded([&] {
      write_state(exists(states, next) ? open_group(states, next) : make_group(states, next),
                  result.state);
    });
    guarded([&] { write_attribute(states, "current", next); });
  }

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
                           const std::vector<EnsemblePlan>& plans, Mode mode)
    : implementation_(std::make_unique<Implementation>(path, study, plans, mode)) {}
EnsembleHdf5::~EnsembleHdf5() = default;
void EnsembleHdf5::append(const EnsemblePlan& plan, const EnsembleResult& so_far) {
  implementation_->append(plan, so_far, false);
}
void EnsembleHdf5::finish(const EnsemblePlan& plan, const EnsembleResult& result) {
  implementation_->finish(plan, result);
}

std::vector<EnsembleResult> read_hdf5_ensembles(const std::filesystem::path& path,
                                                std::vector<EnsemblePlan>& plans) {
  const Handle file = open_file(path, false, false);
  std::vector<EnsembleResult> results;
  for (EnsemblePlan& plan : plans) {
    const Handle run = open_group(file, group_name(plan));
    plan.run.record_every = read_whole_attribute(run, "record_every");
    results.push_back(read_result(run, plan));
  }
  return results;
}

}  // namespace dalembert
