#include "dalembert/study/choice/asked_study.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "dalembert/document/library.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/problem/problem_file.hpp"

namespace dalembert::study {
namespace {

/// A command line has no lines.
const Place command_line{"command line", 0};

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
DocumentNode named_methods(const AskedStudy& asked) {
  std::vector<std::string> methods;
  for (const std::string& text : asked.methods) separate(text, methods);
  DocumentNode::Array tables;
  for (const std::string& method : methods) {
    const std::string key = "method." + std::to_string(tables.size());
    tables.push_back(
        {DocumentNode::Table{{"name", {method, command_line, key + ".name"}}}, command_line, key});
  }
  return {std::move(tables), command_line, "method"};
}

/// A study made of command line arguments, for a problem file or a problem of the library.
DocumentNode quick_study(const AskedStudy& asked) {
  DocumentNode document{DocumentNode::Table{{"problem", {asked.study, command_line, "problem"}},
                                            {"run", {DocumentNode::Table{}, command_line, "run"}}},
                        command_line};
  if (!asked.methods.empty()) document.table().push_back({"method", named_methods(asked)});
  return document;
}

/// Keys of [run] of which one is given, or none.
const std::vector<std::vector<std::string>> alternatives{
    {"step", "tolerance"}, {"until", "steps"}, {"record_every", "every", "at"}};

/// What the command line says in the place of the study: its methods, its step or tolerance, its
/// end, its records.
void replace_parts(DocumentNode& document, const AskedStudy& asked) {
  const auto forget = [](DocumentNode* table, const std::string& key) {
    if (table != nullptr && table->is_table())
      std::erase_if(table->table(), [&](const TableEntry& entry) { return entry.first == key; });
  };
  if (!asked.methods.empty()) {
    forget(&document, "method");
    document.table().push_back({"method", named_methods(asked)});
  }
  for (const std::vector<std::string>& keys : alternatives)
    if (std::ranges::any_of(keys, [&](auto& key) { return asked.given("run." + key) != nullptr; }))
      for (const std::string& key : keys) forget(document.find("run"), key);
}

/// The values that stand for a swept key: a range, a list, also of expressions that TOML would want
/// in quotes, or one alone.
DocumentNode swept_values(const std::string& text) {
  DocumentNode values = value_in_words(text, "--sweep");
  if (values.is_table() || values.is_array()) return values;
  DocumentNode::Array list;
  if (values.is_text() && text.starts_with('[') && text.ends_with(']')) {
    std::vector<std::string> entries;
    separate(text.substr(1, text.size() - 2), entries);
    for (const std::string& entry : entries) list.push_back(value_in_words(entry, "--sweep"));
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
    document.table().push_back({"sweep", {DocumentNode::Table{}, command_line, "sweep"}});
    table = &document.table().back().second;
  }
  if (!table->is_table()) table->refuse("must be a table, not " + table->found());
  forget_key(*table, values.key);
  const std::string key = values.key;
  table->table().push_back({key, std::move(values)});
}

/// A [[diagnostic]] beside those that the study has.
void ask_for_recomputed_multiplier(DocumentNode& document) {
  const DocumentNode asked{
      DocumentNode::Table{{"kind", {"recomputed-multiplier", command_line, "diagnostic.0.kind"}}},
      command_line, "diagnostic.0"};
  DocumentNode* const own = document.find("diagnostic");
  if (own == nullptr) {
    document.table().push_back(
        {"diagnostic", {DocumentNode::Array{asked}, command_line, "diagnostic"}});
    return;
  }
  for (const DocumentNode& entry : as_list(*own)) {
    const DocumentNode* const kind = entry.is_table() ? entry.find("kind") : nullptr;
    if (kind != nullptr && kind->is_text() && as_text(*kind) == "recomputed-multiplier") return;
  }
  if (own->is_array()) own->array().push_back(asked);
}

/// Names of the sizes of a study's problem; none where there is no such problem, which is
/// complained of later.
std::vector<std::string> size_names(const DocumentNode& study, const std::filesystem::path& base) {
  std::vector<std::string> names;
  try {
    const DocumentNode* const system = study.find("system");
    const DocumentNode* const name = study.find("problem");
    if (system == nullptr && name == nullptr) return names;
    const DocumentNode problem =
        system != nullptr ? *system : read_document(find_problem(as_text(*name), base));
    const DocumentNode* const sizes = problem.is_table() ? problem.find("sizes") : nullptr;
    if (sizes == nullptr || !sizes->is_table()) return names;
    for (const TableEntry& entry : sizes->table()) names.push_back(entry.first);
  } catch (const Error&) {
    return {};
  }
  return names;
}

/// "m=2" with the whole key, "parameters.m=2": a bare name that is no part of a study is that of a
/// size of its problem, or of a parameter.
std::string with_whole_key(const std::string& setting, const DocumentNode& study,
                           const std::filesystem::path& base) {
  constexpr std::string_view parts[] = {"problem", "system",   "title",      "sizes", "parameters",
                                        "initial", "ensemble", "method",     "plot",  "sweep",
                                        "event",   "control",  "diagnostic", "run"};
  const std::string key = setting.substr(0, setting.find_first_of("=."));
  const bool is_name = !key.empty() && key.size() < setting.size() && setting[key.size()] == '=';
  const bool is_part = std::ranges::find(parts, key) != std::end(parts);
  if (!is_name || is_part) return setting;
  const std::vector<std::string> sizes = size_names(study, base);
  const bool is_size = std::ranges::find(sizes, key) != sizes.end();
  return (is_size ? "sizes." : "parameters.") + setting;
}

void apply_changes(DocumentNode& document, const AskedStudy& asked,
                   const std::filesystem::path& base = {}) {
  if (asked.recomputed_multiplier) ask_for_recomputed_multiplier(document);
  for (const auto& [key, value] : asked.values) {
    value.check_text();
    set_value(document, key, value);
  }
  if (!asked.start.empty())
    set_value(document, "initial.name", {asked.start, {"--start", 0}, "initial.name"});
  for (const std::string& setting : asked.settings)
    apply_setting(document, with_whole_key(setting, document, base));
  for (const std::string& sweep : asked.sweeps)
    apply_sweep(document, with_whole_key(sweep, document, base));
}

/// Whether a start is meant for the sizes that a study gives.
bool fits_sizes(const StartEntry& start, const DocumentNode* sizes) {
  if (sizes == nullptr || !sizes->is_table()) return true;
  return std::ranges::all_of(start.sizes, [&](const auto& size) {
    const DocumentNode* const given = sizes->find(size.first);
    return given == nullptr || !given->is_number() ||
           as_number(*given) == static_cast<double>(size.second);
  });
}

/// Without a start, a quick run takes the first one of its problem that has its sizes, which tables
/// then name.
void choose_first_start(DocumentNode& document, const std::string& problem_name) {
  if (document.find("initial") != nullptr || document.find("ensemble") != nullptr) return;
  const ProblemFile problem = read_problem_file(find_problem(problem_name));
  if (problem.starts.empty()) return;
  const auto fitting = std::ranges::find_if(problem.starts, [&](const StartEntry& start) {
    return fits_sizes(start, document.find("sizes"));
  });
  const StartEntry& chosen = fitting == problem.starts.end() ? problem.starts.front() : *fitting;
  apply_setting(document, "initial.name=" + toml_text(chosen.name));
}

bool is_problem_name(const std::string& name) {
  const auto names = problem_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

Study study_of_file(const AskedStudy& asked, const std::filesystem::path& path) {
  DocumentNode document = read_document(path);
  replace_parts(document, asked);
  apply_changes(document, asked, path.parent_path());
  Study study = read_study(document, path.parent_path());
  study.files.push_back(path);
  return study;
}

/// Whether a sweep of the command line gives values for a key of [run].
bool sweeps(const AskedStudy& asked, const std::string& key) {
  return std::ranges::any_of(asked.sweeps, [&](const std::string& sweep) {
    return sweep.starts_with("run." + key + "=");
  });
}

/// Whether a method is to be chosen for a problem: a tolerance is asked for, and no method.
bool chooses_method(const AskedStudy& asked) {
  return asked.methods.empty() &&
         (asked.given("run.tolerance") != nullptr || sweeps(asked, "tolerance"));
}

/// The file of a study, where the argument is that; methods on the command line may be for a
/// problem.
std::optional<std::filesystem::path> study_file(const AskedStudy& asked) {
  if (asked.methods.empty() && !chooses_method(asked)) return find_study(asked.study);
  if (is_problem_name(asked.study)) return std::nullopt;
  const auto names = study_names();
  if (std::ranges::find(names, asked.study) != names.end()) return find_study(asked.study);
  if (!std::filesystem::is_regular_file(asked.study)) return std::nullopt;
  const DocumentNode document = read_document(asked.study);
  return document.find("run") != nullptr ? std::optional<std::filesystem::path>(asked.study)
                                         : std::nullopt;
}

}  // namespace

void AskedStudy::give(const std::string& key, const std::string& option, const std::string& words) {
  if (!words.empty()) values.emplace_back(key, value_in_words(words, option));
}

const DocumentNode* AskedStudy::given(const std::string& key) const {
  const DocumentNode* last = nullptr;
  for (const auto& [name, value] : values)
    if (name == key) last = &value;
  return last;
}

std::string AskedStudy::words(const std::string& key) const {
  const DocumentNode* value = given(key);
  if (value == nullptr) return "";
  return value->is_text() ? as_text(*value) : value->found();
}

bool names_study(const AskedStudy& asked) { return study_file(asked).has_value(); }

Study asked_study(const AskedStudy& asked) {
  if (asked.methods.empty() && !chooses_method(asked) && is_problem_name(asked.study)) {
    throw RequestError("\"" + asked.study +
                       "\" is a problem, not a study; add --tolerance 1e-8 --until T to run it, or "
                       "--method NAME --step H --until T");
  }
  if (const auto path = study_file(asked)) return study_of_file(asked, *path);
  DocumentNode document = quick_study(asked);
  apply_changes(document, asked);
  const DocumentNode& run = *document.find("run");
  if (run.find("step") == nullptr && run.find("tolerance") == nullptr && !sweeps(asked, "step") &&
      !sweeps(asked, "tolerance")) {
    throw RequestError(
        "a run needs a step size: add --step H, as --step 0.1, or --tolerance 1e-8, which chooses "
        "one");
  }
  if (run.find("until") == nullptr && run.find("steps") == nullptr && !sweeps(asked, "until") &&
      !sweeps(asked, "steps"))
    throw RequestError("a run needs an end: add --until T, as --until 100, or --steps N");
  choose_first_start(document, asked.study);
  return read_study(document);
}

}  // namespace dalembert::study
