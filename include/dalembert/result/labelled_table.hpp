#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dalembert::study {

/// Numbers, texts or whole numbers along named dimensions, the last varying fastest.
struct LabelledArray {
  std::string name, description;        ///< a word, and a phrase for readers of files
  std::vector<std::string> dimensions;  ///< none of a single value
  /// As many entries as the product of the sizes of its dimensions.
  std::variant<std::vector<double>, std::vector<std::string>, std::vector<std::int64_t>> values;
  std::string units = {};       ///< "" where unknown
  std::string plural = {};      ///< its name where all of it stands under it, if another
  bool is_truth_value = false;  ///< of whole numbers: 0 and 1 are false and true
};

/// Arrays that share dimensions, as a Dataset of xarray.
struct LabelledTable {
  /// A dimension that arrays of the table may have.
  struct Dimension {
    std::string name;  ///< as arrays name it
    std::size_t size;  ///< number of entries
    /// The names of its entries where these are parts of one thing, as a value and its bounds.
    std::vector<std::string> parts = {};
  };
  std::vector<Dimension> dimensions;  ///< of all arrays
  /// Arrays along a dimension, under its name, or values that are the same everywhere.
  std::vector<LabelledArray> coordinates;
  std::vector<LabelledArray> variables;  ///< the results

  /// The numbers of a coordinate or a variable. std::out_of_range where there is none of that name,
  /// std::bad_variant_access where it holds no numbers.
  const std::vector<double>& numbers(const std::string& name) const {
    return std::get<std::vector<double>>(array(name).values);
  }
  /// The texts of a coordinate or a variable. Throws as `numbers`.
  const std::vector<std::string>& texts(const std::string& name) const {
    return std::get<std::vector<std::string>>(array(name).values);
  }
  /// A coordinate or a variable by its name; std::out_of_range where there is none.
  const LabelledArray& array(const std::string& name) const {
    for (const std::vector<LabelledArray>* arrays : {&coordinates, &variables})
      for (const LabelledArray& known : *arrays)
        if (known.name == name) return known;
    throw std::out_of_range("no array " + name);
  }
  /// The entries along t of a variable at one place of its other dimensions, of which there are
  /// `places`.
  std::vector<double> along_time(const std::string& name, std::size_t place,
                                 std::size_t places) const {
    const std::vector<double>& values = numbers(name);
    std::vector<double> result;
    for (std::size_t i = place; i < values.size(); i += places) result.push_back(values[i]);
    return result;
  }
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
