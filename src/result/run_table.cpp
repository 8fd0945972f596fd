#include "dalembert/result/run_table.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <span>
#include <utility>

#include "dalembert/study/sweep/study_axes.hpp"

namespace dalembert::study {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Names that differ between runs, each once, in the order in which they come.
std::vector<std::string> all_names(
    const std::vector<RunPlan>& plans,
    const std::function<std::span<const std::string>(const RecordColumns&)>& part) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const RunPlan& plan : plans)
    for (const std::string& name : part(plan.columns))
      if (known.insert(name).second) names.push_back(name);
  return names;
}

class TableMaker {
 public:
  TableMaker(const Study& study, const std::vector<RunPlan>& plans,
             const std::vector<RunResult>& results, const std::vector<RefusedRun>& refused)
      : places_(study), plans_(plans), results_(results), refused_(refused) {
    table_.dimensions = places_.dimensions();
    table_.coordinates = places_.coordinates();
  }

  LabelledTable make(const Study& study) {
    add_texts("status", "ok, failed, interrupted or refused",
              [](const RunResult& result) { return std::string(status_text(result.status)); });
    for (const RefusedRun& run : refused_)
      std::get<std::vector<std::string>>(
          table_.variables.front().values)[places_.index(run.place)] = "refused";
    add("run", "number of the group in runs", {},
        [](const RunPlan& plan, const RunResult&) { return static_cast<double>(plan.index + 1); });
    if (study.tolerance)
      add("step", "step size", unit_of(0),
          [](const RunPlan& plan, const RunResult&) { return plan.step; });
    add_errors();
    add("t", "time reached", unit_of(0),
        [](const RunPlan&, const RunResult& result) { return result.final.t; });
    add_states();
    add_work();
    return std::move(table_);
  }

 private:
  using Value = std::function<double(const RunPlan& plan, const RunResult& result)>;

  /// Other names of the table, and the group of the runs, are not taken again.
  std::string free_name(std::string name) const {
    const auto is_taken = [&](const std::string& wanted) {
      const auto has = [&](const std::vector<LabelledArray>& arrays) {
        return std::ranges::any_of(
            arrays, [&](const LabelledArray& array) { return array.name == wanted; });
      };
      return wanted == "runs" || has(table_.coordinates) || has(table_.variables);
    };
    while (is_taken(name)) name += "_";
    return name;
  }

  void add(const std::string& name, const std::string& description, const std::string& units,
           const Value& value) {
    std::vector<double> values(places_.size(), unknown);
    for (std::size_t i = 0; i < plans_.size(); ++i)
      values[places_.index(plans_[i].place)] = value(plans_[i], results_[i]);
    table_.variables.push_back(
        {free_name(name), description, places_.names(), std::move(values), units});
  }

  void add_texts(const std::string& name, const std::string& description,
                 const std::function<std::string(const RunResult& result)>& text) {
    std::vector<std::string> values(places_.size());
    for (std::size_t i = 0; i < plans_.size(); ++i)
      values[places_.index(plans_[i].place)] = text(results_[i]);
    table_.variables.push_back({free_name(name), description, places_.names(), std::move(values)});
  }

  std::string unit_of(std::size_t column) const {
    return plans_.empty() ? "" : plans_.front().columns.unit(column);
  }

  void add_errors() {
    if (plans_.empty()) return;
    const RecordColumns& columns = plans_.front().columns;
    const std::string unit = unit_of(columns.energy());
    add("energy_error", "largest change of the energy over all steps", unit,
        [](const RunPlan&, const RunResult& result) {
          return result.diagnostics.energy.max_error;
        });
    add("energy_initial", "energy at the start", unit,
        [](const RunPlan&, const RunResult& result) { return result.diagnostics.energy.initial; });
    add("energy_final", "energy at the end", unit,
        [](const RunPlan&, const RunResult& result) { return result.diagnostics.energy.final; });
    add("constraint_error", "largest absolute value of a constraint over all steps", {},
        [](const RunPlan&, const RunResult& result) { return result.diagnostics.constraint_max; });
    for (std::size_t i = 0; i < columns.integral_count(); ++i) {
      const std::string& name = columns.integral_names()[i];
      add(name + "_error", "largest change of " + name + " over all steps",
          unit_of(columns.integrals_begin() + i), [i](const RunPlan&, const RunResult& result) {
            const auto& integrals = result.diagnostics.integrals;
            return i < integrals.size() ? integrals[i].max_error : unknown;
          });
    }
  }

