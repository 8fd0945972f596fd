// The analysis of steady motions is one of a problem: sizes and parameters have their bare names.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/arguments/problem_values.hpp"
#include "app/arguments/subject.hpp"
#include "app/commands.hpp"
#include "conduct.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/study/page/analysis_pages.hpp"

namespace dalembert::app {

using namespace study;

namespace {

void choose_start(StudyArguments& asked, const ProblemFile& problem) {
  const DocumentNode* at = asked.given("linearise.at");
  const std::string where = at == nullptr ? "" : as_text(*at);
  const bool is_start = !where.empty() && where != "steady" && where != "any";
  if (is_start && !asked.start.empty())
    throw RequestError("--at " + where +
                       " is a start already; --start is for --at steady, which looks near it");
  const std::string& name = is_start ? where : asked.start;
  if (!name.empty() && problem.find_start(name) == nullptr)
    throw RequestError("problem \"" + problem.name + "\" has no start \"" + name + "\"" +
                       suggestion(name, problem.start_names()));
  if (at == nullptr && asked.start.empty())
    asked.values.emplace_back("linearise.at", DocumentNode{"any", {"--at", 0}});
}

/// A study of a problem with chosen sizes and parameters, of which nothing is run.
StudyArguments of_problem(StudyArguments asked) {
  refuse_study(asked.study, "linearise");
  if (find_method(asked.study))
    throw RequestError("linearise takes a problem, and \"" + asked.study + "\" is a method");
  const ProblemFile problem = read_problem_of(asked.study);
  choose_start(asked, problem);
  const ProblemValues chosen = problem_values(problem, asked.settings);
  asked.settings.clear();
  for (const auto& [name, size] : chosen.sizes)
    asked.values.emplace_back(
        "sizes." + name,
        DocumentNode{static_cast<double>(size), {"--set " + name + "=" + std::to_string(size), 0}});
  for (const ParameterChoice& parameter : chosen.parameters)
    asked.values.emplace_back("parameters." + parameter.name,
                              DocumentNode{DocumentNode::Array(parameter.values)});
  asked.methods = {"gauss"};
  for (const char* key : {"run.step", "run.steps"}) asked.give(key, key, "1");
  return asked;
}

/// A study may say in [linearise] what is asked for.
bool asks_by_itself(const std::string& name) {
  return is_study(name) && read_document(find_study(name)).find("linearise") != nullptr;
}

}  // namespace

void add_linearise(CLI::App& app, Action& action) {
  const Analysis& analysis = analysis_named(linearisation_page().name);
  auto all = std::make_shared<StudyArguments>();
  CLI::App* command = app.add_subcommand(analysis.page.name, analysis.page.title);
  command
      ->add_option("problem", all->study,
                   "A problem's name or file, or a study with a table [linearise]")
      ->required();
  command->add_option("--start", all->start,
                      "The start near which a steady motion is looked for (default: the first)");
  command
      ->add_option("--set", all->settings,
                   "A parameter or a size, as speed=5; one parameter may have several values, as "
                   "\"speed={from=0, to=10, count=101}\"")
      ->allow_extra_args(false);
  add_analysis_options(*command, analysis, *all);
  command->callback([all, &action, &analysis] {
    action = [all, &analysis] {
      const StudyArguments asked = asks_by_itself(all->study) ? *all : of_problem(*all);
      return conduct(analysis, chosen_study(asked), asked);
    };
  });
}

}  // namespace dalembert::app
