// What methods preserve, measured.

#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "dalembert/document/library.hpp"
#include "dalembert/error.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/report/audit_arrays.hpp"
#include "dalembert/report/audit_html.hpp"
#include "dalembert/report/audit_json.hpp"
#include "dalembert/report/audit_report.hpp"
#include "dalembert/report/audit_set.hpp"
#include "dalembert/report/audit_text.hpp"
#include "dalembert/report/run_audit.hpp"
#include "document.hpp"
#include "lock.hpp"
#include "module.hpp"
#include "tables.hpp"
#include "waiting.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;
using namespace study;

namespace {

void add(AuditSet& set, AuditSet more) {
  for (AuditCase& problem : more.problems) set.problems.push_back(std::move(problem));
  for (LongRunCase& run : more.long_runs) set.long_runs.push_back(std::move(run));
}

/// A problem of a table [system], or of the library with its first start and other parameters.
AuditSet cases_of(py::handle reference, const NamedValues& parameters) {
  if (py::isinstance<py::str>(reference) && parameters.empty())
    return audit_set_of(std::vector{reference.cast<std::string>()});
  ProblemFile problem = py::isinstance<py::str>(reference)
                            ? read_problem_file(find_problem(reference.cast<std::string>()))
                            : read_problem(document_of(reference, "system"), "system");
  if (py::isinstance<py::str>(reference) && problem.starts.size() > 1)
    problem.starts.erase(problem.starts.begin() + 1, problem.starts.end());
  for (Parameter& parameter : problem.parameters) {
    const auto chosen = parameters.find(parameter.name);
    if (chosen == parameters.end()) continue;
    parameter.value = chosen->second;
    for (StartEntry& start : problem.starts) start.parameters.erase(parameter.name);
  }
  return audit_set_of(problem);
}

/// The report of an audit as it is handed on.
py::dict report_entry(const AuditReport& report) {
  py::list breaches;
  for (const MethodAudit& method : report.methods) {
    for (const Breach& breach : method.breaches(report.set))
      breaches.append(
          py::make_tuple(method.label, breach.property, breach.detail, breach.is_broken));
  }
  return py::dict("json"_a = audit_json(report), "csv"_a = audit_csv(report),
                  "table"_a = labelled_entry(audit_arrays(report)), "text"_a = audit_text(report),
                  "details"_a = audit_text(report, true), "markdown"_a = audit_markdown(report),
                  "is_broken"_a = report.is_broken(), "is_complete"_a = report.is_complete,
                  "breaches"_a = breaches);
}

/// An audit of methods on problems, each a reference and parameters; of the standard set if there
/// are none.
AuditReport audit(const std::vector<Method>& methods, const py::list& problems, bool full,
                  std::size_t threads, const py::object& progress) {
  AuditSet set;
  for (const py::handle problem : problems) {
    const auto entry = problem.cast<py::tuple>();
    add(set, cases_of(entry[0], entry[1].cast<NamedValues>()));
  }
  std::vector<AuditMethod> audited;
  for (const Method& method : methods) audited.push_back({method, label(method.spec())});
  AuditReport report;
  Work work;
  work.say("measuring");
  wait_for(work, progress, [&] {
    if (set.problems.empty()) set = standard_audit_set();
    set.title = "Audit";
    work.total = static_cast<double>(audit_size(audited.size(), set));
    AuditOptions options;
    options.full = full;
    options.threads = threads;
    options.cancelled = &work.cancelled;
    options.done = &work.done;
    report = run_audit(audited, set, options);
    work.check();
  });
  return report;
}

}  // namespace

void add_audits(py::module_& module) {
  py::class_<AuditReport>(module, "Audit")
      .def("entry", &report_entry)
      .def("html", [](const AuditReport& report) {
        const Unlocked unlocked;
        return audit_html(report);
      });
  module.def("audit", &audit, "methods"_a, "problems"_a, "full"_a, "threads"_a, "progress"_a);
}

}  // namespace dalembert::python
