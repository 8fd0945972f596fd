#include "module.hpp"

#include <string>

#include "dalembert/version.hpp"
#include "waiting.hpp"

namespace {

/// NumPy, which may not be there.
pybind11::module_ numpy() {
  namespace py = pybind11;
  try {
    return py::module_::import("numpy");
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ImportError)) throw;
    throw py::import_error("dalembert needs NumPy in this Python: pip install numpy (" +
                           std::string(py::str(error.value())) + ")");
  }
}

/// An object that was made by `__new__` alone has no value. pybind11 would give it memory without
/// one where it is used first.
void* refuse_no_value(std::size_t) {
  throw pybind11::type_error("this object was never initialised: call its class");
}

void refuse_objects_without_value(const pybind11::module_& module) {
  namespace py = pybind11;
  for (const auto& [name, entry] : py::dict(module.attr("__dict__"))) {
    if (!PyType_Check(entry.ptr())) continue;
    auto* const type = reinterpret_cast<PyTypeObject*>(entry.ptr());
    if (auto* const known = py::detail::get_type_info(type)) known->operator_new = &refuse_no_value;
  }
}

/// The arrays of NumPy 2 have another form, which pybind11 knows since 2.12.
void check_numpy() {
  namespace py = pybind11;
  const std::string version = py::str(numpy().attr("__version__"));
#if PYBIND11_VERSION_MAJOR == 2 && PYBIND11_VERSION_MINOR < 12
  if (version[0] == '1') return;
  throw py::import_error("this build of dalembert is for NumPy 1, and " + version +
                         " is there; use the Python and the NumPy that it was built with, or "
                         "install it with pip");
#else
  static_cast<void>(version);
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
  dalembert::python::add_analyses(module);
  dalembert::python::add_program(module);
  refuse_objects_without_value(module);
  pybind11::module_::import("atexit").attr("register")(
      pybind11::cpp_function(&dalembert::python::end_all_works));
}
