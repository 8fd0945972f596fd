#include "dalembert/result/hdf5/existing_result.hpp"

#include <fmt/core.h>

#include <string>

#include "dalembert/study/run_result.hpp"
#include "result/hdf5/access/attribute.hpp"
#include "result/hdf5/access/handle.hpp"
#include "result_file.hpp"

namespace dalembert::study {

using namespace hdf5;

namespace {

ResultCost cost_of_runs(hid_t file) {
  ResultCost cost;
  for (int number = 1;; ++number) {
    const std::string name = fmt::format("runs/{:04}", number);
    if (!exists(file, name)) return cost;
    const Handle run = open_group(file, name);
    if (has_attribute(run, "seconds")) cost.seconds += read_number_attribute(run, "seconds");
    cost.is_complete = cost.is_complete && has_attribute(run, "status") &&
                       read_status(run) != RunResult::Status::interrupted;
  }
}

}  // namespace

std::optional<ResultCost> cost_of_result(const std::filesystem::path& path) {
  if (!is_hdf5(path)) return std::nullopt;
  std::optional<ResultCost> cost;
  read_file(path, [&](hid_t file) {
    if (has_attribute(file, "dalembert") && exists(file, "runs")) cost = cost_of_runs(file);
  });
  return cost;
}

namespace {

std::string duration(double seconds) {
  if (seconds < 2.0 * 60.0) return fmt::format("{:.0f} seconds", seconds);
  if (seconds < 2.0 * 3600.0) return fmt::format("{:.0f} minutes", seconds / 60.0);
  return fmt::format("{:.1f} hours", seconds / 3600.0);
}

}  // namespace

std::optional<ReasonToKeep> reason_to_keep(const std::filesystem::path& path) {
  std::error_code error;
  const bool is_there =
      std::filesystem::is_regular_file(path, error) && std::filesystem::file_size(path, error) > 0;
  if (!is_there) return std::nullopt;
  const std::optional<ResultCost> cost = cost_of_result(path);
  if (!cost) return ReasonToKeep{.what = "exists and is no result of dalembert"};
  if (cost->seconds <= long_computation) return std::nullopt;
  return ReasonToKeep{.what = "holds a result that took " + duration(cost->seconds) + " to compute",
                      .can_be_resumed = !cost->is_complete};
}

}  // namespace dalembert::study
