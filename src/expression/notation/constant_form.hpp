#pragma once
// How constants are written. Only for the notations.

#include <cstdint>
#include <string>

#include "dalembert/expression/constant.hpp"

namespace dalembert {

/// The size of a constant as over/under times a number with decimals, times pi. The decimals are
/// empty where the constant is a quotient of small whole numbers, or that times pi.
struct ConstantForm {
  bool negative = false;
  std::int64_t over = 1, under = 1;
  bool has_pi = false;
  std::string decimals = {};
};

/// A constant other than zero keeps its value, to the digits that a double has; a quotient and a
/// multiple of pi are exactly those of the constant's 106 bits.
ConstantForm form_of_constant(Constant value);

}  // namespace dalembert
