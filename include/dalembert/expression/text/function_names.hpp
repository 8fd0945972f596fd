#pragma once

#include <string>
#include <vector>

namespace dalembert {

/// Names of the functions that every text may call.
std::vector<std::string> function_names();

}  // namespace dalembert
