#pragma once
// The layout of the pages that `describe` prints.

#include <string>
#include <vector>

namespace dalembert::app {

/// Text broken at blanks so that lines fit a terminal, or 100 characters, each after `indent`.
std::string wrapped(const std::string& text, const std::string& indent);
/// A title after an empty line.
std::string heading(const std::string& title);
/// Text with blanks for line ends and other control characters, as a comment in a program needs it.
std::string in_one_line(std::string text);
/// The words with commas between them.
std::string joined(const std::vector<std::string>& words);

/// A line of a list: a name, its value, and in a third column what it is.
std::string row(const std::string& name, const std::string& value,
                const std::string& description = "");

}  // namespace dalembert::app
