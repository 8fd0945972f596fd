#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "dalembert/error.hpp"

namespace dalembert::study {

/// All bytes of a file, or the first `most` of them. OutputError where it cannot be read to its end
/// and for devices, which may have none.
std::string file_text(const std::filesystem::path& path, std::size_t most = SIZE_MAX);

}  // namespace dalembert::study
