#pragma once
// Views of findings, the same for all analyses of single runs.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "dalembert/analysis/analysis.hpp"
#include "dalembert/analysis/finding.hpp"
#include "dalembert/picture/picture.hpp"
#include "dalembert/result/hdf5/table_file.hpp"

namespace dalembert::study {

/// Runs with what was found of each.
struct Findings {
  std::vector<RunPlan> plans = {};        ///< analysed runs
  std::vector<Finding> findings = {};     ///< one for each plan
  std::vector<std::string> refused = {};  ///< sentences on runs that cannot be analysed
};

/// The lines of a picture of a run, from the table that was found of it.
using LinesOfRun =
    std::function<std::vector<FoundLine>(const RunPlan& plan, const LabelledTable& table)>;

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
Picture picture_of(const LinesOfRun& lines, const std::string& title, const Findings& found);

/// All of these, and the sentences of runs that failed or were refused.
AnalysisReport report_of(const std::string& title, Findings found, const LinesOfRun& lines = {});

}  // namespace dalembert::study
