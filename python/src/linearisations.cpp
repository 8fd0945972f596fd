// Steady motions and their linearised equations.

#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "dalembert/report/linearisation/linearisation_report.hpp"
#include "execution.hpp"
#include "module.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;
using namespace study;

namespace {

py::dict motion_dict(const Linearisation& motion) {
  std::vector<std::complex<double>> roots, shapes;
  for (const LinearMode& mode : motion.modes) {
    roots.push_back(mode.value);
    shapes.insert(shapes.end(), mode.shape.begin(), mode.shape.end());
  }
  return py::dict("status"_a = motion.ok() ? "ok" : "failed", "message"_a = motion.message,
                  "residual"_a = motion.residual, "distance"_a = motion.distance, "q"_a = motion.q,
                  "v"_a = motion.v, "lam"_a = motion.lambda, "symmetries"_a = motion.symmetries,
                  "moves_along"_a = motion.moves_along, "states"_a = motion.states,
                  "held"_a = motion.held, "dependent"_a = motion.dependent,
                  "dependence"_a = motion.dependence, "matrix"_a = motion.matrix, "roots"_a = roots,
                  "shapes"_a = shapes, "neutral"_a = motion.neutral, "family"_a = motion.family,
                  "stability"_a = stability_word(motion.stability));
}

/// `anywhere`: at any start of the problem, the first that is a steady motion if there is one.
py::dict linearise_study(const Study& study, bool anywhere, bool search,
                         const std::vector<std::string>& keep) {
  LinearisedProblem result;
  std::string text;
  Work work;
  wait_for(work, py::none(), [&] {
    LinearisationRequest request{.sizes = study.sizes, .parameters = study.parameters};
    if (!anywhere && !study.starts.empty()) request.start = study.starts.front();
    request.search = search;
    request.keep = keep;
    request.cancelled = &work.cancelled;
    result = linearise_problem(study.problem, request);
    work.check();
    text = linearisation_table(result);
  });
  py::list motions, changes;
  for (const Linearisation& motion : result.motions) motions.append(motion_dict(motion));
  for (const StabilityChange& change : result.changes)
    changes.append(py::make_tuple(change.value, stability_word(change.below),
                                  stability_word(change.above), change.root));
  return py::dict("problem"_a = result.problem, "start"_a = result.start,
                  "columns"_a = result.columns, "values"_a = result.values, "motions"_a = motions,
                  "changes"_a = changes, "text"_a = text);
}

}  // namespace

void add_linearisations(py::module_& module) {
  module.def("linearise", linearise_study, "study"_a, "anywhere"_a, "search"_a, "keep"_a);
}

}  // namespace dalembert::python
