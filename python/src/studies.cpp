#include <pybind11/stl.h>

#include "dalembert/document/library.hpp"
#include "dalembert/result/hdf5/run_reader.hpp"
#include "dalembert/study/execution/continuation.hpp"
#include "dalembert/study/study_file.hpp"
#include "document.hpp"
#include "lock.hpp"
#include "module.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace py::literals;
using namespace study;

namespace {

/// A study of a document of Python, whose paths are relative to `base`.
Study study_of_document(py::handle document, const std::string& base,
                        const std::vector<Method>& own_methods) {
  const DocumentNode node = document_of(document, "arguments");
  const Unlocked unlocked;
  return read_study(node, base, own_methods);
}

Study study_of_file(const std::string& name_or_path, const std::vector<std::string>& settings) {
  const Unlocked unlocked;
  return read_study_file(find_study(name_or_path), settings);
}

Study study_of_result(const std::string& path, const std::vector<Method>& own_methods) {
  const Unlocked unlocked;
  return continued_study(read_hdf5_study(path), path, "", own_methods);
}

}  // namespace

void add_studies(py::module_& module) {
  py::class_<Study>(module, "Study")
      .def(py::init(&study_of_document), "document"_a, "base"_a, "own_methods"_a)
      .def_static("read", &study_of_file, "name_or_path"_a, "settings"_a)
      .def_static("of_result", &study_of_result, "path"_a, "own_methods"_a)
      .def_property_readonly("is_ensemble",
                             [](const Study& study) { return study.ensemble.has_value(); })
      .def_readonly("text", &Study::text)
      .def_readonly("title", &Study::title);
}

}  // namespace dalembert::python
