#include <exception>
#include <new>
#include <stdexcept>

#include "dalembert/error.hpp"
#include "module.hpp"

namespace dalembert::python {

namespace py = pybind11;

namespace {

void raise(const char* name, const std::exception& error) {
  const py::object type = py::module_::import("dalembert.errors").attr(name);
  PyErr_SetString(type.ptr(), error.what());
}

}  // namespace

void add_errors(py::module_&) {
  // The signature is that of pybind11.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const RequestError& error) {
      raise("RequestError", error);
    } catch (const OutputError& error) {
      raise("OutputError", error);
    } catch (const StepError& error) {
      raise("StepError", error);
    } catch (const std::domain_error& error) {  // symbolic linear algebra
      raise("RequestError", error);
    } catch (const Error& error) {
      raise("Error", error);
    } catch (const py::cast_error&) {
      PyErr_SetString(PyExc_TypeError,
                      "a value is of another type than is wanted, or a text with halves of "
                      "surrogate pairs, which is not valid Unicode");
    }
  });
}

}  // namespace dalembert::python
