#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dalembert::study {

/// Numbers, texts or whole numbers along named dimensions, the last varying fastest.
struct LabelledArray {
  std::string name, description;
  std::vector<std::string> dimensions;  ///< none of a single value
  std::variant<std::vector<double>, std::vector<std::string>, std::vector<std::int64_t>> values;
  std::string units = {};
  std::string plural = {};      ///< its name where all of it stands under it, if another
  bool is_truth_value = false;  ///< of whole numbers: 0 and 1 are false and true
};

/// Arrays that share dimensions, as a Dataset of xarray.
struct LabelledTable {
  struct Dimension {
    std::string name;
    std::size_t size;
    /// The names of its entries where these are parts of one thing, as a value and its bounds.
    std::vector<std::string> parts = {};
  };
  std::vector<Dimension> dimensions;
  /// What stands along a dimension, under its name, or is the same everywhere.
  std::vector<LabelledArray> coordinates;
  std::vector<LabelledArray> variables;

  /// A dimension by its name, or nullptr.
  const Dimension* find(const std::string& dimension) const {
    for (const Dimension& known : dimensions)
      if (known.name == dimension) return &known;
    return nullptr;
  }
  /// The size of a dimension, 0 where there is none of that name.
  std::size_t size_of(const std::string& dimension) const {
    const Dimension* known = find(dimension);
    return known == nullptr ? 0 : known->size;
  }
};

}  // namespace dalembert::study
