#include "dalembert/document/own_output.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

#include "dalembert/document/file_text.hpp"

namespace dalembert::study {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view comment_in_svg = "<!-- dalembert picture -->\n";
constexpr std::string_view comment_in_pdf = "% dalembert picture\n";
// A chunk of text: its length, its kind, keyword and text, and their check sum (ISO 3309).
constexpr std::string_view chunk_of_png{
    "\x00\x00\x00\x1atEXtSoftware\0dalembert picture\x40\x9b\xfb\x5a", 38};
constexpr std::size_t last_chunk_of_png = 12;  // bytes
// A comment extension: its length, its text, and its end (GIF 89a).
constexpr std::string_view comment_in_gif{
    "\x21\xfe\x11"
    "dalembert picture\0",
    21};

/// Where JSON results begin, and what SVG pictures of version 0.1 say.
constexpr std::array marks_at_the_beginning{std::string_view("{\n  \"dalembert\": \""), page_mark,
                                            std::string_view("<desc>Produced by GNUPLOT")};
constexpr std::array marks_at_the_end{
    std::string_view("<!-- dalembert picture -->"), std::string_view("% dalembert picture"),
    std::string_view("dalembert picture\x40\x9b\xfb\x5a"), comment_in_gif.substr(0, 20)};
constexpr std::array first_columns{
    std::string_view("t,"),           std::string_view("member,failed_in_step"),
    std::string_view("method,step,"), std::string_view("run,t,"),
    std::string_view("run,method,"),  std::string_view("method,problem,property,")};
/// What the first line of roots ends with, behind a parameter.
constexpr std::string_view columns_of_roots = "real,imaginary,stability\n";

constexpr std::size_t looked_at = 1024;  // bytes at either end

std::string bytes_of(std::ifstream& file, const fs::path& path, std::uintmax_t from) {
  std::array<char, looked_at> buffer;
  file.clear();
  file.seekg(static_cast<std::streamoff>(from));
  file.read(buffer.data(), buffer.size());
  if (file.bad()) throw OutputError("cannot read \"" + path.string() + "\"");
  return {buffer.data(), static_cast<std::size_t>(file.gcount())};
}

template <class Marks>
bool holds_one_of(const std::string& text, const Marks& marks) {
  return std::any_of(marks.begin(), marks.end(),
                     [&](std::string_view mark) { return text.find(mark) != std::string::npos; });
}

}  // namespace

bool is_own_output(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return true;
  const std::uintmax_t size = fs::file_size(path, ignored);
  if (size == 0) return true;
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  const std::string begin = bytes_of(file, path, 0);
  if (path.extension() == ".csv")
    return std::any_of(first_columns.begin(), first_columns.end(),
                       [&](std::string_view columns) { return begin.starts_with(columns); }) ||
           begin.substr(0, begin.find('\n') + 1).ends_with(columns_of_roots);
  return holds_one_of(begin, marks_at_the_beginning) ||
         holds_one_of(bytes_of(file, path, size - std::min<std::uintmax_t>(size, looked_at)),
                      marks_at_the_end);
}

void mark_picture(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return;
  std::ofstream file(path, std::ios::binary | std::ios::in | std::ios::ate);
  if (path.extension() == ".png") {
    const std::string text = file_text(path);
    if (text.size() < last_chunk_of_png) return;
    file.seekp(-static_cast<std::streamoff>(last_chunk_of_png), std::ios::end);
    file << chunk_of_png << text.substr(text.size() - last_chunk_of_png);
  } else if (path.extension() == ".gif") {
    file.seekp(-1, std::ios::end);
    file << comment_in_gif << ';';
  } else {
    file << (path.extension() == ".svg" ? comment_in_svg : comment_in_pdf);
  }
  file.close();
  if (!file) throw OutputError("cannot write \"" + path.string() + "\" (is the disk full?)");
}

fs::path behind_links(const fs::path& path) {
  constexpr int most_links = 40;  // as the system itself
  fs::path place = path;
  std::error_code error;
  for (int i = 0; i < most_links && fs::is_symlink(place, error); ++i) {
    const fs::path target = fs::read_symlink(place, error);
    if (error) break;
    place = target.is_absolute() ? target : place.parent_path() / target;
  }
  return place;
}

}  // namespace dalembert::study
