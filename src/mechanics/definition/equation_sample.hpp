#pragma once
// Places at which equations are looked at in numbers. Only for the sources of this room.

#include <span>
#include <vector>

#include "dalembert/mechanics/system.hpp"

namespace dalembert {

/// The symbols of equations with values: parameters as given or by default, all else numbers below
/// one without a meaning, others for each number.
struct EquationSample {
  static constexpr int count = 3;

  Vector symbols;
  std::vector<double> values;

  EquationSample(const SystemDescription& description, const Symbols& all,
                 std::span<const double> parameters, int number);

  void set(const Expr& symbol, double value);
  double operator()(const Expr& expression) const;
};

}  // namespace dalembert
