#include "module.hpp"

#include "dalembert/version.hpp"

PYBIND11_MODULE(_core, module) {
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
}
