#include "dalembert/study/study_file.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "dalembert/document/library.hpp"
#include "dalembert/document/node.hpp"
#include "dalembert/document/toml.hpp"
#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/sizes.hpp"
#include "dalembert/problem/start/recorded_start.hpp"
#include "dalembert/problem/start_entry.hpp"
#include "dalembert/run/simulate.hpp"
#include "dalembert/study/diagnostic.hpp"
#include "dalembert/study/ensemble/ensemble_entry.hpp"
#include "dalembert/study/page/analysis_pages.hpp"
#include "dalembert/study/value_range.hpp"
#include "study/choice/automatic_method.hpp"
#include "study/choice/method_entries.hpp"
#include "study/page/run_entry.hpp"
#include "study/plot_request.hpp"
#include "study/sweep/swept_studies.hpp"

namespace dalembert::study {
namespace {

/// The problem that a study names or holds.
ProblemFile read_study_problem(const DocumentNode& document, TableReader& table,
                               const std::filesystem::path& base) {
  const DocumentNode* name = table.find("problem");
  const DocumentNode* system = table.find("system");
  if (document.find("coordinates") != nullptr && name == nullptr && system == nullptr)
    throw RequestError(document.place.text() +
                       ": it is a problem, not a study; add --tolerance 1e-8 --until T to run it, "
                       "or --method NAME --step H --until T");
  if ((name != nullptr) == (system != nullptr)) {
    throw RequestError(document.place.text() +
                       ": a study needs either the key \"problem\" or a table [system]");
  }
  if (system != nullptr) return read_problem(*system, "system");
  std::filesystem::path path;
  try {
    path = find_problem(as_text(*name), base);
  } catch (const RequestError& error) {
    name->refuse(std::string("is wrong: ") + error.what());
  }
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored))
    name->refuse("names the file \"" + path.string() + "\", which does not exist");
  return read_problem_file(path);
}

std::vector<ParameterChoice> read_parameters(const ProblemFile& problem, const DocumentNode* node) {
  std::vector<ParameterChoice> choices;
  if (node == nullptr) return choices;
  if (!node->is_table()) node->refuse("must be a table, not " + node->found());
  for (const auto& [name, value] : node->table()) {
    const auto parameter =
        std::find_if(problem.parameters.begin(), problem.parameters.end(),
                     [&, &key = name](const Parameter& p) { return p.name == key; });
    if (parameter == problem.parameters.end()) {
      value.refuse("is not a parameter of problem \"" + problem.name + "\"" +
                   suggestion(name, problem.parameter_names()));
    }
    choices.push_back({name, as_values(value)});
    if (choices.back().values.empty())
      value.refuse("is an empty list; it needs at least one value");
    for (const DocumentNode& entry : choices.back().values)
      check_parameter(*parameter, parse_constant(entry), entry);
  }
  return choices;
}

Sizes read_sizes(const ProblemFile& problem, const DocumentNode* node) {
  Sizes sizes;
  if (node == nullptr) return sizes;
  if (!node->is_table()) node->refuse("must be a table, not " + node->found());
  for (const auto& [name, value] : node->table()) {
    const auto known =
        std::find_if(problem.sizes.begin(), problem.sizes.end(),
                     [&, &key = name](const SizeEntry& size) { return size.name == key; });
    if (known == problem.sizes.end()) {
      std::vector<std::string> names;
      for (const SizeEntry& size : problem.sizes) names.push_back(size.name);
      value.refuse("is not a size of problem \"" + problem.name + "\"" + suggestion(name, names));
    }
    sizes[name] = as_whole(value, known->min, known->max);
  }
  return sizes;
}

std::vector<StartEntry> named_starts(const ProblemFile& problem, const DocumentNode& names) {
  std::vector<StartEntry> starts;
  for (const DocumentNode& name : as_list(names)) {
    const StartEntry* start = problem.find_start(as_text(name));
    if (start == nullptr) {
      name.refuse("names no start of problem \"" + problem.name + "\": \"" + as_text(name) + "\"" +
                  suggestion(as_text(name), problem.start_names()));
    }
    starts.push_back(*start);
  }
  if (starts.empty()) names.refuse("is an empty list; it needs at least one name");
  return starts;
}

