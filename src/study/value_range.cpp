#include "dalembert/study/value_range.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "dalembert/expression/limits.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/numeric/elementary.hpp"
#include "dalembert/problem/expressions.hpp"

namespace dalembert::study {
namespace {

struct ValueRange {
  double from, to;
  std::int64_t count;
  bool is_logarithmic;

  double value(std::int64_t i) const {
    if (i == 0) return from;
    if (i == count - 1) return to;  // as it was written, without round-off
    const double part = static_cast<double>(i) / static_cast<double>(count - 1);
    return is_logarithmic ? from * numeric::pow(to / from, part) : from + part * (to - from);
  }
};

/// Every value makes a run.
std::int64_t most_values() {
  return static_cast<std::int64_t>(std::max<std::size_t>(2, limits().runs));
}

ValueRange read_value_range(const DocumentNode& node) {
  TableReader table(node);
  ValueRange range{parse_constant(table.require("from")), parse_constant(table.require("to")),
                   as_whole(table.require("count"), 2, most_values()), false};
  const std::string spacing = table.text("spacing", "linear");
  if (spacing != "linear" && spacing != "logarithmic")
    node.find("spacing")->refuse("is \"" + spacing +
                                 "\"; it must be \"linear\" or \"logarithmic\"");
  range.is_logarithmic = spacing == "logarithmic";
  table.finish();
  if (range.is_logarithmic && !(range.from * range.to > 0.0)) {
    node.refuse("goes from " + to_string(range.from) + " to " + to_string(range.to) +
                "; a logarithmic range needs two ends of the same sign");
  }
  return range;
}

}  // namespace

std::vector<DocumentNode> as_values(const DocumentNode& node) {
  if (!node.is_table()) return as_list(node);
  const ValueRange range = read_value_range(node);
  std::vector<DocumentNode> values;
  for (std::int64_t i = 0; i < range.count; ++i)
    values.push_back({range.value(i), node.place, node.key});
  return values;
}

}  // namespace dalembert::study