  /// Numbers at the end along a dimension of their names.
  void add_state(const std::string& name, const std::string& dimension,
                 const std::string& description, std::vector<double> StateValues::*part,
                 const std::function<std::span<const std::string>(const RecordColumns&)>& of) {
    const std::vector<std::string> names = all_names(plans_, of);
    if (names.empty()) return;
    std::vector<double> values(places_.size() * names.size(), unknown);
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      const std::span<const std::string> own = of(plans_[i].columns);
      const std::vector<double>& state = results_[i].final.*part;
      const std::size_t begin = places_.index(plans_[i].place) * names.size();
      for (std::size_t k = 0; k < own.size() && k < state.size(); ++k) {
        const auto at = std::ranges::find(names, own[k]) - names.begin();
        values[begin + static_cast<std::size_t>(at)] = state[k];
      }
    }
    const std::string dimension_name = free_name(dimension);
    table_.dimensions.push_back({dimension_name, names.size()});
    table_.coordinates.push_back({dimension_name, "names", {dimension_name}, names});
    std::vector<std::string> dimensions = places_.names();
    dimensions.push_back(dimension_name);
    table_.variables.push_back(
        {free_name(name), description, std::move(dimensions), std::move(values)});
  }

  void add_states() {
    const auto part = [](const RecordColumns& columns, std::size_t begin, std::size_t end) {
      return std::span<const std::string>(columns.names).subspan(begin, end - begin);
    };
    add_state("q", "position", "coordinates at the end, angles unwrapped", &StateValues::q,
              [part](const RecordColumns& columns) {
                return part(columns, columns.q_begin(), columns.v_begin());
              });
    add_state("v", "velocity", "velocities at the end", &StateValues::v,
              [part](const RecordColumns& columns) {
                return part(columns, columns.v_begin(), columns.lambda_begin());
              });
    add_state("lambda", "multiplier", "multipliers at the end", &StateValues::lambda,
              [part](const RecordColumns& columns) {
                return part(columns, columns.lambda_begin(), columns.energy());
              });
  }

  void add_work() {
    add("steps", "steps taken", {},
        [](const RunPlan&, const RunResult& result) { return static_cast<double>(result.steps); });
    add("evaluations", "passes through the equations of a step", {},
        [](const RunPlan&, const RunResult& result) {
          return static_cast<double>(result.evaluations());
        });
    add("seconds_per_step", "processor time of the run by its steps", "s",
        [](const RunPlan&, const RunResult& result) { return result.seconds_per_step; });
    add("seconds", "time of the run with records and diagnostics", "s",
        [](const RunPlan&, const RunResult& result) { return result.seconds; });
  }

  RunPlaces places_;
  const std::vector<RunPlan>& plans_;
  const std::vector<RunResult>& results_;
  const std::vector<RefusedRun>& refused_;
  LabelledTable table_;
};

}  // namespace

RunPlaces::RunPlaces(const Study& study) {
  for (const StudyAxis& axis : study_axes(study)) {
    counts_.push_back(axis.size());
    const std::string& name = axis.name;
    const bool is_dimension = axis.size() > 1 || name == "method";
    LabelledArray coordinate{name, "", {}, axis.texts};
    if (!axis.numbers.empty()) coordinate.values = axis.numbers;
    if (is_dimension) {
      dimensions_.push_back({name, axis.size()});
      coordinate.dimensions = {name};
    }
    // A start without a name says nothing.
    if (is_dimension || axis.texts != std::vector<std::string>{""})
      coordinates_.push_back(std::move(coordinate));
  }
}

std::vector<std::string> RunPlaces::names() const {
  std::vector<std::string> names;
  for (const LabelledTable::Dimension& dimension : dimensions_) names.push_back(dimension.name);
  return names;
}

std::size_t RunPlaces::size() const {
  std::size_t size = 1;
  for (const std::size_t count : counts_) size *= count;
  return size;
}

std::size_t RunPlaces::index(const std::vector<std::size_t>& place) const {
  std::size_t index = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) index = index * counts_[i] + place[i];
  return index;
}

LabelledTable run_table(const Study& study, const std::vector<RunPlan>& plans,
                        const std::vector<RunResult>& results,
                        const std::vector<RefusedRun>& refused) {
  return TableMaker(study, plans, results, refused).make(study);
}

}  // namespace dalembert::study
