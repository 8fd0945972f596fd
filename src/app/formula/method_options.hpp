#pragma once
// What options of methods may be, in words.

#include <string>

#include "dalembert/method/library.hpp"

namespace dalembert::app {

/// "number in [0, 1]", "one of a, b".
std::string option_range(const OptionInfo& option);

}  // namespace dalembert::app
