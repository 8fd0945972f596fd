#pragma once

#include <filesystem>
#include <string>

#include "dalembert/error.hpp"

namespace dalembert::study {

/// All bytes of a file. OutputError where it cannot be read, also where that goes wrong on the way.
std::string file_text(const std::filesystem::path& path);

}  // namespace dalembert::study
