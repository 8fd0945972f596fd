#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace dalembert::study {

/// Cost of the result in an HDF5 file.
struct ResultCost {
  double seconds = 0.0;     ///< of all runs that ended or were interrupted
  bool is_complete = true;  ///< no run waits for `resume`
};

/// Nothing if the file is no result of this program. OutputError if it is one that cannot be read.
std::optional<ResultCost> cost_of_result(const std::filesystem::path& path);

/// Reason why a file should not be replaced by a result without being asked.
struct ReasonToKeep {
  std::string what;             ///< "exists and is no result of dalembert"
  bool can_be_resumed = false;  ///< runs of the result wait for `resume`
};

/// A computation that took longer, in seconds, is not thrown away without being asked.
inline constexpr double long_computation = 60.0;

/// Nothing if there is no file, an empty one, or a result that was computed quickly.
std::optional<ReasonToKeep> reason_to_keep(const std::filesystem::path& path);

}  // namespace dalembert::study
