#include "page_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "app/terminal/verbosity.hpp"

namespace dalembert::app {

std::string wrapped(const std::string& text, const std::string& indent) {
  std::string result, line;
  std::string word;
  constexpr std::size_t usual = 100, least = 40;
  const std::size_t width =
      terminal_width() == 0 ? usual : std::clamp(terminal_width(), least, usual);
  const auto put_word = [&] {
    if (word.empty()) return;
    if (!line.empty() && indent.size() + line.size() + word.size() + 1 >= width) {
      result += indent + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    word.clear();
  };
  for (const char c : text) {
    if (c == ' ' || c == '\n') {
      put_word();
    } else {
      word += c;
    }
  }
  put_word();
  return result + (line.empty() ? "" : indent + line + "\n");
}

std::string heading(const std::string& title) { return "\n" + title + "\n"; }

std::string in_one_line(std::string text) {
  for (char& c : text)
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string row(const std::string& name, const std::string& value, const std::string& description) {
  std::string line = fmt::format("  {:<18} {}", name, value);
  if (!description.empty()) line = fmt::format("{:<46} {}", line, description);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace dalembert::app
