#include "arrays.hpp"

#include <algorithm>
#include <cmath>

#include "dalembert/error.hpp"

namespace dalembert::python {

namespace py = pybind11;

namespace {

std::string kind_of(py::handle value) {
  return py::str(py::type::handle_of(value).attr("__name__"));
}

/// A number of Python as a double; nothing where it is none.
std::optional<double> number_of(py::handle value) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return std::nullopt;
  }
  return number;
}

/// A number to all digits that a constant holds: `exact(high)` is a double as a number of its kind.
/// Nothing where it has no double next to it.
template <class Exact>
std::optional<Expr> constant_of(py::handle value, Exact exact) {
  const std::optional<double> high = number_of(value);
  if (!high || !std::isfinite(*high)) return high ? std::optional<Expr>(*high) : std::nullopt;
  const std::optional<double> low = number_of(value - exact(*high));
  return Expr(Constant{*high} + Constant{low.value_or(0.0)});
}

/// A whole number; doubles have all up to 2^53.
std::optional<Expr> whole_number(py::handle value) {
  return constant_of(value, [](double high) {
    return py::reinterpret_steal<py::object>(PyLong_FromDouble(high));
  });
}

/// A fraction or a decimal number.
std::optional<Expr> quotient(py::handle value) {
  try {
    const py::object fraction = py::module_::import("fractions").attr("Fraction");
    return constant_of(fraction(value), [&](double high) { return fraction(high); });
  } catch (const py::error_already_set&) {  // no finite number
    return std::nullopt;
  }
}

/// A number of NumPy, or what an array without dimensions holds.
std::optional<Expr> number_of_numpy(py::handle value) {
  const auto kind = value.attr("dtype").attr("kind").cast<std::string>();
  if (kind == "f") {
    const py::object type = value.attr("dtype").attr("type");
    return constant_of(type(value), [&](double high) { return type(high); });
  }
  if (kind == "i" || kind == "u") return whole_number(value.attr("item")());
  const py::object held = kind == "O" ? value.attr("item")() : py::object(py::none());
  return py::hasattr(held, "dtype") ? std::nullopt : expression_of(held);
}

py::object object_array(const std::vector<py::ssize_t>& shape, const Vector& entries) {
  py::array array(py::dtype("O"), shape);
  auto* const objects = static_cast<PyObject**>(array.mutable_data());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Py_XDECREF(objects[i]);
    objects[i] = py::cast(entries[i]).release().ptr();
  }
  return array;
}

/// The entries of what can be looked through.
py::sequence entries_of(py::handle value, const std::string& what) {
  const bool is_list = py::isinstance<py::sequence>(value) && !py::isinstance<py::str>(value);
  if (!is_list && !py::isinstance<py::array>(value)) {
    throw RequestError(what + " is of the type " + kind_of(value) +
                       "; a list or an array of expressions and numbers is allowed");
  }
  return py::reinterpret_steal<py::sequence>(PySequence_List(value.ptr()));
}

}  // namespace

std::optional<Expr> expression_of(py::handle value) {
  if (py::isinstance<Expr>(value)) return value.cast<Expr>();
  if (py::isinstance<py::bool_>(value)) return std::nullopt;
  if (PyFloat_CheckExact(value.ptr())) return Expr(PyFloat_AsDouble(value.ptr()));
  if (PyLong_Check(value.ptr())) return whole_number(value);
  if (py::isinstance<py::array>(value) && value.attr("ndim").cast<int>() != 0) return std::nullopt;
  if (py::hasattr(value, "dtype") && py::hasattr(value, "item")) return number_of_numpy(value);
  if (py::hasattr(value, "as_integer_ratio")) return quotient(value);
  return std::nullopt;
}

Expr expression_of(py::handle value, const std::string& what) {
  if (std::optional<Expr> expression = expression_of(value)) return *std::move(expression);
  throw RequestError(what + " is of the type " + kind_of(value) +
                     "; an expression or a number is allowed");
}

Vector vector_of(py::handle value, const std::string& what) {
  if (value.is_none()) return {};
  if (const std::optional<Expr> one = expression_of(value)) return {*one};
  Vector entries;
  for (const py::handle entry : entries_of(value, what))
    entries.push_back(expression_of(entry, what + "[" + std::to_string(entries.size()) + "]"));
  return entries;
}

Matrix matrix_of(py::handle value, const std::string& what) {
  std::vector<Vector> rows;
  for (const py::handle row : entries_of(value, what))
    rows.push_back(vector_of(row, what + "[" + std::to_string(rows.size()) + "]"));
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  Matrix matrix(rows.size(), columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != columns) {
      throw RequestError(what + " has rows of " + std::to_string(columns) + " and of " +
                         std::to_string(rows[i].size()) + " entries; all have to be as long");
    }
    for (std::size_t j = 0; j < columns; ++j) matrix(i, j) = rows[i][j];
  }
  return matrix;
}

py::object array_of(const Vector& expressions) {
  return object_array({static_cast<py::ssize_t>(expressions.size())}, expressions);
}

py::object array_of(const Matrix& matrix) {
  return object_array(
      {static_cast<py::ssize_t>(matrix.rows()), static_cast<py::ssize_t>(matrix.columns())},
      matrix.entries());
}

py::array_t<double> array_of(std::span<const double> values) {
  py::array_t<double> array(static_cast<py::ssize_t>(values.size()));
  std::copy(values.begin(), values.end(), array.mutable_data());
  return array;
}

py::array_t<double> array_of(std::span<const double> values, std::vector<py::ssize_t> shape) {
  py::array_t<double> array(std::move(shape));
  std::copy(values.begin(), values.end(), array.mutable_data());
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

std::vector<double> numbers_of(py::handle value, const std::string& what) {
  std::vector<double> numbers;
  for (const py::handle entry : entries_of(value, what)) {
    const std::optional<double> number = number_of(entry);
    if (!number) {
      throw RequestError(what + "[" + std::to_string(numbers.size()) + "] is of the type " +
                         kind_of(entry) + "; a number is allowed");
    }
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace dalembert::python
