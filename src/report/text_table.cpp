#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "dalembert/numeric/extremes.hpp"

namespace dalembert::study {

std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t text_columns) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max<std::size_t>(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = numeric::larger(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_text = i < text_columns || i + 1 == row.size();
      line += is_text ? fmt::format("{:<{}}  ", row[i], widths[i])
                      : fmt::format("{:>{}}  ", row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string aligned_within(std::size_t width, const std::vector<std::vector<std::string>>& rows,
                           std::size_t text_columns) {
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  if (width == 0 || columns <= text_columns) return aligned(rows, text_columns);
  std::vector<std::size_t> widths(columns, 0);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < numeric::smaller(columns, row.size()); ++i)
      widths[i] = std::max<std::size_t>(widths[i], row[i].size() + 2);
  const std::size_t head = std::accumulate(
      widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(text_columns), std::size_t{0});
  std::string text;
  for (std::size_t first = text_columns; first < columns;) {
    std::size_t last = first + 1, used = head + widths[first];
    while (last < columns && used + widths[last] <= width + 2) used += widths[last++];
    std::vector<std::vector<std::string>> part;
    for (const auto& row : rows) {
      part.emplace_back(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(text_columns));
      for (std::size_t i = first; i < numeric::smaller(last, row.size()); ++i)
        part.back().push_back(row[i]);
      // Only the last column of all is text.
      if (last < columns) part.back().emplace_back();
    }
    text += (text.empty() ? "" : "\n") + aligned(part, text_columns);
    first = last;
  }
  return text;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace dalembert::study
