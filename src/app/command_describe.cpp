#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "app/arguments/subject.hpp"
#include "app/formula/formula_sheet.hpp"
#include "app/formula/html_sheet.hpp"
#include "app/formula/latex_sheet.hpp"
#include "app/page/page_text.hpp"
#include "app/page/problem_page.hpp"
#include "app/page/study_page.hpp"
#include "app/terminal/message.hpp"
#include "app/terminal/waiting_line.hpp"
#include "commands.hpp"
#include "dalembert/claims/paper_file.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/expression/printer.hpp"
#include "dalembert/method/text/describe.hpp"
#include "dalembert/problem/load_problem.hpp"
#include "dalembert/problem/make_system.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/reduction/reduced_problem.hpp"
#include "dalembert/study/false_claims.hpp"
#include "exit_code.hpp"

namespace dalembert::app {

using namespace study;

namespace {

/// What a name stands for, and whose it is.
std::string alias_text(const MethodEntry& entry, const Alias& alias) {
  std::string text = label({entry.name, alias.options});
  if (alias.lagrangian == LagrangianKind::constant_mass) text += ", for constant mass";
  return text + " (" + alias.source + ")";
}

/// What was claimed of a method or a problem of the library, and what is measured; empty where
/// there is nothing, or no library.
std::string claims_text(const std::string& name) {
  if (data_directory().empty()) return "";
  std::string text;
  for (const std::string& line : verdict_lines(claims_about(read_claims(), name)))
    text += wrapped(line, "  ");
  if (text.empty()) return "";
  return heading("Claims about it, as measured (dalembert list claims; dalembert reproduce ID)") +
         text;
}

std::string method_page(const MethodSubject& subject) {
  const auto& [found, method] = subject;
  const MethodEntry& entry = *found;
  std::string text = entry.name + ": " + entry.title + "\n\n";
  for (const std::string& paragraph : entry.introduction()) text += wrapped(paragraph, "  ") + "\n";
  text += wrapped("Source: " + entry.source, "  ");
  if (!entry.aliases.empty()) text += heading("Other names");
  for (const Alias& alias : entry.aliases)
    text += wrapped(alias.name + ": " + alias_text(entry, alias), "  ");
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
  for (const std::string& line : method.remarks()) text += "  " + line + "\n";
  return text + heading("Needs") + wrapped(describe_requirements(method.requirements()), "  ") +
         claims_text(entry.name);
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

/// Why the problem cannot be reduced as its file says; nothing if it can.
std::optional<std::string> false_reduction(const ProblemFile& file, const Problem& problem) {
  if (!file.reduction) return std::nullopt;
  try {
    reduce_problem(file, problem, {.hamiltonize = file.reduction->multiplier.has_value()});
  } catch (const RequestError& reason) {
    return "its [reduction] does not hold: " + std::string(reason.what());
  }
  return std::nullopt;
}

void describe_problem(const std::string& name) {
  const ProblemFile problem = read_problem_of(name);
  print(problem_page(problem));
  const std::vector<std::string> library = problem_names();
  if (std::ranges::find(library, name) != library.end()) print(claims_text(name));
  std::string findings;
  std::vector<std::string> claims;
  {
    WaitingLine line("deriving equations of " + problem.name);
    const Problem made = make_problem(problem);
    findings = findings_text(problem, made);
    line.say("judging claims of " + problem.name);
    claims = false_claims(problem, made);
    if (const auto reason = false_reduction(problem, made)) claims.push_back(*reason);
  }
  print(findings);
  for (const std::string& claim : claims) complain("warning: " + claim);
}

struct DescribeArguments {
  std::string name, with;
  bool latex = false, html = false;
};

/// The page with its formulas in LaTeX or as HTML.
int describe_in_notation(const DescribeArguments& arguments) {
  const std::string option = arguments.latex ? "--latex" : "--html";
  if (arguments.latex && arguments.html)
    throw RequestError("--latex and --html both print a page; choose one of them");
  if (!arguments.with.empty())
    throw RequestError("--with judges a method in plain text; leave out " + option);
  const FormulaSheet sheet = formula_sheet(arguments.name, option);
  print(arguments.latex ? latex_page(sheet) : html_page(sheet));
  return success;
}

int describe(const DescribeArguments& arguments) {
  const std::string &name = arguments.name, &with = arguments.with;
  if (arguments.latex || arguments.html) return describe_in_notation(arguments);
  if (const std::optional<MethodSubject> found = find_method(name)) {
    print(method_page(*found) + (with.empty() ? "" : fit_text(found->method, with)));
    return success;
  }
  if (is_study(name)) {
    print(study_page(read_study_file(find_study(name))));
    return success;
  }
  if (!may_be_problem(name)) refuse_unknown_subject(name);
  if (!with.empty())
    throw RequestError("--with asks whether a method fits a problem; \"" + name +
                       "\" is a problem, whose page lists the methods that fit");
  describe_problem(name);
  return success;
}

}  // namespace

void add_describe(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<DescribeArguments>();
  CLI::App* command = app.add_subcommand("describe", "A page about a problem or a method");
  command
      ->add_option("name", arguments->name,
                   "A problem, a study, the path of a file of one of them, or a method, as lobatto "
                   "or \"lobatto(stages=4)\"")
      ->required();
  command->add_option("--with", arguments->with, "Say whether the method fits this problem");
  command->add_flag("--latex", arguments->latex,
                    "The page of a problem or a method in LaTeX, for \\input");
  command->add_flag("--html", arguments->html,
                    "The page of a problem or a method as HTML, with formulas in MathML");
  command->footer(
      "Examples: dalembert describe pendulum-cvt\n          dalembert describe dla --with "
      "knife-edge\n          dalembert describe rolling-coin --html > coin.html");
  command->callback(
      [arguments, &action] { action = [arguments] { return describe(*arguments); }; });
}

}  // namespace dalembert::app
