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

/// Values of keys "page.key", with the options that gave them as their places.
using OptionValues = std::vector<std::pair<std::string, study::DocumentNode>>;

/// "--half-width" for half_width.
std::string option_of(const OptionInfo& key);

/// Adds the option of a key of a page. What is given is a value of the key, with the option as its
/// place: it is neither printed nor read again, and complaints name the option.
void add_key_option(CLI::App& command, const study::PageInfo& page, const OptionInfo& key,
                    OptionValues& values);
/// Adds the options of all its keys.
void add_page_options(CLI::App& command, const study::PageInfo& page, OptionValues& values);

}  // namespace dalembert::app
