#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "dalembert/error.hpp"

namespace dalembert::study {

// Tables of numbers with a line of names first, as `--csv` writes them: cells between commas,
// blanks and double quotes around them allowed, lines that end in LF or CR LF. What is refused is a
// RequestError whose sentence names the file, and the line and the column where there are some: no
// such file, a column that is missing or there twice, lines with more or fewer cells than names,
// cells of the wanted columns that are no finite numbers, more than 10 million rows.

/// The names of the columns.
std::vector<std::string> csv_column_names(const std::filesystem::path& path);

/// The columns of these names, each an entry per row, to the last bit of what is written. Cells of
/// other columns are not looked at. RequestError also where there are no rows.
std::vector<std::vector<double>> read_columns(const std::filesystem::path& path,
                                              const std::vector<std::string>& names);

/// Reads the columns row after row: calls `take` with the number of the row, from 0, and its cells
/// in the order of `names`, until it returns false. Returns the number of rows taken.
std::size_t read_rows(const std::filesystem::path& path, const std::vector<std::string>& names,
                      const std::function<bool(std::size_t, std::span<const double>)>& take);

}  // namespace dalembert::study
