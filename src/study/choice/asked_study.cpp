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
DocumentNode named_methods(const AskedStudy& asked) {
  std::vector<std::string> methods;
  for (const std::string& text : asked.methods) separate(text, methods);
  std::string text;
  for (std::size_t i = 0; i < methods.size(); ++i) text += "[[method]]\nname = \"\"\n";
  DocumentNode document = parse_document(text, "command line");
  forget_lines(document);
  for (std::size_t i = 0; i < methods.size(); ++i)
    document.find("method")->array()[i].find("name")->value = methods[i];
  return *document.find("method");
}

/// A study made of command line arguments, for a problem file or a problem of the library.
DocumentNode quick_study(const AskedStudy& asked) {
  DocumentNode document = parse_document("problem = \"\"\n[run]\n", "command line");
  forget_lines(document);
  document.find("problem")->value = asked.study;
  if (!asked.methods.empty()) document.table().push_back({"method", named_methods(asked)});
  return document;
}

/// What the command line says in the place of the study: its methods, its step or tolerance, its
/// end, its records.
void replace_parts(DocumentNode& document, const AskedStudy& asked) {
  const auto forget = [](DocumentNode* table, const char* key) {
    if (table != nullptr && table->is_table())
      std::erase_if(table->table(), [&](const TableEntry& entry) { return entry.first == key; });
  };
  if (!asked.methods.empty()) {
    forget(&document, "method");
    document.table().push_back({"method", named_methods(asked)});
  }
  if (!asked.tolerance.empty()) forget(document.find("run"), "step");
  if (!asked.step.empty()) forget(document.find("run"), "tolerance");
  if (!asked.until.empty()) forget(document.find("run"), "steps");
  if (!asked.steps.empty()) forget(document.find("run"), "until");
  if (asked.every.empty() && asked.at.empty()) return;
  for (const char* key : {"record_every", "every", "at"}) forget(document.find("run"), key);
}

/// Values that options gave, with the options as their places.
void apply_options(DocumentNode& document, const AskedStudy& asked) {
  const auto give = [&](const char* key, const DocumentNode& value) {
    value.check_text();
    set_value(document, key, value);
  };
  const auto give_value = [&](const char* key, const char* option, const std::string& text) {
    if (!text.empty()) give(key, value_in_words(text, option));
  };
  const auto give_text = [&](const char* key, const char* option, const std::string& text) {
    if (!text.empty()) give(key, DocumentNode{text, {option, 0}, key});
  };
  give_value("run.step", "--step", asked.step);
  give_value("run.tolerance", "--tolerance", asked.tolerance);
  give_value("run.steps", "--steps", asked.steps);
  give_value("run.until", "--until", asked.until);
  give_value("run.every", "--every", asked.every);
  if (!asked.at.empty()) give("run.at", value_in_words("[" + asked.at + "]", "--at"));
  give_text("run.native", "--native", asked.native);
  if (asked.strict) give("run.strict", DocumentNode{true, {"--strict", 0}});
  give_text("initial.name", "--start", asked.start);
  give_value("ensemble.size", "--members", asked.members);
  give_value("ensemble.seed", "--seed", asked.seed);
  give_value("ensemble.energy", "--energy", asked.energy);
  give_text("ensemble.part", "--part", asked.part);
  for (const auto& [key, value] : asked.values) set_value(document, key, value);
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
    DocumentNode empty{DocumentNode::Table{}};
    empty.place.file = "command line";
    empty.key = "sweep";
    document.table().push_back({"sweep", std::move(empty)});
    table = &document.table().back().second;
  }
  if (!table->is_table()) table->refuse("must be a table, not " + table->found());
  forget_key(*table, values.key);
  const std::string key = values.key;
  table->table().push_back({key, std::move(values)});
}

/// A [[diagnostic]] beside those that the study has.
void ask_for_recomputed_multiplier(DocumentNode& document) {
  DocumentNode asked =
      parse_document("[[diagnostic]]\nkind = \"recomputed-multiplier\"\n", "command line");
  forget_lines(asked);
  DocumentNode& entries = *asked.find("diagnostic");
  DocumentNode* const own = document.find("diagnostic");
  if (own == nullptr) {
    document.table().push_back({"diagnostic", std::move(entries)});
    return;
  }
  for (const DocumentNode& entry : as_list(*own)) {
    const DocumentNode* const kind = entry.is_table() ? entry.find("kind") : nullptr;
    if (kind != nullptr && kind->is_text() && as_text(*kind) == "recomputed-multiplier") return;
  }
  if (own->is_array()) own->array().push_back(std::move(entries.array().front()));
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
  apply_options(document, asked);
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
  return asked.methods.empty() && (!asked.tolerance.empty() || sweeps(asked, "tolerance"));
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
