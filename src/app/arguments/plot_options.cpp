#include "plot_options.hpp"

#include <CLI/CLI.hpp>

#include "dalembert/document/node.hpp"
#include "dalembert/error.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "study/plot_request.hpp"

namespace dalembert::app {

using namespace study;

namespace {

/// Options that were added after the first so many say something about the file of --plot.
void need_plot(CLI::App& command, std::size_t first) {
  const std::vector<CLI::Option*> options = command.get_options();
  for (std::size_t i = first; i < options.size(); ++i)
    options[i]->needs(command.get_option("--plot"));
}

/// "0:10" as a list.
void add_range_option(CLI::App& command, const OptionInfo& key, OptionValues& values) {
  const Place place{option_of(key), 0};
  command.add_option_function<std::string>(
      place.file,
      [&values, name = "plot." + key.name, place](const std::string& text) {
        DocumentNode range{text, place};
        if (const std::size_t colon = text.find(':'); colon != std::string::npos)
          range.value =
              DocumentNode::Array{{text.substr(0, colon), place}, {text.substr(colon + 1), place}};
        values.emplace_back(name, std::move(range));
      },
      key.description);
}

/// Two expressions for each path.
void add_path_option(CLI::App& command, const OptionInfo& key, OptionValues& values) {
  using Paths = std::vector<std::pair<std::string, std::string>>;
  command
      .add_option_function<Paths>(
          option_of(key),
          [&values](const Paths& paths) {
            const Place place{"--path", 0};
            DocumentNode::Array list;
            for (const auto& [x, y] : paths)
              list.push_back({DocumentNode::Table{{"x", {x, place}}, {"y", {y, place}}}, place});
            values.push_back({"plot.path", {std::move(list), place}});
          },
          key.description)
      ->allow_extra_args(false);
}

}  // namespace

void add_look_options(CLI::App& command, OptionValues& values) {
  const std::size_t first = command.get_options().size();
  for (const OptionInfo& key : look_page().keys)
    key.name.ends_with("_range") ? add_range_option(command, key, values)
                                 : add_key_option(command, look_page(), key, values);
  need_plot(command, first);
}

void add_plot_options(CLI::App& command, OptionValues& values) {
  const std::size_t first = command.get_options().size();
  for (const OptionInfo& key : plot_page().keys) {
    if (key.name == "reference") continue;  // it belongs to the study alone
    key.name == "path" ? add_path_option(command, key, values)
                       : add_key_option(command, plot_page(), key, values);
  }
  need_plot(command, first);
  add_look_options(command, values);
}

PlotRequest asked_plot(const PlotRequest& of_study, const OptionValues& values) {
  DocumentNode asked{DocumentNode::Table{}};
  for (const auto& [key, value] : values)
    asked.table().push_back({key.substr(key.find('.') + 1), value});
  return with_changes(of_study, asked);
}

}  // namespace dalembert::app
