#pragma once
// Views of findings, the same for all analyses.

#include <cstddef>
#include <string>
#include <vector>

#include "dalembert/analysis/analysis.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/result/hdf5/table_file.hpp"

namespace dalembert::study {

/// Their rows in columns, with headings. `width`: of the terminal, 0 without limit.
std::string text_of(const Findings& found, std::size_t width = 0);

/// All tables, an entry for each run.
std::string json_of(const Findings& found);

/// All tables, for an HDF5 file; they refer to what was found.
std::vector<RunTable> tables_of(const Findings& found);

/// Arrays along time: a line for each run and each place of the arrays with the most dimensions,
/// beside them those of fewer.
std::string csv_of(const Findings& found);

/// Lines against time.
Picture picture_of(const Analysis& analysis, const std::string& title, const Findings& found);

}  // namespace dalembert::study
