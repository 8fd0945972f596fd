#pragma once

#include <filesystem>
#include <optional>

namespace dalembert::study {

/// What it took to compute the result in an HDF5 file.
struct ResultCost {
  double seconds = 0.0;     ///< of all runs that ended or were interrupted
  bool is_complete = true;  ///< no run waits for `resume`
};

/// Nothing if the file is no result of this program. OutputError if it is one that cannot be read.
std::optional<ResultCost> cost_of_result(const std::filesystem::path& path);

}  // namespace dalembert::study