std::vector<StartEntry> read_starts(const ProblemFile& problem, const DocumentNode& document,
                                    const DocumentNode* node) {
  if (node == nullptr) {
    if (problem.starts.size() == 1) return problem.starts;
    throw RequestError(document.place.text() +
                       ": the table [initial] is missing; give a name or q and v" +
                       (problem.starts.empty() ? "" : suggestion("", problem.start_names())));
  }
  TableReader table(*node);
  const DocumentNode* name = table.find("name");
  StartEntry own = read_start(table, "");
  table.finish();
  if (name != nullptr) {
    if (own.gives_position() || own.gives_velocity())
      node->refuse("has a name as well as q, v or p; give one or the other");
    std::vector<StartEntry> starts = named_starts(problem, *name);
    for (StartEntry& start : starts) {
      if (own.lambda) start.lambda = own.lambda;
      if (table.find("project") != nullptr) start.project = own.project;
    }
    return starts;
  }
  check_start_complete(own, table, problem.is_skew_gradient());
  return {own};
}

/// Expressions that a study follows are treated as the problem's integrals are.
void follow_expressions(Study& study) {
  auto& integrals = study.problem.integrals;
  for (const auto& [name, expression] : study.diagnostics.expressions) {
    if (study.problem.system) {
      expression.refuse("follows \"" + name +
                        "\", but the system was made in code; give it this integral there");
    }
    const auto known =
        std::find_if(integrals.begin(), integrals.end(),
                     [&, &key = name](const auto& entry) { return entry.first == key; });
    if (known != integrals.end())
      expression.refuse("is named \"" + name + "\", as an integral of the problem");
    integrals.emplace_back(name, expression);
  }
}

void refuse_beside_ensemble(const DiagnosticChoices& choices) {
  const std::string reason = " follow single runs; an ensemble can follow kind = \"expression\"";
  for (const QuantityChoice& choice : choices.quantities)
    throw RequestError(choice.place.text(), "diagnostics of kind \"" + choice.kind + "\"" + reason);
  for (const SectionChoice& choice : choices.sections)
    throw RequestError(choice.place.text(), "diagnostics of kind \"section\"" + reason);
  for (const ReportChoice& choice : choices.reports)
    throw RequestError(choice.place.text(), "diagnostics of kind \"" + choice.kind + "\"" + reason);
}

/// The document with its problem in place instead of by name.
std::string self_contained_text(DocumentNode document, const ProblemFile& problem) {
  std::erase_if(document.table(), [](const auto& entry) {
    return entry.first == "problem" || entry.first == "system";
  });
  DocumentNode system = problem.document;
  if (system.find("name") == nullptr)
    system.table().push_back({"name", DocumentNode{problem.name}});
  document.table().push_back({"system", std::move(system)});
  return to_toml(document);
}

/// Puts the state of a file in place of the file, so that the study is whole without it; nothing
/// where [initial] names no file.
void take_recorded_start(Study& study, DocumentNode& document, const DocumentNode*& initial,
                         const std::filesystem::path& base) {
  if (initial == nullptr) return;
  const auto recorded = read_recorded_start(study.problem, study.sizes, *initial, base);
  if (!recorded) return;
  DocumentNode* const own = document.find("initial");
  *own = recorded->table;
  initial = own;
  study.files.push_back(recorded->file);
}

/// Sections and events have files and groups of their own.
void refuse_names_of_sections(const Study& study) {
  for (const EventEntry& event : study.events)
    for (const SectionChoice& section : study.diagnostics.sections)
      if (event.name == section.name)
        throw RequestError(event.place.text(),
                           "a section is named \"" + event.name +
                               "\" already; give the event another name with the key \"name\"");
}

/// A step is chosen along the motion alone.
void refuse_tolerance_with_events(const Study& study, const DocumentNode& run) {
  for (const EventEntry& event : study.events)
    if (study.tolerance && event.acts())
      run.find("tolerance")
          ->refuse("chooses the step along a smooth motion, and event \"" + event.name +
                   "\" changes the state; give step");
}

