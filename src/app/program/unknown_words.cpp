#include "unknown_words.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "dalembert/error.hpp"
#include "dalembert/expression/text/nearest_name.hpp"

namespace dalembert::app {
namespace {

/// The options as they are written, with their dashes.
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_fnames())
      if (name.size() > 1) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// "-1" and "-" are values.
bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' &&
         (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])) != 0);
}

/// Whether an option takes what follows it, which may then look like an option.
bool takes_value(const CLI::App& command, const std::string& word) {
  const CLI::Option* option = command.get_option_no_throw(word);
  return option != nullptr && option->get_expected_min() > 0;
}

/// Options of other programs, with ours.
constexpr std::pair<std::string_view, std::string_view> options_elsewhere[] = {
    {"--dt", "--step"},           {"--h", "--step"},        {"--step-size", "--step"},
    {"--timestep", "--step"},     {"--tol", "--tolerance"}, {"--rtol", "--tolerance"},
    {"--end", "--until"},         {"--tmax", "--until"},    {"--t-end", "--until"},
    {"--tf", "--until"},          {"--time", "--until"},    {"--output", "--out"},
    {"--integrator", "--method"}, {"--solver", "--method"}, {"--initial", "--start"}};

void refuse_unknown_option(const CLI::App& command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const std::vector<std::string> known = option_names(command);
  if (std::ranges::count(known, name) > 0) return;
  const std::string written = name.starts_with("--") ? name : "-" + name;
  const std::string meant(meant_by(written, options_elsewhere));
  const bool is_ours = std::ranges::count(known, meant) > 0;
  const std::string near = is_ours ? meant : nearest_name(written, known);
  const std::string full =
      command.get_parent() == nullptr ? "dalembert" : "dalembert " + command.get_name();
  throw RequestError(full + " has no option \"" + name + "\"; " +
                     (near.empty() ? "see " + full + " --help" : "did you mean \"" + near + "\"?"));
}

}  // namespace

void refuse_unknown_words(const CLI::App& program, std::span<char* const> arguments) {
  const CLI::App* command = &program;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string word = arguments[i];
    if (word == "--") return;
    if (is_option(word)) {
      refuse_unknown_option(*command, word);
      if (takes_value(*command, word)) ++i;
      continue;
    }
    if (command != &program) continue;
    std::vector<std::string> names;
    for (const CLI::App* known : program.get_subcommands({})) {
      names.push_back(known->get_name());
      if (known->get_name() == word) command = known;
    }
    if (command != &program) continue;
    throw RequestError("there is no command \"" + word + "\"" + suggestion(word, names));
  }
}

}  // namespace dalembert::app
