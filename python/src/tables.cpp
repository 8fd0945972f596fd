#include "tables.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <vector>

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;
using namespace study;

namespace {

/// An array with its dimensions, its units and what it is.
py::tuple entry_of(const LabelledTable& table, const LabelledArray& array) {
  std::vector<py::ssize_t> shape;
  for (const std::string& dimension : array.dimensions)
    shape.push_back(static_cast<py::ssize_t>(table.size_of(dimension)));
  py::object values;
  if (const auto* numbers = std::get_if<std::vector<double>>(&array.values)) {
    py::array_t<double> made(shape);
    std::copy(numbers->begin(), numbers->end(), made.mutable_data());
    values = made;
  } else if (const auto* counts = std::get_if<std::vector<std::int64_t>>(&array.values)) {
    py::array_t<std::int64_t> made(shape);
    std::copy(counts->begin(), counts->end(), made.mutable_data());
    values = array.is_truth_value ? py::object(made.attr("astype")("bool")) : made;
  } else {
    values = py::cast(std::get<std::vector<std::string>>(array.values));
  }
  return py::make_tuple(array.dimensions, values, array.units, array.description);
}

}  // namespace

py::dict labelled_entry(const LabelledTable& table) {
  py::dict coordinates, variables, sizes, plurals;
  for (const LabelledTable::Dimension& dimension : table.dimensions)
    sizes[py::str(dimension.name)] = dimension.size;
  for (const LabelledTable::Dimension& dimension : table.dimensions)
    if (!dimension.parts.empty())
      coordinates[py::str(dimension.name)] =
          py::make_tuple(std::vector{dimension.name}, dimension.parts, "", "");
  for (const LabelledArray& array : table.coordinates)
    coordinates[py::str(array.name)] = entry_of(table, array);
  for (const LabelledArray& array : table.variables)
    variables[py::str(array.name)] = entry_of(table, array);
  for (const LabelledArray& array : table.variables)
    if (!array.plural.empty()) plurals[py::str(array.name)] = array.plural;
  return py::dict("sizes"_a = sizes, "coordinates"_a = coordinates, "variables"_a = variables,
                  "plurals"_a = plurals);
}

}  // namespace dalembert::python
