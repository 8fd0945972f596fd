#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

/// The parts of a text between separators, one more than there are of these; they may be empty.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace dalembert
