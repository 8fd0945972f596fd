#pragma once
// The parts of a name. Only for the notations.

#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

/// A name in its parts: "theta_1_dot" is theta with the index 1 and a dot, "lambda0" has the index
/// 0, "R_dot[2]" the index 2 and a dot, "V''" two primes.
struct SymbolName {
  std::string base;
  std::vector<std::string> indices = {};
  int dots = 0, primes = 0;
};

/// A name of words, as "driver_energy", has no indices.
SymbolName read_symbol_name(std::string_view name);

}  // namespace dalembert
