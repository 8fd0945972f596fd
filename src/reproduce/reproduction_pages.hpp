#pragma once

#include <filesystem>
#include <vector>

#include "dalembert/claims/paper_file.hpp"
#include "reproduce/reproduce.hpp"

namespace dalembert::reproduce {

/// Writes index.html, a page per paper, and the pictures with their data as SVG and CSV.
/// OutputError where that fails.
void write_reproduction(const std::filesystem::path& directory,
                        const std::vector<Reproduced>& results, const study::ClaimLibrary& library,
                        bool quick);

}  // namespace dalembert::reproduce
