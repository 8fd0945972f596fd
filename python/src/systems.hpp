#pragma once
// Systems whose equations are typed in Python.

#include <pybind11/pybind11.h>

#include <memory>

namespace dalembert::python {

/// What belongs to the interpreter, held where its lock may not be: by methods and systems that
/// threads of C++ copy and drop.
using Held = std::shared_ptr<pybind11::object>;
Held held(pybind11::object value);

}  // namespace dalembert::python
