#include "dalembert/document/csv_columns.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>

#include "dalembert/expression/text/nearest_name.hpp"

namespace dalembert::study {
namespace {

constexpr std::size_t most_csv_rows = 10'000'000;
constexpr std::size_t most_csv_line = 16'000'000;  ///< bytes: what has no lines is no table

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// For sentences: what stands in a cell, if it is short.
std::string quoted_cell(std::string_view cell) {
  constexpr std::size_t most = 40;
  if (cell.empty()) return "empty";
  return "\"" + std::string(cell.substr(0, most)) + (cell.size() > most ? "..." : "") + "\"";
}

/// The lines of a file, one after the other.
class CsvLines {
 public:
  explicit CsvLines(const std::filesystem::path& path)
      : name_(path.string()), file_(path, std::ios::binary) {
    std::error_code ignored;
    const bool is_there = std::filesystem::exists(path, ignored);
    if (!file_ || !std::filesystem::is_regular_file(path, ignored)) {
      throw RequestError("cannot read \"" + name_ +
                         "\": " + (is_there ? "it is no readable file" : "there is no such file"));
    }
    if (!next() || is_blank())
      refuse_file("there is no line of names of columns, such as \"t,x,x_dot\"");
    for (const std::string_view cell : cells()) names_.emplace_back(cell);
  }

  const std::vector<std::string>& names() const { return names_; }

  /// Goes to the next line; false at the end.
  bool next() {
    line_.clear();
    for (char byte = 0; file_.get(byte) && byte != '\n'; line_ += byte)
      if (line_.size() == most_csv_line) refuse("is too long; this is no table of numbers");
    if (file_.bad()) throw OutputError("cannot read \"" + name_ + "\" to its end");
    if (line_.empty() && file_.eof()) return false;
    ++number_;
    if (line_.ends_with('\r')) line_.pop_back();
    if (number_ == 1 && line_.starts_with("\xef\xbb\xbf")) line_.erase(0, 3);
    split();
    return true;
  }

  /// Whether nothing but blank lines is left, this one included.
  bool is_end() {
    while (is_blank()) {
      if (!next()) return true;
    }
    return false;
  }

  bool is_blank() const { return without_blanks(line_).empty(); }
  const std::vector<std::string_view>& cells() const { return cells_; }

  [[noreturn]] void refuse(const std::string& problem) const {
    throw RequestError(name_ + ":" + std::to_string(number_), "the line " + problem);
  }
  [[noreturn]] void refuse_column(const std::string& column, const std::string& problem) const {
    throw RequestError(name_ + ":" + std::to_string(number_),
                       "column \"" + column + "\" " + problem);
  }
  [[noreturn]] void refuse_file(const std::string& problem) const {
    throw RequestError(name_, problem);
  }

 private:
  void split() {
    cells_.clear();
    const std::string_view line = line_;
    for (std::size_t begin = 0; begin <= line.size();) {
      std::size_t end = line.find(',', begin);
      std::string_view cell = without_blanks(line.substr(begin, end - begin));
      if (cell.starts_with('"')) {
        const std::size_t open = line.find('"', begin);
        const std::size_t close = line.find('"', open + 1);
        if (close == std::string_view::npos) refuse("has a quote that does not end");
        cell = line.substr(open + 1, close - open - 1);
        end = line.find(',', close);
      }
      cells_.push_back(cell);
      if (end == std::string_view::npos) return;
      begin = end + 1;
    }
  }

  std::string name_;
  std::ifstream file_;
  std::string line_ = {};
  std::vector<std::string_view> cells_ = {};
  std::vector<std::string> names_ = {};
  std::size_t number_ = 0;
};

/// Where the wanted columns stand.
std::vector<std::size_t> places_of(const CsvLines& lines, const std::vector<std::string>& names) {
  std::vector<std::size_t> places;
  for (const std::string& name : names) {
    const auto& known = lines.names();
    const auto found = std::ranges::find(known, name);
    if (found == known.end())
      lines.refuse_file("there is no column \"" + name + "\"" + suggestion(name, known));
    if (std::find(found + 1, known.end(), name) != known.end())
      lines.refuse_file("there are two columns \"" + name + "\"");
    places.push_back(static_cast<std::size_t>(found - known.begin()));
  }
  return places;
}

double number_of(const CsvLines& lines, std::size_t place) {
  std::string_view cell = lines.cells()[place];
  const bool has_plus = cell.starts_with('+') && !cell.starts_with("+-");
  const std::string_view digits = cell.substr(has_plus ? 1 : 0);
  double value = 0.0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc::result_out_of_range && stop == end)
    lines.refuse_column(lines.names()[place], "is " + quoted_cell(cell) +
                                                  ", which is beyond the range of numbers of "
                                                  "double precision");
  if (error != std::errc{} || stop != end || !std::isfinite(value))
    lines.refuse_column(lines.names()[place],
                        "is " + quoted_cell(cell) + "; it must be a finite number");
  return value;
}

}  // namespace

std::vector<std::string> csv_column_names(const std::filesystem::path& path) {
  return CsvLines(path).names();
}

std::size_t read_rows(const std::filesystem::path& path, const std::vector<std::string>& names,
                      const std::function<bool(std::size_t, std::span<const double>)>& take) {
  CsvLines lines(path);
  const std::vector<std::size_t> places = places_of(lines, names);
  std::vector<double> row(names.size());
  std::size_t count = 0;
  while (lines.next()) {
    if (lines.is_blank()) {
      if (lines.is_end()) return count;
      lines.refuse("follows a blank one; only the end may be blank");
    }
    const std::size_t cells = lines.cells().size();
    if (cells != lines.names().size()) {
      lines.refuse("has " + std::to_string(cells) + (cells == 1 ? " cell" : " cells") +
                   "; there are " + std::to_string(lines.names().size()) + " columns");
    }
    if (count == most_csv_rows)
      lines.refuse_file("there are more than " + std::to_string(most_csv_rows) + " rows");
    for (std::size_t i = 0; i < places.size(); ++i) row[i] = number_of(lines, places[i]);
    if (!take(count++, row)) return count;
  }
  return count;
}

std::vector<std::vector<double>> read_columns(const std::filesystem::path& path,
                                              const std::vector<std::string>& names) {
  std::vector<std::vector<double>> columns(names.size());
  const std::size_t count = read_rows(path, names, [&](std::size_t, std::span<const double> row) {
    for (std::size_t i = 0; i < row.size(); ++i) columns[i].push_back(row[i]);
    return true;
  });
  if (count == 0) throw RequestError(path.string(), "there are no rows of numbers");
  return columns;
}

}  // namespace dalembert::study
