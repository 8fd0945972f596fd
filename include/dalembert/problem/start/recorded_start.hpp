#pragma once

#include <filesystem>
#include <optional>

#include "dalembert/document/node.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"

namespace dalembert::study {

/// A table [initial] that took its state from a file, with the state in place of the file.
struct RecordedStart {
  DocumentNode table;          ///< with q and v instead of csv, row and time
  std::filesystem::path file;  ///< file that was read
};

/// The state that the keys `csv` and `row` or `time` of a table [initial] name, in a file with the
/// columns that `CsvSink` writes. Names that are `free` may be missing there; multipliers are taken
/// where all of them are there and the state is not to be moved. Nothing without the
/// key csv. RequestError with the place for a file, a row or a column that is not there, for keys
/// that give a state, too, and for a state of t > 0 of a system that depends on time. `sizes` are
/// those that a study chooses, paths are relative to `base`.
std::optional<RecordedStart> read_recorded_start(const ProblemFile& problem, const Sizes& sizes,
                                                 const DocumentNode& table,
                                                 const std::filesystem::path& base);

}  // namespace dalembert::study
