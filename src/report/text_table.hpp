#pragma once
// Tables for terminals and files, of the reports and of the program.

#include <cstddef>
#include <string>
#include <vector>

namespace dalembert::study {

/// Rows of cells in columns as wide as they need, separated by two blanks: text, to the left, in
/// the first `text_columns` and in the last, else numbers, to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows,
                    std::size_t text_columns = static_cast<std::size_t>(-1));

/// The same in lines of at most `width` characters where that is possible: columns that have no
/// room follow in further tables, each of which begins with the first `text_columns`. No limit if
/// 0.
std::string aligned_within(std::size_t width, const std::vector<std::vector<std::string>>& rows,
                           std::size_t text_columns);

/// A cell as CSV has it: quoted where it has a comma, quotes or more than one line.
std::string csv_cell(const std::string& text);

}  // namespace dalembert::study