/// Everything but the problem and the text. The document gets what was chosen on the way.
Study read_rest(DocumentNode& document, TableReader& table, ProblemFile problem,
                const std::filesystem::path& base, const std::vector<Method>& own_methods) {
  Study study;
  study.problem = std::move(problem);
  study.files = study.problem.files;
  study.title = table.text("title");
  study.sizes = read_sizes(study.problem, table.find("sizes"));
  study.parameters = read_parameters(study.problem, table.find("parameters"));
  const DocumentNode* initial = table.find("initial");
  const DocumentNode* ensemble = table.find("ensemble");
  table.find("method");  // read below, when problem and start are known
  study.plot = read_plot(table.find("plot"));
  study.diagnostics = read_diagnostics(table.find("diagnostic"), study.problem);
  study.events = read_events(table.find("event"), study.problem.events);
  if (study.plot.shows_recomputed_multiplier())
    follow_recomputed_multiplier(study.diagnostics, table.find("plot")->place);
  refuse_names_of_sections(study);
  follow_expressions(study);
  if (const DocumentNode* control = table.find("control"))
    study.control = read_control(study.problem, *control);
  for (const PageInfo& page : study_pages()) {
    if (page.has_own_reader()) continue;
    const DocumentNode* asked = table.find(page.name);
    static_cast<void>(read_values(page, asked));
    if (asked != nullptr) study.analyses.push_back({page.name, *asked});
  }
  const DocumentNode* run = table.find("run");
  table.finish();
  if (run == nullptr) table.require("run");
  if (ensemble != nullptr) {
    if (initial != nullptr) {
      ensemble->refuse(
          "stands beside [initial]; starts come from one of them (a start that members are drawn "
          "around is named by around = \"...\" in [ensemble])");
    }
    if (study.control)
      table.find("control")->refuse(
          "stands beside [ensemble]; controls are those of a motion from one start");
    study.ensemble = read_ensemble(study.problem, *ensemble);
    refuse_beside_ensemble(study.diagnostics);
  } else {
    take_recorded_start(study, document, initial, base);
    study.starts = read_starts(study.problem, document, initial);
    if (study.plot.reference) study.plot.reference->refuse("belongs to a study with [ensemble]");
  }
  read_run(study, *run);
  refuse_tolerance_with_events(study, *run);
  choose_automatic_methods(study, document);
  study.own_methods = own_methods;
  study.methods = read_methods(document, own_methods, study.tolerance.has_value());
  return study;
}

/// A study, or one for each choice of the values that it varies.
Study read_all(DocumentNode document, const std::function<Study(DocumentNode& document)>& read) {
  const std::vector<SweptKey> keys = take_swept_keys(document);
  Study study = keys.empty() ? read(document) : read_variants(document, keys, read);
  if (!keys.empty()) document.table().push_back(sweep_table(keys));
  study.text = self_contained_text(document, study.problem);
  return study;
}

}  // namespace

Study read_study(const DocumentNode& document, const std::filesystem::path& base,
                 const std::vector<Method>& own_methods) {
  std::optional<ProblemFile> library_problem;  // is read once
  return read_all(document, [&](DocumentNode& chosen) {
    const DocumentNode unchanged = chosen;
    TableReader table(unchanged);
    const bool is_in_place = chosen.find("system") != nullptr;
    if (!library_problem || is_in_place)
      library_problem = read_study_problem(unchanged, table, base);
    static_cast<void>(table.find("problem"));
    static_cast<void>(table.find("system"));
    return read_rest(chosen, table, *library_problem, base, own_methods);
  });
}

Study read_study(const DocumentNode& document, ProblemFile problem,
                 const std::vector<Method>& own_methods) {
  for (const char* key : {"problem", "system"}) {
    if (const DocumentNode* node = document.find(key))
      node->refuse("has no place in a study of a problem that is given already");
  }
  return read_all(document, [&](DocumentNode& chosen) {
    const DocumentNode unchanged = chosen;
    TableReader table(unchanged);
    return read_rest(chosen, table, problem, {}, own_methods);
  });
}

Study read_study_file(const std::filesystem::path& path, const std::vector<std::string>& settings) {
  DocumentNode document = read_document(path);
  for (const std::string& setting : settings) apply_setting(document, setting);
  Study study = read_study(document, path.parent_path());
  study.files.push_back(path);
  return study;
}

StepCount step_count(const Study& study, double h) {
  if (study.step_count) return {*study.step_count};
  return steps_until(*study.until, h);
}

}  // namespace dalembert::study
