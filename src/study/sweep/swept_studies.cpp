#include "swept_studies.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "dalembert/document/toml.hpp"
#include "dalembert/expression/limits.hpp"
#include "dalembert/study/sweep/study_axes.hpp"
#include "dalembert/study/value_range.hpp"

namespace dalembert::study {
namespace {

/// What stands once in a study, or makes results whose columns have nothing to do with each other.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> not_swept{{
    {"problem", "runs of two problems have no columns in common"},
    {"title", "a study has one"},
    {"plot", "a study has one picture"},
    {"diagnostic", "all runs of a study are measured alike"},
    {"sweep", "it says itself what varies"},
    {"initial.csv", "a recorded start becomes part of the study; give several studies"},
    {"initial.row", "a recorded start becomes part of the study; give several studies"},
    {"initial.time", "a recorded start becomes part of the study; give several studies"},
    {"run.record_every", "all runs are recorded alike"},
    {"run.every", "all runs are recorded alike"},
    {"run.at", "all runs are recorded alike"},
    {"run.native", "no bit of the results depends on it"},
    {"run.strict", "all runs are judged alike"},
    {"run.no_events", "all runs have the same events"},
    {"run.tolerance_until", "it is written by resume"},
    {"ensemble.part", "parts are computed by themselves"},
}};

/// Tables of which keys are swept, one by one.
bool is_whole_table(std::string_view key) { return key == "run" || key == "ensemble"; }

bool is_within(std::string_view key, std::string_view outer) {
  return key == outer || (key.starts_with(outer) && key[outer.size()] == '.');
}

std::vector<std::string> parts_of(const std::string& key) {
  std::vector<std::string> parts;
  std::istringstream stream(key);
  for (std::string part; std::getline(stream, part, '.');) parts.push_back(part);
  return parts;
}

bool is_index(const std::string& part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
}

/// "stages" of method.0.stages, "v_0" of initial.v.0; the whole key where that is taken.
std::string short_name(const std::string& key, const std::set<std::string>& taken) {
  const std::vector<std::string> parts = parts_of(key);
  std::string name = parts.back();
  if (is_index(name) && parts.size() > 1) name = parts[parts.size() - 2] + "_" + name;
  if (!taken.contains(name)) return name;
  std::string whole = key;
  std::ranges::replace(whole, '.', '_');
  return whole;
}

/// Keys may be written as one ("method.0.stages" = ...) or as tables (method.0.stages = ...).
void collect(const DocumentNode& table, const std::string& path, std::vector<SweptKey>& keys) {
  for (const auto& [part, node] : table.table()) {
    const std::string key = path.empty() ? part : path + "." + part;
    if (node.is_table() && node.find("from") == nullptr) {
      collect(node, key, keys);
      continue;
    }
    for (const auto& [outer, reason] : not_swept)
      if (is_within(key, outer)) node.refuse("cannot be varied by [sweep]: " + std::string(reason));
    if (is_whole_table(key))
      node.refuse("names a whole table; sweep keys of it, as " +
                  std::string(key == "run" ? "run.step" : "ensemble.energy"));
    if (!node.is_table() && !node.is_array())
      node.refuse("is " + node.found() +
                  ", one value; [sweep] needs a list, as [1, 2, 3], or a range, as { from = 0, to "
                  "= 1, count = 11 }");
    keys.push_back({key, "", as_values(node)});
    if (keys.back().values.empty()) node.refuse("is an empty list; it needs at least one value");
    for (const DocumentNode& value : keys.back().values)
      if (key == "initial" && value.is_table() && value.find("csv") != nullptr)
        value.find("csv")->refuse(
            "cannot be varied by [sweep]: a recorded start becomes part of "
            "the study; give several studies");
  }
}

void check_count(const DocumentNode& sweep, const std::vector<SweptKey>& keys) {
  double count = 1.0;
  for (const SweptKey& key : keys) count *= static_cast<double>(key.values.size());
  if (count <= static_cast<double>(limits().runs)) return;
  sweep.refuse("asks for " + std::to_string(static_cast<std::uint64_t>(count)) +
               " choices of values; at most " + std::to_string(limits().runs) +
               " runs are planned, --most-runs N allows more");
}

