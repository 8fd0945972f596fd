#pragma once

#include <vector>

#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// Numbers for all symbols that some expressions contain: a state without anything special, within
/// the known signs. `number` tells one sample from another.
class NumericSample {
 public:
  NumericSample(const Vector& expressions, int number);

  /// Chooses the number of a symbol.
  void set(const Expr& symbol, double value);
  /// The values of expressions in these symbols, nan where one needs a linear solve or a table.
  std::vector<double> operator()(const Vector& expressions) const;

 private:
  GraphPointer graph_;
  Vector symbols_, values_;  // ascending by node
};

}  // namespace dalembert
