#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dalembert::study {

/// Numbers or texts along named dimensions, the last varying fastest.
struct LabelledArray {
  std::string name, description;
  std::vector<std::string> dimensions;  ///< none of a single value
  std::variant<std::vector<double>, std::vector<std::string>> values;
  std::string units = {};
};

/// Arrays that share dimensions, as a Dataset of xarray.
struct LabelledTable {
  struct Dimension {
    std::string name;
    std::size_t size;
  };
  std::vector<Dimension> dimensions;
  /// What stands along a dimension, under its name, or is the same everywhere.
  std::vector<LabelledArray> coordinates;
  std::vector<LabelledArray> variables;

  /// The size of a dimension, 0 where there is none of that name.
  std::size_t size_of(const std::string& dimension) const {
    for (const Dimension& known : dimensions)
      if (known.name == dimension) return known.size;
    return 0;
  }
};

}  // namespace dalembert::study
