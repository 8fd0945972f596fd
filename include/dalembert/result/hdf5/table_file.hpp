#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "dalembert/result/labelled_table.hpp"
#include "dalembert/study/run_plan.hpp"
#include "dalembert/study/study_file.hpp"

namespace dalembert::study {

/// Table of a run, or of all runs together, for a file.
struct RunTable {
  const RunPlan* plan;                      ///< nullptr of all
  const LabelledTable& table;               ///< must outlive this
  std::string status = "ok", message = {};  ///< outcome_word of the run; a sentence when it failed
  std::uint64_t steps = 0;                  ///< completed
};

/// Writes an HDF5 file with the study, the name of what analysed its runs and, in the group of each
/// run, its table with dimension scales, which xarray and readers of netCDF open; a table of all
/// runs in a group with the name of the analysis. The file appears whole or not at all. OutputError
/// where it cannot be written, also where HDF5 is missing.
void write_table_file(const std::filesystem::path& path, const Study& study,
                      const std::string& analysis, const std::vector<RunTable>& runs);

/// Writes an HDF5 file with the table of an analysis that had no study; whole or not at all, as
/// above.
void write_table_file(const std::filesystem::path& path, const std::string& analysis,
                      const LabelledTable& table);

/// OutputError, before anything is computed, where no such file can be written.
void check_table_file(const std::filesystem::path& path);

}  // namespace dalembert::study
