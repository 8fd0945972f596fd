// The table [control] of a study, as written.
#include "dalembert/study/control/control_entry.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "dalembert/expression/text/nearest_name.hpp"
#include "dalembert/problem/expressions.hpp"

namespace dalembert::study {
namespace {

const Page<ControlEntry>& control_keys() {
  const std::vector<std::string> none;
  static const Page<ControlEntry> page{
      "control",
      "Find controls that bring a motion to its end with the least cost",
      {{"by", "Parameters that are chosen, constant along each step, as tau_l,tau_r", "", none},
       {"cost", "An expression of state and controls whose integral is to be least", ""},
       {"end_cost", "An expression of the last state that is added", ""},
       {"end", "The start of the problem that the motion ends at", ""},
       {"conditions", "Expressions that vanish at the end, of the state and the last controls", "",
        none},
       {"trials", &ControlEntry::trials,
        "Searches from random smooth controls; none beside a guess unless given", 0, 100'000},
       {"scale", &ControlEntry::scale, "The size of these controls",
        std::numeric_limits<double>::min(), std::numeric_limits<double>::max()},
       {"iterations", &ControlEntry::iterations, "Of Newton's method in a search, at most", 1,
        1'000'000},
       {"seed", "The seed of the random controls", "a whole number in [0, 9223372036854775807]",
        1.0}}};
  return page;
}

std::vector<std::string> read_controls(const ProblemFile& problem, const DocumentNode& node) {
  const std::vector<std::string> known = problem.parameter_names();
  std::vector<std::string> names;
  for (const DocumentNode& entry : as_list(node)) {
    const std::string& name = as_text(entry);
    if (std::ranges::find(known, name) == known.end())
      entry.refuse("is no parameter of problem \"" + problem.name + "\": \"" + name + "\"" +
                   suggestion(name, known));
    if (std::ranges::find(names, name) != names.end()) entry.refuse("names \"" + name + "\" twice");
    names.push_back(name);
  }
  if (names.empty()) node.refuse("is an empty list; it names the parameters that are chosen");
  return names;
}

std::vector<std::pair<std::string, DocumentNode>> read_guess(const ControlEntry& entry,
                                                             const DocumentNode& node) {
  if (!node.is_table())
    node.refuse("must be a table of controls with expressions of t, or lists of values, not " +
                node.found());
  std::vector<std::pair<std::string, DocumentNode>> guess;
  for (const auto& [name, value] : node.table()) {
    if (std::ranges::find(entry.by, name) == entry.by.end())
      value.refuse("is none of the controls" + suggestion(name, entry.by));
    guess.emplace_back(name, value);
  }
  return guess;
}

}  // namespace

const PageInfo& control_page() {
  static const PageInfo page = control_keys().info();
  return page;
}

ControlEntry read_control(const ProblemFile& problem, const DocumentNode& node) {
  TableReader table(node);
  ControlEntry entry;
  entry.place = node.place;
  entry.by = read_controls(problem, table.require("by"));
  if (const DocumentNode* cost = table.find("cost")) entry.cost = *cost;
  if (const DocumentNode* cost = table.find("end_cost")) entry.end_cost = *cost;
  if (const DocumentNode* end = table.find("end"))
    entry.end = read_named_or_own_start(problem, *end);
  if (const DocumentNode* conditions = table.find("conditions"))
    entry.conditions = as_list(*conditions);
  if (const DocumentNode* guess = table.find("guess")) {
    entry.guess = read_guess(entry, *guess);
    entry.trials = 0;
  }
  control_keys().read(table, entry);
  if (const DocumentNode* seed = table.find("seed"))
    entry.seed = static_cast<std::uint64_t>(as_whole(*seed, 0, INT64_MAX));
  table.finish();
  if (!entry.cost && !entry.end_cost)
    node.refuse("needs cost, an expression whose integral is to be least, or end_cost");
  if (entry.guess.empty() && entry.trials == 0)
    node.refuse("has neither a guess nor trials; nothing is left to begin with");
  return entry;
}

}  // namespace dalembert::study
