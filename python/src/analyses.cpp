// Analyses of single runs, and what can be asked of them.

#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "dalembert/analysis/analysis.hpp"
#include "dalembert/error.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "execution.hpp"
#include "module.hpp"
#include "tables.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;
using namespace study;

namespace {

/// One of the tables of a report, with what it is of.
py::dict entry_of(const AnalysisReport& report, const RunTable& run, std::size_t i) {
  py::dict entry("status"_a = run.status, "message"_a = run.message, "steps"_a = run.steps,
                 "table"_a = labelled_entry(run.table));
  const std::string text = report.text_of_table ? report.text_of_table(i) : report.text(0);
  entry["text"] = text.empty() ? run.message : text;
  if (run.plan == nullptr) return entry;
  entry["problem"] = run.plan->system.name();
  entry["start"] = run.plan->start;
  entry["label"] = run.plan->label;
  entry["method"] = run.plan->method.label;
  entry["step"] = run.plan->step;
  return entry;
}

py::list entries(const AnalysisReport& report) {
  py::list list;
  const std::vector<RunTable> tables = report.tables();
  for (std::size_t i = 0; i < tables.size(); ++i) list.append(entry_of(report, tables[i], i));
  return list;
}

/// Analyses a study, whose methods must all fit. What was found until Ctrl-C is returned.
AnalysisReport analyse(const std::string& name, const Study& study, bool one_run,
                       std::size_t threads, const py::object& progress) {
  const Analysis& analysis = analysis_named(name);
  AnalysisReport report;
  Work work;
  wait_for(work, progress, [&] {
    const PlannedAnalysis planned = analysis.plan(
        study, {.watch = shown_by(work), .leaves_out_misfits = false, .one_run = one_run});
    work.say(planned.says.empty() ? "analysing: " + name : planned.says);
    work.total = planned.work;
    report = planned.report({&work.cancelled, &work.done, threads});
    if (!report.is_empty) return;
    if (!report.refused.empty()) throw RequestError(report.refused.front());
    work.check();
  });
  return report;
}

/// A default as an argument of Python has it.
py::object argument(const OptionInfo& key) {
  if (const double* number = std::get_if<double>(&key.default_value))
    return key.whole ? py::object(py::int_(static_cast<long long>(*number)))
                     : py::object(py::float_(*number));
  if (const std::string* word = std::get_if<std::string>(&key.default_value)) {
    if (is_yes_or_no(key)) return py::bool_(*word == "yes");
    return word->empty() ? py::object(py::none()) : py::object(py::str(*word));
  }
  return py::none();
}

/// The keys of a page: name, default, what is admissible, and a sentence.
py::list page_keys(const std::string& name) {
  py::list keys;
  for (const OptionInfo& key : page_named(name).keys)
    keys.append(py::make_tuple(key.name, argument(key), option_range(key), key.description));
  return keys;
}

}  // namespace

void add_analyses(py::module_& module) {
  py::class_<AnalysisReport>(module, "Report")
      .def("entries", &entries)
      .def("failed", [](const AnalysisReport& report) { return report.failed; })
      .def("broken", [](const AnalysisReport& report) { return report.broken; })
      .def("json", [](const AnalysisReport& report) { return report.json(); })
      .def("csv", [](const AnalysisReport& report) { return report.csv(); });
  module.def("analyse", analyse, "name"_a, "study"_a, "one_run"_a, "threads"_a, "progress"_a);
  module.def("page_keys", page_keys, "name"_a);
}

}  // namespace dalembert::python
