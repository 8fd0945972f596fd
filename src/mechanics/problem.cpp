#include "dalembert/mechanics/problem.hpp"

#include <algorithm>

#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"

namespace dalembert {

const Start& Problem::start(std::string_view name) const {
  if (name.empty() && !starts.empty()) return starts.front();
  const auto found = std::ranges::find(starts, name, &Start::name);
  if (!name.empty() && found != starts.end()) return *found;
  throw RequestError("problem \"" + system.name() + "\" has no start" +
                     (name.empty() ? "" : " \"" + std::string(name) + "\"") +
                     suggestion(name, start_names()));
}

std::vector<std::string> Problem::start_names() const {
  std::vector<std::string> names;
  for (const Start& start : starts) names.push_back(start.name);
  return names;
}

}  // namespace dalembert
