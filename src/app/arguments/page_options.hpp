#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dalembert/document/node.hpp"
#include "dalembert/study/page/page.hpp"

namespace CLI {
class App;
}

namespace dalembert::app {

/// Adds an option for each key of a page, which must outlive the command. What is given is a value
/// of the key "page.key", with the option as its place: it is neither printed nor read again, and
/// complaints name the option.
void add_page_options(CLI::App& command, const study::PageInfo& page,
                      std::vector<std::pair<std::string, study::DocumentNode>>& values);

/// The words of a list, "x, y" as two; a comma within parentheses or brackets separates nothing.
std::vector<std::string> words_of(const std::vector<std::string>& texts);

/// These as a list that an option gave.
study::DocumentNode list_of_words(const std::vector<std::string>& texts, const std::string& option);

}  // namespace dalembert::app
