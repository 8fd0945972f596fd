#pragma once
// Where a run stands in a result file. Only for the sources of this room.

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dalembert/study/run_plan.hpp"

namespace dalembert::study {

/// One data set of a run: some columns of its records.
struct RecordPart {
  std::string path, description;
  std::size_t begin, count;
  bool is_column;  ///< a plain column, not a table
};

/// The data sets of the records of a run.
std::vector<RecordPart> record_parts(const RecordColumns& columns);

/// The data sets whose second dimension has names, and the data set with these names.
inline constexpr std::array<std::pair<std::string_view, const char*>, 3> dimensions_of_columns{
    {{"q", "position"}, {"v", "velocity"}, {"lambda", "multiplier"}}};

/// The units of some columns, "" where unknown.
std::vector<std::string> units_of(const RecordColumns& columns, std::size_t begin,
                                  std::size_t count);
/// The units of the columns of a section.
std::vector<std::string> section_units(const RecordColumns& columns);

/// The columns of a section's table.
std::vector<std::string> section_columns(const RunPlan& plan);

}  // namespace dalembert::study
