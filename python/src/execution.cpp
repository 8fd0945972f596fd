#include "execution.hpp"

#include <optional>

#include "dalembert/result/hdf5/existing_result.hpp"

namespace dalembert::python {

namespace py = pybind11;
using namespace study;

PlanningWatch shown_by(Work& work) {
  return [&work](std::size_t index, std::size_t count, const std::string& what) {
    work.check();
    work.say("planning run " + std::to_string(index + 1) + " of " + std::to_string(count) + ": " +
             what);
  };
}

py::array_t<double> view_of(std::span<const double> values, std::size_t columns,
                            const py::object& owner) {
  const std::size_t rows = columns == 0 ? 0 : values.size() / columns;
  py::array_t<double> view({rows, columns}, {columns * sizeof(double), sizeof(double)},
                           values.data(), owner);
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

void check_replaceable(const std::string& path, bool force) {
  if (path.empty() || force) return;
  if (const std::optional<ReasonToKeep> reason = reason_to_keep(path)) {
    throw RequestError("\"" + path + "\" " + reason->what +
                       "; name another file, or replace it with overwrite=True");
  }
}

}  // namespace dalembert::python
