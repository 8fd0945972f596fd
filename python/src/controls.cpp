// Optimal controls.

#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "arrays.hpp"
#include "dalembert/error.hpp"
#include "dalembert/report/control/control_report.hpp"
#include "dalembert/report/outcome_word.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "execution.hpp"
#include "module.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;
using namespace study;

namespace {

/// Rows of a matrix of numbers.
py::array_t<double> rows_of(const std::vector<double>& values, std::size_t columns) {
  const auto width = static_cast<py::ssize_t>(columns);
  const py::ssize_t rows = width == 0 ? 0 : static_cast<py::ssize_t>(values.size()) / width;
  return array_of(values, {rows, width});
}

py::list optimise(const Study& study, const py::object& progress) {
  if (!study.control)
    throw RequestError(
        "the study has no table [control], which says what is chosen and what is to be least");
  std::vector<RunPlan> plans;
  std::vector<OptimalControl> results;
  Work work;
  wait_for(work, progress, [&] {
    plans = plan_runs(study, shown_by(work));
    work.say("searching");
    for (const RunPlan& plan : plans)
      work.total += static_cast<double>(plan.control->entry.trials) +
                    (plan.control->entry.guess.empty() ? 0.0 : 1.0);
    for (const RunPlan& plan : plans)
      results.push_back(optimise_run(plan, &work.cancelled, &work.done));
  });
  py::list list;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const OptimalControl& result = results[i];
    const RecordColumns& columns = plans[i].columns;
    const std::size_t q = columns.q_count, v = columns.velocity_count;
    const auto states = columns.names.begin() + static_cast<std::ptrdiff_t>(columns.q_begin());
    list.append(py::dict(
        "status"_a = outcome_word(result.status), "message"_a = result.message,
        "label"_a = plans[i].label, "method"_a = plans[i].method.label, "step"_a = plans[i].step,
        "cost"_a = result.cost, "extremum"_a = extremum_word(result.extremum),
        "stationary_costs"_a = result.stationary_costs, "residual"_a = result.residual,
        "defect"_a = result.defect, "constraint"_a = result.constraint,
        "iterations"_a = result.iterations, "searches"_a = result.trials,
        "converged"_a = result.converged, "by"_a = plans[i].control->entry.by,
        "state"_a = std::vector<std::string>(states, states + static_cast<std::ptrdiff_t>(q + v)),
        "t"_a = array_of(result.t, {static_cast<py::ssize_t>(result.t.size())}),
        "q"_a = rows_of(result.q, q), "v"_a = rows_of(result.v, v),
        "controls"_a = rows_of(result.controls, plans[i].control->entry.by.size()),
        "costate"_a = rows_of(result.costate, q + v),
        "text"_a = control_table({plans[i]}, {result})));
  }
  return list;
}

}  // namespace

void add_controls(py::module_& module) { module.def("control", optimise, "study"_a, "progress"_a); }

}  // namespace dalembert::python
