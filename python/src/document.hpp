#pragma once

#include <pybind11/pybind11.h>

#include "dalembert/document/node.hpp"

namespace dalembert::python {

/// A study, or a part of one, from dicts, lists, tuples, texts, numbers, truth values, paths, and
/// arrays and numbers of NumPy. Entries that are None are left out. RequestError, with the key, for
/// anything else.
study::DocumentNode document_of(pybind11::handle value, const std::string& place);

}  // namespace dalembert::python
