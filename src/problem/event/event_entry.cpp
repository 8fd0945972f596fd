#include "dalembert/problem/event/event_entry.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "dalembert/error.hpp"
#include "dalembert/expression/parser.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/problem/expressions.hpp"
#include "dalembert/problem/problem_file.hpp"
#include "dalembert/problem/system_scope.hpp"
#include "dalembert/run/event/event.hpp"
#include "problem/scope/own_scope.hpp"

namespace dalembert::study {
namespace {

constexpr std::int64_t most_events = 1'000'000'000'000;

const DocumentNode zero{std::int64_t{0}};

ImpactEntry read_impact(const DocumentNode& node) {
  TableReader table(node);
  ImpactEntry entry{table.require("restitution"), {}, zero};
  if (const DocumentNode* grip = table.find("grip")) {
    entry.grip = as_list(*grip);
    if (entry.grip.empty()) grip->refuse("is an empty list; it needs a velocity along the wall");
  }
  if (const DocumentNode* restitution = table.find("grip_restitution")) {
    if (entry.grip.empty()) restitution->refuse("stands without grip, the velocities it is about");
    entry.grip_restitution = *restitution;
  }
  if (const DocumentNode* rest = table.find("rest")) {
    entry.rest = parse_constant(*rest);
    if (!(entry.rest > 0.0)) rest->refuse("is " + rest->found() + "; it must be > 0, a velocity");
  }
  table.finish();
  return entry;
}

/// true: the first ends the run; a number: that one does.
std::uint64_t read_terminal(const DocumentNode& node) {
  if (std::holds_alternative<bool>(node.value)) return as_boolean(node) ? 1 : 0;
  if (!std::holds_alternative<std::int64_t>(node.value))
    node.refuse("is " + node.found() + "; it must be true, or the number of the last event");
  return static_cast<std::uint64_t>(as_whole(node, 1, most_events));
}

EventEntry read_event(const DocumentNode& node) {
  TableReader table(node);
  EventEntry entry{table.text("name", "event"), table.require("of")};
  entry.place = node.place;
  // It becomes part of the names of groups in files.
  if (!is_name_for_files(entry.name)) table.require("name").refuse(name_for_files_rule);
  if (const DocumentNode* direction = table.find("direction"))
    entry.direction = read_direction(*direction);
  if (const DocumentNode* terminal = table.find("terminal"))
    entry.stop_after = read_terminal(*terminal);
  if (const DocumentNode* impact = table.find("impact")) entry.impact = read_impact(*impact);
  entry.set = table.entries("set");
  if (const DocumentNode* set = table.find("set")) {
    if (entry.impact) set->refuse("stands beside impact; an event does one of them");
    if (entry.set.empty()) set->refuse("is empty; it says what coordinates or velocities become");
  }
  if (const DocumentNode* project = table.find("project")) {
    entry.project = as_boolean(*project);
    if (entry.set.empty()) project->refuse("stands without set, whose state it would project");
  }
  table.finish();
  return entry;
}

/// What the expressions of events need, kept by them.
struct Surroundings {
  ProblemFile problem;
  System system;
  Sizes sizes;

  Scope scope(const Symbols& symbols) const { return own_scope(problem, system, sizes, symbols); }
  /// With multipliers and accelerations, those of the motion through the state, where the
  /// expression names some.
  Scope scope_of(const DocumentNode& expression, const Symbols& symbols) const {
    Scope found = scope(symbols);
    if (!mentions_reactions(expression, problem)) return found;
    const std::vector<std::string> names = system.multiplier_names();
    add_reactions(
        system, symbols, [&names](std::size_t i) { return names[i]; }, found);
    for (std::size_t i = 0; i < names.size(); ++i)
      found.names.emplace("lambda_" + std::to_string(i + 1), found.names.at(names[i]));
    return found;
  }
};
using SurroundingsPointer = std::shared_ptr<const Surroundings>;

ContactLaw contact_law(const EventEntry& entry, const SurroundingsPointer& around) {
  return [entry, around](const Symbols& s) {
    const Scope scope = around->scope(s);
    const Expr function = parse_expression(entry.of, scope);
    if (depends_on(function, s.v))
      entry.of.refuse("contains velocities; the contact of an impact is where positions are");
    std::vector<ContactVelocity> contacts{{rate_at_velocity(around->system, s, function),
                                           parse_expression(entry.impact->restitution, scope)}};
    for (const DocumentNode& velocity : entry.impact->grip) {
      contacts.push_back({parse_expression(velocity, scope),
                          parse_expression(entry.impact->grip_restitution, scope)});
      if (!depends_on(contacts.back().velocity, s.v))
        velocity.refuse("contains no velocity; a grip is a velocity along the wall");
    }
    return contacts;
  };
}

std::vector<std::string> settable_names(const System& system) {
  std::vector<std::string> names;
  for (const Coordinate& number : system.configuration().storage()) names.push_back(number.name);
  if (system.is_skew_gradient()) return names;
  const std::vector<std::string> velocities = system.configuration().velocity_columns();
  names.insert(names.end(), velocities.begin(), velocities.end());
  return names;
}

std::function<StateChange(const Symbols&)> change_law(const EventEntry& entry,
                                                      const SurroundingsPointer& around) {
  return [entry, around](const Symbols& s) {
    const Scope scope = around->scope(s);
    const std::vector<std::string> names = settable_names(around->system);
    StateChange change{s.q, s.v};
    for (const auto& [name, node] : entry.set) {
      const auto found = std::ranges::find(names, name);
      if (found == names.end())
        node.refuse("is no coordinate or velocity of problem \"" + around->problem.name + "\"" +
                    suggestion(name, names));
      const auto place = static_cast<std::size_t>(found - names.begin());
      Expr& target = place < s.q.size() ? change.q[place] : change.v[place - s.q.size()];
      target = parse_expression(node, scope);
    }
    return change;
  };
}

}  // namespace

Direction read_direction(const DocumentNode& node) {
  const std::string& word = as_text(node);
  if (word == "rising") return Direction::rising;
  if (word == "falling") return Direction::falling;
  if (word != "both") node.refuse("must be \"rising\", \"falling\" or \"both\"");
  return Direction::both;
}

std::vector<EventEntry> read_events(const DocumentNode* node, std::vector<EventEntry> before) {
  if (node == nullptr) return before;
  for (const DocumentNode& entry : as_list(*node)) {
    EventEntry event = read_event(entry);
    if (std::ranges::find(before, event.name, &EventEntry::name) != before.end())
      throw RequestError(event.place.text(),
                         "an event is named \"" + event.name +
                             "\" already; give this one another name with the key \"name\"");
    before.push_back(std::move(event));
  }
  return before;
}

std::vector<Event> make_events(const std::vector<EventEntry>& entries, const ProblemFile& problem,
                               const System& system, const Sizes& sizes) {
  std::vector<Event> events;
  if (entries.empty()) return events;
  const auto around = std::make_shared<const Surroundings>(Surroundings{problem, system, sizes});
  for (const EventEntry& entry : entries) {
    Event event{.name = entry.name,
                .function =
                    [entry, around](const Symbols& s) {
                      return parse_expression(entry.of, around->scope_of(entry.of, s));
                    },
                .direction = entry.direction,
                .stop_after = entry.stop_after,
                .project = entry.project};
    if (entry.impact) {
      event.impact = contact_law(entry, around);
      event.rest = entry.impact->rest;
    }
    if (!entry.set.empty()) event.change = change_law(entry, around);
    try {
      static_cast<void>(EventFunctions(system, {event}));
    } catch (const RequestError& error) {
      throw error.at(entry.place.text());
    }
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace dalembert::study
