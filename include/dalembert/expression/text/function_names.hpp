#pragma once

#include <string>
#include <vector>

namespace dalembert {

/// The functions that every text may call.
std::vector<std::string> function_names();

}  // namespace dalembert
