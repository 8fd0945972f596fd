#include "dalembert/expression/text/function_names.hpp"

#include "dalembert/expression/elementary_functions.hpp"

namespace dalembert {

std::vector<std::string> function_names() {
  std::vector<std::string> names{"sum", "atan2", "sinc_root", "piecewise", "max",
                                 "min", "cross", "dot",       "norm",      "rotate"};
#define DALEMBERT_ROW(name, ...) names.emplace_back(#name);
  DALEMBERT_ELEMENTARY_FUNCTIONS(DALEMBERT_ROW)
#undef DALEMBERT_ROW
  return names;
}

}  // namespace dalembert
