#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>

#include "app/terminal/message.hpp"
#include "app/terminal/verbosity.hpp"
#include "commands.hpp"
#include "dalembert/claims/paper_file.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "exit_code.hpp"

namespace dalembert::app {

using namespace study;

namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

/// The text up to the first full stop or semicolon, on one line.
std::string first_sentence(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::size_t end = std::min({text.find(". "), text.find(": "), text.find("; ")});
  text = text.substr(0, end);
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  return text;
}

/// What there is room for beside so many characters in a line of the terminal; in a file
/// everything.
std::string cut_to_terminal(const std::string& text, std::size_t beside) {
  constexpr std::size_t least = 20;
  const std::size_t width = terminal_width();
  if (width == 0 || beside + text.size() <= width) return text;
  const std::size_t room = std::max(least, width > beside + 4 ? width - beside - 4 : 0);
  return text.size() <= room ? text : text.substr(0, text.rfind(' ', room)) + " ...";
}

std::string section(const std::string& title, const Lines& lines) {
  std::size_t width = 0;
  for (const auto& [name, description] : lines) width = std::max(width, name.size());
  std::string text = title + "\n";
  for (const auto& [name, description] : lines)
    text += fmt::format("  {:<{}}  {}\n", name, width, cut_to_terminal(description, width + 4));
  return text;
}

std::string problem_lines() {
  Lines lines;
  const auto folder = data_directory() / "problems";
  for (const std::string& name : problem_names()) {
    const ProblemFile problem = read_problem_file(folder / (name + ".toml"));
    lines.emplace_back(name, first_sentence(problem.description));
  }
  return section("Problems", lines);
}

std::string method_lines() {
  Lines lines;
  for (const MethodEntry& entry : methods()) {
    std::string others;
    for (const Alias& alias : entry.aliases) others += (others.empty() ? "" : ", ") + alias.name;
    lines.emplace_back(entry.name, entry.title + (others.empty() ? "" : " (" + others + ")"));
  }
  return section("Methods", lines);
}

std::string study_lines() {
  Lines lines;
  const auto folder = data_directory() / "studies";
  for (const std::string& name : study_names()) {
    const DocumentNode document = read_document(folder / (name + ".toml"));
    const DocumentNode* title = document.find("title");
    lines.emplace_back(name, title != nullptr && title->is_text() ? as_text(*title) : "");
  }
  return section("Studies", lines);
}

std::string experiment_lines() {
  Lines lines;
  for (const PaperFile& paper : read_papers()) {
    for (const ExperimentRecord& experiment : paper.experiments)
      lines.emplace_back(paper.name + "/" + experiment.name,
                         experiment.source + ": " + experiment.title);
  }
  return section("Experiments to reproduce", lines);
}

std::string claim_lines() {
  Lines lines;
  for (const ClaimRecord& claim : read_claims().claims)
    lines.emplace_back(claim.id, verdict_text(claim.verdict) + ": " + claim.statement);
  return section("Claims of the literature, with the verdicts that are recorded", lines);
}

int list(const std::string& kind) {
  if (data_directory().empty() && kind != "methods" && kind != "experiments") {
    throw OutputError(
        "the problem library was not found; set DALEMBERT_DATA to the directory that holds "
        "problems/");
  }
  std::string text;
  if (kind.empty() || kind == "problems") text += problem_lines() + (kind.empty() ? "\n" : "");
  if (kind.empty() || kind == "methods") text += method_lines() + (kind.empty() ? "\n" : "");
  if (kind.empty() || kind == "studies") text += study_lines() + (kind.empty() ? "\n" : "");
  if (kind.empty() || kind == "experiments") text += experiment_lines();
  if (kind == "claims") text += claim_lines();
  print(text);
  return success;
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  auto kind = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "list", "List problems, methods, published studies, experiments and claims, one line each");
  command
      ->add_option(
          "kind", *kind,
          "problems, methods, studies, experiments, or claims; the first four if not given")
      ->transform(CLI::Transformer(std::map<std::string, std::string>{{"problem", "problems"},
                                                                      {"method", "methods"},
                                                                      {"study", "studies"},
                                                                      {"experiment", "experiments"},
                                                                      {"claim", "claims"}}))
      ->check(CLI::IsMember({"problems", "methods", "studies", "experiments", "claims"}));
  command->footer("Example: dalembert list methods");
  command->callback([kind, &action] { action = [kind] { return list(*kind); }; });
}

}  // namespace dalembert::app
