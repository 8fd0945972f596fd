#include "study_arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/terminal/verbosity.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/study/study_file.hpp"
#include "output_claims.hpp"

namespace dalembert::app {

using namespace study;

namespace {

/// A command line has no lines.
void forget_lines(DocumentNode& node) {
  node.place.line = 0;
  if (node.is_table()) {
    for (TableEntry& entry : node.table()) forget_lines(entry.second);
  } else if (node.is_array()) {
    for (DocumentNode& entry : node.array()) forget_lines(entry);
  }
}

/// A study made of command line arguments, for a problem file or a problem of the library.
DocumentNode quick_study(const StudyArguments& arguments) {
  std::string methods;
  for (std::size_t i = 0; i < arguments.methods.size(); ++i) methods += "[[method]]\nname = \"\"\n";
  DocumentNode document = parse_document("problem = \"\"\n[run]\n" + methods, "command line");
  forget_lines(document);
  document.find("problem")->value = arguments.study;
  for (std::size_t i = 0; i < arguments.methods.size(); ++i) {
    document.find("method")->array()[i].find("name")->value = arguments.methods[i];
  }
  return document;
}

std::vector<std::string> all_settings(const StudyArguments& arguments) {
  std::vector<std::string> settings;
  if (!arguments.step.empty()) settings.push_back("run.step=" + arguments.step);
  if (!arguments.until.empty()) settings.push_back("run.until=" + arguments.until);
  if (arguments.strict) settings.emplace_back("run.strict=true");
  if (!arguments.start.empty()) settings.push_back("initial.name=\"" + arguments.start + "\"");
  if (!arguments.members.empty()) settings.push_back("ensemble.size=" + arguments.members);
  if (!arguments.seed.empty()) settings.push_back("ensemble.seed=" + arguments.seed);
  if (!arguments.energy.empty()) settings.push_back("ensemble.energy=" + arguments.energy);
  settings.insert(settings.end(), arguments.settings.begin(), arguments.settings.end());
  return settings;
}

/// Without a start, a quick run takes the first one of its problem, which tables then name.
void choose_first_start(DocumentNode& document, const std::string& problem_name) {
  if (document.find("initial") != nullptr || document.find("ensemble") != nullptr) return;
  const ProblemFile problem = read_problem_file(find_problem(problem_name));
  if (!problem.starts.empty())
    apply_setting(document, "initial.name=\"" + problem.starts.front().name + "\"");
}

bool is_problem_name(const std::string& name) {
  const auto names = problem_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Study chosen_study(const StudyArguments& arguments) {
  const std::vector<std::string> settings = all_settings(arguments);
  if (arguments.methods.empty()) {
    if (is_problem_name(arguments.study)) {
      throw RequestError(
          "\"" + arguments.study +
          "\" is a problem, not a study; add --method NAME --step H --until T to run it");
    }
    return read_study_file(find_study(arguments.study), settings);
  }
  DocumentNode document = quick_study(arguments);
  for (const std::string& setting : settings) apply_setting(document, setting);
  const DocumentNode& run = *document.find("run");
  if (run.find("step") == nullptr)
    throw RequestError("a run needs a step size: add --step H, as --step 0.1");
  if (run.find("until") == nullptr && run.find("steps") == nullptr)
    throw RequestError("a run needs an end: add --until T, as --until 100");
  choose_first_start(document, arguments.study);
  return read_study(document);
}

void add_study_options(CLI::App& command, StudyArguments& arguments) {
  command
      .add_option(
          "study", arguments.study,
          "Study file, name of a published study, or (with --method) a problem's name or file")
      ->required();
  command
      .add_option(
          "--set", arguments.settings,
          "Change a value of the study, as run.step=0.05 or method.0.alpha=0.3 (of one method "
          "alone also method.alpha=0.3)")
      ->allow_extra_args(false);
  command.add_option("--out", arguments.out, "Write records and results to an HDF5 file");
  command.add_option("--json", arguments.json,
                     "Write results as JSON to a file, or to standard output with -");
  command.add_option("--csv", arguments.csv,
                     "Write the records of each run to a CSV file in this directory");
  command.add_option("--plot", arguments.plot,
                     "Draw a picture: a file ending in .svg, .png or .pdf");
  command
      .add_option("--threads", arguments.threads,
                  "Number of runs at the same time; of an ensemble: threads that share its members")
      ->check(CLI::Range(1, 1024));
  command
      .add_option("--method", arguments.methods,
                  "Without a study: a method, as dla01 or \"dla(alpha=0.4)\" (may be repeated)")
      ->allow_extra_args(false);
  command.add_option("--step", arguments.step,
                     "The step size (a number or an expression such as pi/10)");
  command.add_option("--until", arguments.until, "The final time");
  command.add_option("--start", arguments.start,
                     "The name of the start (default: the problem's first)");
  command
      .add_option(
          "--lanes", arguments.lanes,
          "Of an ensemble: members in one vector register, 1, 4 or 8; chosen for the machine "
          "if not given. Neither threads nor lanes change a bit of the results")
      ->check(CLI::IsMember({1, 4, 8}));
  command.add_flag("--strict", arguments.strict,
                   "A run whose contact ends stops there, and one that comes out of all scale "
                   "fails (exit code 3), instead of a warning");
  add_instruction_set_option(command, arguments.instruction_set);
  add_force_option(command, arguments.force);
  add_verbosity_options(command, "systems, methods as compiled, starts, each run");
}

void add_instruction_set_option(CLI::App& command, std::string& name) {
  command.add_option(
      "--instruction-set", name,
      "What steps are run with: portable, v2, v3 or v4 (of x86-64). An ensemble takes "
      "the best of the machine if not given, a single run portable. No choice changes "
      "a bit of the results");
}

std::optional<InstructionSet> chosen_instruction_set(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return instruction_set_of(name);
}

}  // namespace dalembert::app
