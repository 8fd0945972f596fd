#pragma once

#include <filesystem>
#include <string_view>

#include "dalembert/error.hpp"

namespace dalembert::study {

/// Mark in the head of the pages that this program writes.
constexpr std::string_view page_mark = "<meta name=\"generator\" content=\"dalembert\">";

/// True if a file may be written over without asking: there is none, it is empty, it is no regular
/// file (a device is written to, not over), or it is an output of this program, which is told by
/// marks that JSON results, pages and pictures carry and by the first column of CSV results. The
/// HDF5 results are known to `cost_of_result`. OutputError where reading it fails.
bool is_own_output(const std::filesystem::path& path);

/// Writes into a finished picture, in a place that viewers skip, that this program made it.
/// OutputError if that cannot be written. A file that is no regular one is left as it is.
void mark_picture(const std::filesystem::path& path);

/// The file that a path leads to: what a symbolic link points at, also if that is not there yet.
std::filesystem::path behind_links(const std::filesystem::path& path);

}  // namespace dalembert::study
