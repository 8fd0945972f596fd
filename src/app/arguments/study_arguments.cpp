#include "study_arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "app/arguments/output_claims.hpp"
#include "app/terminal/verbosity.hpp"
#include "app/terminal/waiting_line.hpp"
#include "dalembert/document/library.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/study/study_file.hpp"

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

/// "dla(alpha=0.4, map=cayley),leapfrog" as two.
void separate(const std::string& text, std::vector<std::string>& methods) {
  int depth = 0;
  methods.emplace_back();
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth == 0) {
      methods.emplace_back();
    } else if (c != ' ' || depth > 0) {
      methods.back() += c;
    }
  }
}

/// The methods of the command line as tables [[method]].
DocumentNode named_methods(const StudyArguments& arguments) {
  std::vector<std::string> methods;
  for (const std::string& text : arguments.methods) separate(text, methods);
  std::string text;
  for (std::size_t i = 0; i < methods.size(); ++i) text += "[[method]]\nname = \"\"\n";
  DocumentNode document = parse_document(text, "command line");
  forget_lines(document);
  for (std::size_t i = 0; i < methods.size(); ++i)
    document.find("method")->array()[i].find("name")->value = methods[i];
  return *document.find("method");
}

/// A study made of command line arguments, for a problem file or a problem of the library.
DocumentNode quick_study(const StudyArguments& arguments) {
  DocumentNode document = parse_document("problem = \"\"\n[run]\n", "command line");
  forget_lines(document);
  document.find("problem")->value = arguments.study;
  document.table().push_back({"method", named_methods(arguments)});
  return document;
}

/// What the command line says in the place of the study: its methods, its step or tolerance, its
/// end, its records.
void replace_parts(DocumentNode& document, const StudyArguments& arguments) {
  const auto forget = [](DocumentNode* table, const char* key) {
    if (table != nullptr && table->is_table())
      std::erase_if(table->table(), [&](const TableEntry& entry) { return entry.first == key; });
  };
  if (!arguments.methods.empty()) {
    forget(&document, "method");
    document.table().push_back({"method", named_methods(arguments)});
  }
  if (!arguments.tolerance.empty()) forget(document.find("run"), "step");
  if (!arguments.step.empty()) forget(document.find("run"), "tolerance");
  if (!arguments.until.empty()) forget(document.find("run"), "steps");
  if (!arguments.steps.empty()) forget(document.find("run"), "until");
  if (arguments.every.empty() && arguments.at.empty()) return;
  for (const char* key : {"record_every", "every", "at"}) forget(document.find("run"), key);
}

std::vector<std::string> all_settings(const StudyArguments& arguments) {
  std::vector<std::string> settings;
  if (!arguments.step.empty()) settings.push_back("run.step=" + arguments.step);
  if (!arguments.tolerance.empty()) settings.push_back("run.tolerance=" + arguments.tolerance);
  if (!arguments.steps.empty()) settings.push_back("run.steps=" + arguments.steps);
  if (!arguments.until.empty()) settings.push_back("run.until=" + arguments.until);
  if (!arguments.every.empty()) settings.push_back("run.every=" + arguments.every);
  if (!arguments.at.empty()) settings.push_back("run.at=[" + arguments.at + "]");
  if (!arguments.native.empty()) settings.push_back("run.native=\"" + arguments.native + "\"");
  if (arguments.strict) settings.emplace_back("run.strict=true");
  if (!arguments.start.empty()) settings.push_back("initial.name=\"" + arguments.start + "\"");
  if (!arguments.members.empty()) settings.push_back("ensemble.size=" + arguments.members);
  if (!arguments.seed.empty()) settings.push_back("ensemble.seed=" + arguments.seed);
  if (!arguments.energy.empty()) settings.push_back("ensemble.energy=" + arguments.energy);
  if (!arguments.part.empty()) settings.push_back("ensemble.part=\"" + arguments.part + "\"");
  settings.insert(settings.end(), arguments.settings.begin(), arguments.settings.end());
  return settings;
}