/// Every choice gives the same number of runs in each direction: results are a table without holes.
void check_axes(const Study& first, const Study& other, const DocumentNode& value) {
  const std::vector<StudyAxis> expected = study_axes(first), found = study_axes(other);
  const auto same = [](const StudyAxis& a, const StudyAxis& b) {
    return a.name == b.name && a.size() == b.size();
  };
  if (std::ranges::equal(expected, found, same)) return;
  value.refuse(
      "changes how many runs the study has; all values of [sweep] must leave the number of starts, "
      "parameters, methods and steps as it is");
}

/// An option that is swept stands in the label of a run, and not in that of its method once more.
void share_labels(std::vector<Study>& variants) {
  for (std::size_t i = 0; i < variants.front().methods.size(); ++i) {
    const MethodChoice first = variants.front().methods[i];
    const auto all_have = [&](auto part) {
      return std::ranges::all_of(
          variants, [&](const Study& variant) { return part(variant.methods[i]) == part(first); });
    };
    const bool has_label = all_have([](const MethodChoice& method) { return method.label; });
    const bool has_name = all_have([](const MethodChoice& method) { return method.spec.name; });
    if (has_label || !has_name) continue;
    for (Study& variant : variants) variant.methods[i].label = first.spec.name;
  }
}

}  // namespace

bool changes_equations(const std::string& key) {
  constexpr std::array<std::string_view, 3> all{"system", "event", "run.compensated"};
  return key == "run.wrap_angles" ||
         std::ranges::any_of(all, [&](std::string_view outer) { return is_within(key, outer); });
}

std::vector<SweptKey> take_swept_keys(DocumentNode& document) {
  const DocumentNode* const sweep = document.find("sweep");
  if (sweep == nullptr) return {};
  if (!sweep->is_table()) sweep->refuse("must be a table, not " + sweep->found());
  std::vector<SweptKey> keys;
  collect(*sweep, "", keys);
  if (keys.empty()) sweep->refuse("is empty; it needs a key of the study with a list of values");
  check_count(*sweep, keys);
  // What other directions of a study are called.
  std::set<std::string> taken{"start", "method", "name", "runs"};
  if (std::ranges::none_of(keys, [](const SweptKey& key) { return key.key == "run.step"; }))
    taken.insert("step");
  if (const DocumentNode* parameters = document.find("parameters");
      parameters != nullptr && parameters->is_table()) {
    for (const auto& [name, value] : parameters->table()) {
      const bool is_swept = std::ranges::any_of(
          keys, [&, &own = name](const SweptKey& key) { return key.key == "parameters." + own; });
      if (!is_swept) taken.insert(name);
    }
  }
  for (SweptKey& key : keys) {
    key.name = short_name(key.key, taken);
    const bool is_first = taken.insert(key.name).second;
    if (!is_first || std::ranges::count(keys, key.key, &SweptKey::key) > 1)
      sweep->refuse("has the key \"" + key.key + "\" twice; give all its values in one list");
  }
  std::erase_if(document.table(), [](const TableEntry& entry) { return entry.first == "sweep"; });
  return keys;
}

Study read_variants(DocumentNode& document, std::vector<SweptKey> keys,
                    const std::function<Study(DocumentNode& document)>& read) {
  std::vector<std::size_t> counts;
  std::size_t total = 1;
  for (const SweptKey& key : keys) {
    counts.push_back(key.values.size());
    total *= key.values.size();
  }
  std::vector<Study> variants;
  for (std::size_t index = 0; index < total; ++index) {
    DocumentNode changed = document;
    const std::vector<std::size_t> place = place_of(index, counts);
    for (std::size_t i = 0; i < keys.size(); ++i)
      set_value(changed, keys[i].key, keys[i].values[place[i]]);
    variants.push_back(read(changed));
    if (index == 0) document = std::move(changed);
    check_axes(variants.front(), variants.back(), keys.back().values[place.back()]);
  }
  share_labels(variants);
  Study study = variants.front();
  study.sweep = std::move(keys);
  study.variants = std::move(variants);
  return study;
}

TableEntry sweep_table(const std::vector<SweptKey>& keys) {
  DocumentNode table{DocumentNode::Table{}};
  for (const SweptKey& key : keys)
    table.table().push_back({key.key, DocumentNode{DocumentNode::Array(key.values)}});
  return {"sweep", std::move(table)};
}

}  // namespace dalembert::study
