#pragma once

#include <pybind11/pybind11.h>

#include "dalembert/result/labelled_table.hpp"

namespace dalembert::python {

/// {"sizes": {dimension: size}, "coordinates": {name: (dimensions, values, units, description)},
/// "variables": the same, "plurals": {name: what all of it is called}}.
pybind11::dict labelled_entry(const study::LabelledTable& table);

}  // namespace dalembert::python
