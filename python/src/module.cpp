#include "module.hpp"

#include <string>

#include "dalembert/version.hpp"

namespace {

/// The arrays of NumPy 2 have another form, which pybind11 knows since 2.12.
void check_numpy() {
#if PYBIND11_VERSION_MAJOR == 2 && PYBIND11_VERSION_MINOR < 12
  namespace py = pybind11;
  const std::string version = py::str(py::module_::import("numpy").attr("__version__"));
  if (version[0] == '1') return;
  throw py::import_error("this build of dalembert is for NumPy 1, and " + version +
                         " is there; use the Python and the NumPy that it was built with, or "
                         "install it with pip");
#endif
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  check_numpy();
  module.doc() = "The compiled part of dalembert; use the package.";
  module.attr("version") = std::to_string(DALEMBERT_VERSION_MAJOR) + "." +
                           std::to_string(DALEMBERT_VERSION_MINOR) + "." +
                           std::to_string(DALEMBERT_VERSION_PATCH);
  dalembert::python::add_errors(module);
  dalembert::python::add_expressions(module);
  dalembert::python::add_systems(module);
  dalembert::python::add_methods(module);
  dalembert::python::add_notation(module);
  dalembert::python::add_steppers(module);
  dalembert::python::add_audits(module);
  dalembert::python::add_problems(module);
  dalembert::python::add_studies(module);
  dalembert::python::add_runs(module);
  dalembert::python::add_ensembles(module);
  dalembert::python::add_comparisons(module);
  dalembert::python::add_sensitivities(module);
  dalembert::python::add_controls(module);
  dalembert::python::add_linearisations(module);
}
