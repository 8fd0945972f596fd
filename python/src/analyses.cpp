// Analyses of single runs, and what can be asked of them.

#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "dalembert/analysis/analysis.hpp"
#include "dalembert/analysis/views.hpp"
#include "dalembert/error.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/report/outcome_word.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "dalembert/study/plan_runs.hpp"
#include "execution.hpp"
#include "module.hpp"
#include "tables.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;
using namespace study;

namespace {

py::dict analyse(const std::string& name, const Study& study, const py::object& progress) {
  const Analysis& analysis = analysis_named(name);
  Findings found;
  Work work;
  wait_for(work, progress, [&] {
    const PreparedAnalysis prepared = analysis.prepare(study);
    const std::vector<RunPlan> plans = plan_runs(study, shown_by(work));
    if (plans.size() != 1)
      throw RequestError("derivatives are those of one run, and " + std::to_string(plans.size()) +
                         " are asked for; give one method, one step and one start");
    work.say("analysing: " + name);
    work.total = prepared.passes * static_cast<double>(plans.front().steps);
    found = analyse_runs(prepared, plans, {&work.cancelled, &work.done});
    if (!found.refused.empty()) throw RequestError(found.refused.front());
    if (found.findings.empty()) work.check();
  });
  const Finding& finding = found.findings.front();
  const std::string text = text_of(found);
  return py::dict("status"_a = outcome_word(finding.status), "message"_a = finding.message,
                  "steps"_a = finding.steps, "table"_a = labelled_entry(finding.table),
                  "text"_a = text.empty() ? finding.message : text);
}

/// A default as an argument of Python has it.
py::object argument(const OptionInfo& key) {
  if (const double* number = std::get_if<double>(&key.default_value))
    return key.whole ? py::object(py::int_(static_cast<long long>(*number)))
                     : py::object(py::float_(*number));
  if (const std::string* word = std::get_if<std::string>(&key.default_value)) {
    if (is_yes_or_no(key)) return py::bool_(*word == "yes");
    return py::str(*word);
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
  module.def("analyse", analyse, "name"_a, "study"_a, "progress"_a);
  module.def("page_keys", page_keys, "name"_a);
}

}  // namespace dalembert::python
