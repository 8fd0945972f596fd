#pragma once
// Decimals in two parts. Only for the notations.

#include <string>

namespace dalembert {

/// "1.5e-10" is 1.5 and -10; without an exponent that is "".
struct Scientific {
  std::string mantissa, exponent;
};

Scientific scientific(const std::string& decimals);

}  // namespace dalembert
