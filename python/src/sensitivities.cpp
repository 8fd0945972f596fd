// Derivatives of runs, and what follows from them.

#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "dalembert/error.hpp"
#include "dalembert/report/sensitivity/sensitivity_report.hpp"
#include "dalembert/report/sensitivity/volume_report.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "dalembert/study/sensitivity/differentiate_runs.hpp"
#include "execution.hpp"
#include "module.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;
using namespace study;

namespace {

/// The run of a study that has one, its end in the steps that are counted.
RunPlan only_run(const Study& study, Work& work) {
  std::vector<RunPlan> plans = plan_runs(study, shown_by(work));
  if (plans.size() != 1)
    throw RequestError("derivatives are those of one run, and " + std::to_string(plans.size()) +
                       " are asked for; give one method, one step and one start");
  work.say("differentiating");
  return std::move(plans.front());
}

py::dict differentiate(const Study& study, const std::vector<std::string>& by,
                       const std::vector<std::string>& of, const std::string& mode,
                       bool with_records, const py::object& progress) {
  Sensitivity result;
  std::string text;
  Work work;
  wait_for(work, progress, [&] {
    const RunPlan plan = only_run(study, work);
    SensitivityChoice choice{.by = by, .of = of, .mode = sensitivity_mode(mode)};
    choice.with_records = with_records;
    const double ways = choice.mode == SensitivityMode::adjoint ? 2.0 : 1.0;
    work.total = ways * static_cast<double>(plan.steps);
    choice.cancelled = &work.cancelled;
    choice.steps_done = &work.done;
    result = differentiate_run(plan, choice);
    text = sensitivity_table(plan, result);
  });
  const auto records = static_cast<py::ssize_t>(result.size());
  const auto rows = static_cast<py::ssize_t>(result.of.size()),
             columns = static_cast<py::ssize_t>(result.by.size());
  result.derivatives.resize(static_cast<std::size_t>(records * rows * columns));
  return py::dict("status"_a = outcome_word(result.status), "message"_a = result.message,
                  "steps"_a = result.steps,
                  "mode"_a = result.mode == SensitivityMode::adjoint ? "adjoint" : "tangent",
                  "of"_a = result.of, "by"_a = result.by, "t"_a = array_of(result.t, {records}),
                  "values"_a = array_of(result.values, {records, rows}),
                  "derivatives"_a = array_of(result.derivatives, {records, rows, columns}),
                  "text"_a = text);
}

py::dict measure_exponents(const Study& study, std::size_t exponents, double settle,
                           std::size_t blocks, const py::object& progress) {
  LyapunovSpectrum result;
  std::string text;
  Work work;
  wait_for(work, progress, [&] {
    const RunPlan plan = only_run(study, work);
    work.total = static_cast<double>(plan.steps);
    LyapunovOptions options{.settle = settle, .exponents = exponents, .blocks = blocks};
    options.cancelled = &work.cancelled;
    options.steps_done = &work.done;
    result = lyapunov_of_run(plan, options);
    text = result.ok() ? lyapunov_table(plan, result) : result.message;
  });
  const auto times = static_cast<py::ssize_t>(result.t.size());
  const py::ssize_t count =
      times == 0 ? 0 : static_cast<py::ssize_t>(result.running.size()) / times;
  std::vector<double> values;
  for (const Estimate& one : result.exponents)
    values.insert(values.end(), {one.value, one.low, one.high});
  return py::dict(
      "status"_a = outcome_word(result.status), "message"_a = result.message,
      "steps"_a = result.steps, "dimension"_a = result.dimension,
      "exponents"_a = array_of(values, {static_cast<py::ssize_t>(result.exponents.size()), 3}),
      "sum"_a = py::make_tuple(result.sum.value, result.sum.low, result.sum.high),
      "t"_a = array_of(result.t, {times}), "running"_a = array_of(result.running, {times, count}),
      "text"_a = text);
}

/// A slope with its interval of 95 %.
py::tuple slope_of(const Drift& drift) {
  return py::make_tuple(drift.slope.value, drift.slope.low, drift.slope.high);
}

py::dict measure_volume(const Study& study, std::size_t samples, const py::object& progress) {
  std::optional<RunVolume> run;
  std::string text, message;
  Work work;
  wait_for(work, progress, [&] {
    const RunPlan plan = only_run(study, work);
    work.total = 3.0 * static_cast<double>(plan.steps);
    VolumeOptions options{.samples = samples};
    options.cancelled = &work.cancelled;
    options.steps_done = &work.done;
    run.emplace(volume_of_run(plan, options));
    message = run->history.message.empty() ? run->motion.message : run->history.message;
    text = run->ok() ? volume_table({*run}) : message;
  });
  const VolumeHistory& history = run->history;
  const auto status = history.ok() ? run->motion.status : history.status;
  const auto array = [](const std::vector<double>& values) {
    return array_of(values, {static_cast<py::ssize_t>(values.size())});
  };
  return py::dict("status"_a = outcome_word(status), "message"_a = message,
                  "steps"_a = history.steps, "dimension"_a = history.dimension,
                  "with_multiplier"_a = history.with_multiplier, "t"_a = array(history.t),
                  "log_volume"_a = array(history.log_volume),
                  "of_motion"_a = array(run->motion.log_volume),
                  "verdict"_a = run->ok() ? volume_verdict(*run) : "",
                  "difference"_a = slope_of(run->judgement.difference),
                  "motion_rate"_a = slope_of(run->judgement.of_motion), "text"_a = text);
}

}  // namespace

void add_sensitivities(py::module_& module) {
  module.def("sensitivity", differentiate, "study"_a, "by"_a, "of"_a, "mode"_a, "with_records"_a,
             "progress"_a);
  module.def("lyapunov", measure_exponents, "study"_a, "exponents"_a, "settle"_a, "blocks"_a,
             "progress"_a);
  module.def("volume", measure_volume, "study"_a, "samples"_a, "progress"_a);
}

}  // namespace dalembert::python
