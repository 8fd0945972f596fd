#include "document.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace dalembert::python {

namespace py = pybind11;
using study::DocumentNode;

namespace {

std::string below(const std::string& key, const std::string& name) {
  return key.empty() ? name : key + "." + name;
}

std::string type_of(py::handle value) {
  return py::str(py::type::handle_of(value).attr("__name__"));
}

class Converter {
 public:
  explicit Converter(std::string place) : place_(std::move(place)) {}

  DocumentNode converted(py::handle value, const std::string& key) const {
    DocumentNode node{DocumentNode::Table{}, {place_, 0}, key};
    if (py::isinstance<py::bool_>(value)) {
      node.value = value.cast<bool>();
    } else if (py::isinstance<py::str>(value)) {
      node.value = value.cast<std::string>();
    } else if (py::isinstance<py::int_>(value)) {
      node.value = whole(value, node);
    } else if (py::isinstance<py::float_>(value)) {
      node.value = value.cast<double>();
    } else if (py::isinstance<py::dict>(value)) {
      node.value = table(value.cast<py::dict>(), key);
    } else if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
      node.value = array(value.cast<py::sequence>(), key);
    } else if (py::hasattr(value, "tolist")) {  // arrays and numbers of NumPy
      const py::object plain = value.attr("tolist")();
      if (py::hasattr(plain, "tolist")) refuse(value, node);
      return converted(plain, key);
    } else if (py::hasattr(value, "__fspath__")) {
      node.value = py::str(value.attr("__fspath__")()).cast<std::string>();
    } else {
      refuse(value, node);
    }
    return node;
  }

 private:
  [[noreturn]] static void refuse(py::handle value, const DocumentNode& node) {
    node.refuse("is of the type " + type_of(value) +
                "; a number, a text, True or False, a list, an array or a dict is allowed");
  }

  static std::int64_t whole(py::handle value, const DocumentNode& node) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow != 0)
      node.refuse("is " + std::string(py::str(value)) + "; whole numbers have at most 64 bits");
    if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return number;
  }

  DocumentNode::Table table(const py::dict& source, const std::string& key) const {
    DocumentNode::Table entries;
    for (const auto& [name, value] : source) {
      if (value.is_none()) continue;
      const std::string text = py::str(name);
      entries.push_back({text, converted(value, below(key, text))});
    }
    return entries;
  }

  DocumentNode::Array array(const py::sequence& source, const std::string& key) const {
    DocumentNode::Array entries;
    for (const py::handle value : source)
      entries.push_back(converted(value, below(key, std::to_string(entries.size()))));
    return entries;
  }

  std::string place_;
};

}  // namespace

DocumentNode document_of(py::handle value, const std::string& place) {
  return Converter(place).converted(value, "");
}

}  // namespace dalembert::python
