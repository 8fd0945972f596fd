#include "dalembert/run/solution.hpp"

#include <algorithm>

#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"

namespace dalembert {

std::span<const double> Solution::row(const Rows& rows, std::size_t i) const {
  if (i >= size()) {
    throw RequestError("a solution of " + std::to_string(size()) + " records has no record " +
                       std::to_string(i) + "; they are counted from 0");
  }
  const std::size_t width = rows.names.size();
  return std::span(rows.values).subspan(i * width, width);
}

std::vector<std::string> Solution::names() const {
  std::vector<std::string> all{"t"};
  for (const Rows* rows : {&q_, &v_, &lambda_})
    all.insert(all.end(), rows->names.begin(), rows->names.end());
  all.insert(all.end(), {"energy", "constraint"});
  all.insert(all.end(), integrals_.names.begin(), integrals_.names.end());
  return all;
}

std::vector<double> Solution::column(std::string_view name) const {
  if (name == "t") return times_;
  if (name == "energy") return energies_;
  if (name == "constraint") return constraint_errors_;
  for (const Rows* rows : {&q_, &v_, &lambda_, &integrals_}) {
    const auto found = std::ranges::find(rows->names, name);
    if (found == rows->names.end()) continue;
    const std::size_t width = rows->names.size();
    std::vector<double> values;
    for (auto i = static_cast<std::size_t>(found - rows->names.begin()); i < rows->values.size();
         i += width)
      values.push_back(rows->values[i]);
    return values;
  }
  for (std::size_t i = 0; i < lambda_.names.size(); ++i) {
    // A multiplier with a name is known by its number, too.
    if (name == "lambda_" + std::to_string(i + 1)) return column(lambda_.names[i]);
  }
  throw RequestError("a solution has no \"" + std::string(name) + "\"" + suggestion(name, names()));
}

}  // namespace dalembert
