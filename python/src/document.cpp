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

  DocumentNode converted(py::handle value, const std::string& key) {
    DocumentNode node{DocumentNode::Table{}, {place_, 0}, key};
    // Also what contains itself ends here.
    if (depth_ == study::deepest_document) {
      node.key = key.substr(0, 40) + "...";
      node.refuse("is nested more than " + std::to_string(study::deepest_document) +
                  " levels deep");
    }
    if (++values_ > study::most_document_values)
      node.refuse("is one value too many: more than " +
                  std::to_string(study::most_document_values) + " in one study");
    ++depth_;
    node.value = value_of(value, key, node);
    node.check_text();
    --depth_;
    return node;
  }

 private:
  decltype(DocumentNode::value) value_of(py::handle value, const std::string& key,
                                         const DocumentNode& node) {
    if (py::isinstance<py::bool_>(value)) return value.cast<bool>();
    if (py::isinstance<py::str>(value)) return text_of(value, node);
    if (py::isinstance<py::int_>(value)) return whole(value, node);
    if (py::isinstance<py::float_>(value)) return value.cast<double>();
    if (py::isinstance<py::dict>(value)) return table(value.cast<py::dict>(), key);
    if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value))
      return array(value.cast<py::sequence>(), key);
    if (py::hasattr(value, "tolist")) {  // arrays and numbers of NumPy
      const py::object plain = value.attr("tolist")();
      if (py::hasattr(plain, "tolist")) refuse(value, node);
      return value_of(plain, key, node);
    }
    if (py::hasattr(value, "__fspath__"))
      return py::str(value.attr("__fspath__")()).cast<std::string>();
    refuse(value, node);
  }

  [[noreturn]] static void refuse(py::handle value, const DocumentNode& node) {
    node.refuse("is of the type " + type_of(value) +
                "; a number, a text, True or False, a list, an array or a dict is allowed");
  }

  /// UTF-8; a text of Python may have halves of pairs, which no file can hold.
  static std::string text_of(py::handle value, const DocumentNode& node) {
    try {
      return value.cast<std::string>();
    } catch (const py::cast_error&) {
      PyErr_Clear();
      node.refuse("has halves of surrogate pairs in its text, which is not valid Unicode");
    }
  }

  static std::int64_t whole(py::handle value, const DocumentNode& node) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (overflow != 0)
      node.refuse("is " + std::string(py::str(value)) + "; whole numbers have at most 64 bits");
    if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return number;
  }

  DocumentNode::Table table(const py::dict& source, const std::string& key) {
    DocumentNode::Table entries;
    for (const auto& [name, value] : source) {
      if (value.is_none()) continue;
      const std::string text = text_of(py::str(name), {DocumentNode::Table{}, {place_, 0}, key});
      entries.push_back({text, converted(value, below(key, text))});
    }
    return entries;
  }

  DocumentNode::Array array(const py::sequence& source, const std::string& key) {
    DocumentNode::Array entries;
    for (const py::handle value : source)
      entries.push_back(converted(value, below(key, std::to_string(entries.size()))));
    return entries;
  }

  std::string place_;
  std::size_t depth_ = 0, values_ = 0;
};

}  // namespace

DocumentNode document_of(py::handle value, const std::string& place) {
  return Converter(place).converted(value, "");
}

}  // namespace dalembert::python
