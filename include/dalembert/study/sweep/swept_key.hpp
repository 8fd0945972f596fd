#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dalembert/document/node.hpp"

namespace dalembert::study {

/// A key of a study that takes one value after the other; the whole study is run for each.
struct SweptKey {
  std::string key;                   ///< dotted, as --set takes it: "method.0.stages"
  std::string name;                  ///< as tables, pictures and results show it: "stages"
  std::vector<DocumentNode> values;  ///< in the order of the runs
};

/// One of its values, for a run.
struct SweptValue {
  std::string name, text;             ///< as of SweptKey; the value as runs show it
  std::optional<double> number = {};  ///< value of a number or an expression of numbers
};

/// A value as runs show it.
SweptValue swept_value(const std::string& name, const DocumentNode& value);

}  // namespace dalembert::study
