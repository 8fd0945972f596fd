#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "app/dalembert_program.hpp"
#include "module.hpp"

namespace dalembert::python {

void add_program(pybind11::module_& module) {
  module.def(
      "program",
      [](std::vector<std::string> words) {
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        return app::run_dalembert(static_cast<int>(words.size()), arguments.data());
      },
      pybind11::arg("words"));
}

}  // namespace dalembert::python
