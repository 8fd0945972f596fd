#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/page/page_text.hpp"
#include "app/page/problem_page.hpp"
#include "app/page/study_page.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/waiting_line.hpp"
#include "commands.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/method/describe.hpp"
#include "dalembert/method/library.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/study/false_claims.hpp"
#include "dalembert/study/method_text.hpp"
#include "exit_code.hpp"

namespace dalembert::app {

using namespace study;

namespace {

std::string option_range(const OptionInfo& option) {
  if (!option.choices.empty() && !option.number_or_word) return "one of " + joined(option.choices);
  if (!std::holds_alternative<double>(option.default_value) && !option.number_or_word)
    return "a method";
  return fmt::format("{} in [{}, {}]{}", option.whole ? "whole number" : "number",
                     to_string(option.min), to_string(option.max),
                     option.number_or_word ? " or " + joined(option.choices) : "");
}

std::string method_page(const MethodEntry& entry, const Method& method) {
  std::string text = entry.name + ": " + entry.title + "\n\n" + wrapped(entry.description, "  ") +
                     "\n" + wrapped("Source: " + entry.source, "  ");
  if (!entry.options.empty()) text += heading("Options");
  for (const OptionInfo& option : entry.options) {
    text += row(option.name, fmt::format("default {}, {}", option_text(option.default_value),
                                         option_range(option))) +
            wrapped(option.description, "                     ");
  }
  text += heading("Equations of one step");
  for (const std::string& line : describe_equations(method)) text += "  " + line + "\n";
  const std::string chosen = label(method.spec());
  text +=
      heading(chosen == entry.name ? "Properties with these defaults" : "Properties of " + chosen);
  for (const std::string& line : describe_facts(method.facts())) text += "  " + line + "\n";
  return text + heading("Needs") + wrapped(describe_requirements(method.requirements()), "  ");
}

/// Whether the method fits the problem, in words.
std::string fit_text(const Method& method, const std::string& problem) {
  const WaitingLine line("reading " + problem);
  const System system = load_problem(problem).system;
  const std::optional<std::string> misfit = method.misfit(system);
  return heading("On " + system.name()) +
         wrapped(misfit ? "cannot be used: " + *misfit +
                              "; methods that fit: " + joined(fitting_methods(system))
                        : "can be used",
                 "  ");
}

ProblemFile problem_to_describe(const std::string& name) {
  const WaitingLine line("reading " + name);
  ProblemFile problem = read_problem_file(find_problem(name));
  // Wrong equations have no page; wrong starts are looked up in it.
  static_cast<void>(make_system(problem));
  return problem;
}

void describe_problem(const std::string& name) {
  const ProblemFile problem = problem_to_describe(name);
  print(problem_page(problem));
  std::string findings;
  std::vector<std::string> claims;
  {
    WaitingLine line("deriving equations of " + problem.name);
    const Problem made = make_problem(problem);
    findings = findings_text(problem, made);
    line.say("judging claims of " + problem.name);
    claims = false_claims(problem, made);
  }
  print(findings);
  for (const std::string& claim : claims) complain("warning: " + claim);
}

/// The name of a study of the library, or the path of a file with a table [run].
bool is_study(const std::string& name) {
  const std::vector<std::string> names = study_names();
  if (std::ranges::find(names, name) != names.end()) return true;
  return name.ends_with(".toml") && std::filesystem::is_regular_file(name) &&
         read_document(name).find("run") != nullptr;
}

int describe(const std::string& name, const std::string& with) {
  const auto& all = methods();
  const std::string type = name.substr(0, name.find('('));
  const auto entry = std::ranges::find(all, type, &MethodEntry::name);
  if (entry != all.end()) {
    const Method method = make_method(parse_method(name));
    print(method_page(*entry, method) + (with.empty() ? "" : fit_text(method, with)));
    return success;
  }
  if (is_study(name)) {
    print(study_page(read_study_file(find_study(name))));
    return success;
  }
  std::vector<std::string> names = problem_names();
  const bool is_path = name.find('/') != std::string::npos || name.ends_with(".toml");
  if (is_path || std::find(names.begin(), names.end(), name) != names.end()) {
    if (!with.empty())
      throw RequestError("--with asks whether a method fits a problem; \"" + name +
                         "\" is a problem, whose page lists the methods that fit");
    describe_problem(name);
    return success;
  }
  for (const MethodEntry& method : all) names.push_back(method.name);
  throw RequestError("there is no problem or method \"" + name + "\"" + suggestion(name, names));
}

}  // namespace

void add_describe(CLI::App& app, Action& action) {
  auto name = std::make_shared<std::string>(), with = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("describe", "A page about a problem or a method");
  command
      ->add_option("name", *name,
                   "A problem, a study, the path of a file of one of them, or a method, as lobatto "
                   "or \"lobatto(stages=4)\"")
      ->required();
  command->add_option("--with", *with, "Say whether the method fits this problem");
  command->footer(
      "Examples: dalembert describe pendulum-cvt\n          dalembert describe dla --with "
      "knife-edge");
  command->callback(
      [name, with, &action] { action = [name, with] { return describe(*name, *with); }; });
}

}  // namespace dalembert::app
