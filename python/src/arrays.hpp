#pragma once
// Expressions travel as arrays of objects, numbers as arrays of doubles.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/expression/vector.hpp"

namespace dalembert::python {

/// An expression, or a number as one; nothing for anything else, arrays among it. Fractions keep
/// their digits.
std::optional<Expr> expression_of(pybind11::handle value);
/// The same for a value that is called `what`; RequestError for anything else.
Expr expression_of(pybind11::handle value, const std::string& what);
/// A list, tuple or array of expressions, or a single one; None is empty. RequestError for anything
/// else.
Vector vector_of(pybind11::handle value, const std::string& what);
/// A list of rows, all as long as the first. RequestError for anything else.
Matrix matrix_of(pybind11::handle value, const std::string& what);

/// Arrays [size] and [rows, columns] of Expression objects.
pybind11::object array_of(const Vector& expressions);
pybind11::object array_of(const Matrix& matrix);

/// A copy of some numbers as an array.
pybind11::array_t<double> array_of(std::span<const double> values);
/// The same in a shape, row after row; nobody writes to it.
pybind11::array_t<double> array_of(std::span<const double> values,
                                   std::vector<pybind11::ssize_t> shape);
/// Numbers in a list or an array; RequestError for anything else.
std::vector<double> numbers_of(pybind11::handle value, const std::string& what);

}  // namespace dalembert::python