/// A value as --set reads it.
DocumentNode value_of(const std::string& text) {
  DocumentNode given{DocumentNode::Table{}};
  apply_setting(given, "value=" + text);
  return *given.find("value");
}

/// The values that stand for a swept key: a range, a list, also of expressions that TOML would want
/// in quotes, or one alone.
DocumentNode swept_values(const std::string& text) {
  DocumentNode values = value_of(text);
  if (values.is_table() || values.is_array()) return values;
  DocumentNode::Array list;
  if (values.is_text() && text.starts_with('[') && text.ends_with(']')) {
    std::vector<std::string> entries;
    separate(text.substr(1, text.size() - 2), entries);
    for (const std::string& entry : entries) list.push_back(value_of(entry));
  } else {
    list.push_back(std::move(values));
  }
  return DocumentNode{std::move(list)};
}

/// What it was read from, and its key.
void name_source(DocumentNode& node, const std::string& source, const std::string& key) {
  node.place = {source, 0};
  node.key = key;
  if (node.is_table()) {
    for (TableEntry& entry : node.table()) name_source(entry.second, source, key);
  } else if (node.is_array()) {
    for (DocumentNode& entry : node.array()) name_source(entry, source, key);
  }
}

/// Drops a key of [sweep], which may be written as one or as tables.
void forget_key(DocumentNode& table, const std::string& key) {
  std::erase_if(table.table(), [&](const TableEntry& entry) { return entry.first == key; });
  for (TableEntry& entry : table.table())
    if (entry.second.is_table() && key.starts_with(entry.first + "."))
      forget_key(entry.second, key.substr(entry.first.size() + 1));
}

/// "run.compensated=[false, true]" into the table [sweep], in the place of what it has there.
void apply_sweep(DocumentNode& document, const std::string& sweep) {
  const std::size_t equals = sweep.find('=');
  if (equals == std::string::npos || equals == 0)
    throw RequestError("--sweep " + sweep +
                       ": expected key=values, as in --sweep method.0.stages=[1,2,3]");
  DocumentNode values = swept_values(sweep.substr(equals + 1));
  name_source(values, "--sweep " + sweep, sweep.substr(0, equals));
  DocumentNode* table = document.find("sweep");
  if (table == nullptr) {
    document.table().push_back(
        {"sweep", DocumentNode{DocumentNode::Table{}, {"command line"}, "sweep"}});
    table = &document.table().back().second;
  }
  if (!table->is_table()) table->refuse("must be a table, not " + table->found());
  forget_key(*table, values.key);
  const std::string key = values.key;
  table->table().push_back({key, std::move(values)});
}

void apply_changes(DocumentNode& document, const StudyArguments& arguments) {
  for (const std::string& setting : all_settings(arguments)) apply_setting(document, setting);
  for (const std::string& sweep : arguments.sweeps) apply_sweep(document, sweep);
}

/// Whether a sweep of the command line gives values for a key of [run].
bool sweeps(const StudyArguments& arguments, const std::string& key) {
  return std::ranges::any_of(arguments.sweeps, [&](const std::string& sweep) {
    return sweep.starts_with("run." + key + "=");
  });
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

Study study_of_file(const StudyArguments& arguments, const std::filesystem::path& path) {
  DocumentNode document = read_document(path);
  replace_parts(document, arguments);
  apply_changes(document, arguments);
  Study study = read_study(document, path.parent_path());
  study.files.push_back(path);
  return study;
}

/// The file of a study, where the argument is that; methods on the command line may be for a
/// problem.
std::optional<std::filesystem::path> study_file(const StudyArguments& arguments) {
  if (arguments.methods.empty()) return find_study(arguments.study);
  if (is_problem_name(arguments.study)) return std::nullopt;
  const auto names = study_names();
  if (std::ranges::find(names, arguments.study) != names.end()) return find_study(arguments.study);
  if (!std::filesystem::is_regular_file(arguments.study)) return std::nullopt;
  const DocumentNode document = read_document(arguments.study);
  return document.find("run") != nullptr ? std::optional<std::filesystem::path>(arguments.study)
                                         : std::nullopt;
}

}  // namespace

