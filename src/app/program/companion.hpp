#pragma once

#include <string>

namespace dalembert::app {

/// Becomes another program of this project, which lies beside this one or on the PATH, with these
/// words up to a null pointer. Returns only by OutputError, where there is no such program.
[[noreturn]] void start_companion(const std::string& name, char* const* words);

}  // namespace dalembert::app
