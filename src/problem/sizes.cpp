#include "dalembert/problem/sizes.hpp"

#include <string>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::study {

Sizes complete_sizes(const ProblemFile& problem, const Sizes& chosen) {
  Sizes sizes;
  std::vector<std::string> names;
  for (const SizeEntry& size : problem.sizes) {
    names.push_back(size.name);
    const auto given = chosen.find(size.name);
    const long value = given == chosen.end() ? size.value : given->second;
    if (value < size.min || value > size.max) {
      throw RequestError("the size \"" + size.name + "\" of problem \"" + problem.name + "\" is " +
                         std::to_string(value) + "; it must be in [" + std::to_string(size.min) +
                         ", " + std::to_string(size.max) + "]");
    }
    sizes[size.name] = value;
  }
  for (const auto& [name, value] : chosen) {
    if (!sizes.contains(name)) {
      throw RequestError("problem \"" + problem.name + "\" has no size \"" + name + "\"" +
                         suggestion(name, names));
    }
  }
  return sizes;
}

}  // namespace dalembert::study
