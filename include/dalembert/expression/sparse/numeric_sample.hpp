#pragma once

#include <vector>

#include "dalembert/expression/tape/compiled_function.hpp"
#include "dalembert/expression/vector.hpp"

namespace dalembert {

/// Values of expressions where all their symbols have numbers: states without anything special,
/// within the known signs.
class NumericSample {
 public:
  explicit NumericSample(const Vector& expressions);

  /// Other numbers for all symbols; `number` tells one sample from another.
  void choose(int number);
  /// Chooses the number of a symbol.
  void set(const Expr& symbol, double value);
  /// The values of the expressions.
  std::vector<double> operator()();

 private:
  Vector symbols_;  // ascending by node
  std::vector<double> values_;
  CompiledFunction function_;
};

}  // namespace dalembert