bool names_study(const StudyArguments& arguments) { return study_file(arguments).has_value(); }

Study chosen_study(const StudyArguments& arguments) {
  const WaitingLine line("reading " + arguments.study);
  if (arguments.methods.empty() && is_problem_name(arguments.study)) {
    throw RequestError("\"" + arguments.study +
                       "\" is a problem, not a study; add --method NAME --step H --until T to run "
                       "it (--method auto and --tolerance 1e-8 choose for you)");
  }
  if (const auto path = study_file(arguments)) return study_of_file(arguments, *path);
  DocumentNode document = quick_study(arguments);
  apply_changes(document, arguments);
  const DocumentNode& run = *document.find("run");
  if (run.find("step") == nullptr && run.find("tolerance") == nullptr &&
      !sweeps(arguments, "step") && !sweeps(arguments, "tolerance")) {
    throw RequestError(
        "a run needs a step size: add --step H, as --step 0.1, or --tolerance 1e-8, which chooses "
        "one");
  }
  if (run.find("until") == nullptr && run.find("steps") == nullptr && !sweeps(arguments, "until") &&
      !sweeps(arguments, "steps"))
    throw RequestError("a run needs an end: add --until T, as --until 100, or --steps N");
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
  command
      .add_option("--sweep", arguments.sweeps,
                  "Run everything for each of several values of a key, as "
                  "method.stages=[1,2,3] or initial.v.0={from=0,to=2,count=11} (may be repeated)")
      ->allow_extra_args(false);
  command.add_option("--out", arguments.out, "Write records and results to an HDF5 file");
  command.add_option("--json", arguments.json,
                     "Write results as JSON to a file, or to standard output with -");
  command.add_option("--csv", arguments.csv,
                     "Write the records of each run to a CSV file in this directory");
  command.add_option("--plot", arguments.plot,
                     "Draw a picture: a file ending in .svg, .png or .pdf");
  add_plot_options(command, arguments.shown);
  command
      .add_option("--threads", arguments.threads,
                  "Number of runs at the same time; of an ensemble: threads that share its members")
      ->check(CLI::Range(1, 1024));
  command
      .add_option("--method", arguments.methods,
                  "A method, as dla01 or \"dla(alpha=0.4)\", or auto, which chooses one (may be "
                  "repeated, or several with commas); of a study, in the place of its own")
      ->allow_extra_args(false);
  command.add_option("--step", arguments.step,
                     "The step size (a number or an expression such as pi/10)");
  command.add_option("--tolerance", arguments.tolerance,
                     "Instead of a step: the error of q and v that it is chosen for, as 1e-8");
  command.add_option("--until", arguments.until, "The final time");
  command.add_option("--steps", arguments.steps, "Instead of --until: the number of steps")
      ->excludes("--until");
  command.add_option("--every", arguments.every,
                     "Record every so much time, as 0.02, whatever the step is");
  command.add_option("--at", arguments.at, "Record at these times, as 0.5,1,\"pi/2\"");
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
  command
      .add_option(
          "--native", arguments.native,
          "Whether the system's C compiler makes the steps of a run faster: auto, for long "
          "runs, off or require (default: what DALEMBERT_NATIVE says, else auto). No choice "
          "changes a bit of the results")
      ->check(CLI::IsMember({"auto", "off", "require"}));
  add_instruction_set_option(command, arguments.instruction_set);
  add_force_option(command, arguments.force);
  add_verbosity_options(command, "systems, methods as compiled, starts, each run");
}

void add_instruction_set_option(CLI::App& command, std::string& name) {
  command.add_option(
      "--instruction-set", name,
      "What steps are run with: portable, v2, v3 or v4 (of x86-64). An ensemble takes "
      "the best of the machine if not given, and so does a run whose stages lie side by side in "
      "vectors; another single run is portable. No choice changes a bit of the results");
}

std::optional<InstructionSet> chosen_instruction_set(const std::string& name) {
  if (name.empty()) return std::nullopt;
  return instruction_set_of(name);
}

}  // namespace dalembert::app
