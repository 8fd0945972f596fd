// Methods side by side.

#include <pybind11/stl.h>

#include <memory>
#include <string>

#include "dalembert/report/comparison/comparison_report.hpp"
#include "dalembert/study/comparison/compare_methods.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "execution.hpp"
#include "module.hpp"
#include "tables.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;
using namespace study;

namespace {

/// The methods of a study, or all that fit, with its steps or with steps of their own.
Comparison compare(Study study, bool with_all, const ComparisonOptions& options,
                   const py::object& progress) {
  Comparison comparison;
  Work work;
  work.say("comparing");
  wait_for(work, progress, [&] {
    if (with_all) study.methods = methods_to_compare(study);
    work.total = static_cast<double>(study.methods.size());
    ComparisonOptions chosen = options;
    chosen.cancelled = &work.cancelled;
    chosen.methods_done = &work.done;
    comparison = compare_methods(study, chosen);
  });
  return comparison;
}

/// Why methods have no runs, or fewer.
py::dict messages(const Comparison& comparison) {
  py::dict all;
  for (const ComparedMethod& method : comparison.methods)
    if (!method.message.empty()) all[py::str(method.plan.method.label)] = method.message;
  for (const RefusedRun& run : comparison.refused) all[py::str(run.method.label)] = run.reason;
  return all;
}

}  // namespace

void add_comparisons(py::module_& module) {
  module.def(
      "compare",
      [](const Study& study, bool with_all, bool chooses_steps, std::size_t threads,
         const py::object& progress) {
        ComparisonOptions options = read_page(comparison_page(), study);
        options.chooses_steps = chooses_steps;
        options.threads = threads;
        const Comparison comparison = compare(study, with_all, options, progress);
        return py::dict("text"_a = comparison_table(comparison, options.error),
                        "json"_a = comparison_json(comparison),
                        "csv"_a = comparison_csv(comparison),
                        "table"_a = labelled_entry(comparison_arrays(comparison)),
                        "messages"_a = messages(comparison));
      },
      "study"_a, "with_all"_a, "chooses_steps"_a, "threads"_a, "progress"_a);
}

}  // namespace dalembert::python
