#include "dalembert/result/hdf5/existing_result.hpp"

#include <fmt/core.h>

#include <string>

#include "dalembert/study/run_result.hpp"
#include "handle.hpp"

namespace dalembert::study {

using namespace hdf5;

std::optional<ResultCost> cost_of_result(const std::filesystem::path& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  if (H5Fis_hdf5(path.c_str()) <= 0) return std::nullopt;
  const Handle file = open_file(path, false, false);
  if (H5Aexists(file, "dalembert") <= 0 || !exists(file, "runs")) return std::nullopt;
  ResultCost cost;
  for (int number = 1;; ++number) {
    const std::string name = fmt::format("runs/{:04}", number);
    if (!exists(file, name)) return cost;
    const Handle run = open_group(file, name);
    if (H5Aexists(run, "seconds") > 0) cost.seconds += read_number_attribute(run, "seconds");
    cost.is_complete =
        cost.is_complete && H5Aexists(run, "status") > 0 &&
        read_text_attribute(run, "status") != status_text(RunResult::Status::interrupted);
  }
}

}  // namespace dalembert::study
