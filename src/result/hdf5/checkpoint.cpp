#include "checkpoint.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "dalembert/study/execution/cautions.hpp"
#include "result/hdf5/access/attribute.hpp"
#include "result/hdf5/access/table.hpp"
#include "result_file.hpp"

namespace dalembert::study {
namespace {

using namespace hdf5;

/// True for T and const T: what is visited is written or read by the same lines.
template <class Part, class T>
concept Is = std::same_as<std::remove_const_t<Part>, T>;

/// Collects numbers; nan for times that have not been.
struct NumbersOut {
  std::vector<double> numbers = {};

  void number(double value) { numbers.push_back(value); }
  void number(std::uint64_t value) { numbers.push_back(static_cast<double>(value)); }
  void number(ContactEnd value) { numbers.push_back(static_cast<double>(value)); }
  void number(const std::optional<double>& value) {
    numbers.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
};

/// Takes them back, in the same order. Numbers of a damaged file that mean nothing are left out.
struct NumbersIn {
  std::vector<double> numbers;
  std::size_t next = 0;

  void number(double& value) { value = numbers[next++]; }
  void number(std::uint64_t& value) {
    const double found = numbers[next++];
    if (found >= 0.0 && found < 1e15) value = static_cast<std::uint64_t>(found);
  }
  void number(ContactEnd& value) {
    const double found = numbers[next++];
    if (found >= 0.0 && found <= static_cast<double>(ContactEnd::pulls))
      value = static_cast<ContactEnd>(found);
  }
  void number(std::optional<double>& value) {
    const double found = numbers[next++];
    value = std::isnan(found) ? std::nullopt : std::optional<double>(found);
  }
};

template <class Numbers, class Part>
requires requires(Numbers numbers, Part& part) { numbers.number(part); }
void visit(Numbers& numbers, Part& part) { numbers.number(part); }

template <class Numbers>
void visit(Numbers& numbers, Is<Departure> auto& of) {
  for (auto* number : {&of.largest, &of.scale}) visit(numbers, *number);
  visit(numbers, of.since);
}

template <class Numbers>
void visit(Numbers& numbers, Is<IntegralSummary> auto& of) {
  for (auto* number : {&of.initial, &of.final, &of.max_error}) visit(numbers, *number);
}

template <class Numbers>
void visit(Numbers& numbers, Is<EventHistory> auto& of) {
  visit(numbers, of.count);
  visit(numbers, of.last);
}

/// A lean of nan is none.
template <class Numbers>
void visit(Numbers& numbers, Is<ContactHistory> auto& of) {
  visit(numbers, of.gap);
  visit(numbers, of.least_normal_force);
  visit(numbers, of.ended);
  visit(numbers, of.how);
  auto lean = of.lean;
  if (!of.has_lean) lean.fill(std::numeric_limits<double>::quiet_NaN());
  for (double& entry : lean) visit(numbers, entry);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(of)>>) {
    of.has_lean = !std::isnan(lean[0]);
    if (of.has_lean) of.lean = lean;
  }
}

template <class Numbers, class Entries>
requires Is<Entries, std::vector<typename Entries::value_type>>
void visit(Numbers& numbers, Entries& entries) {
  for (auto& entry : entries) visit(numbers, entry);
}

template <class Numbers>
void visit(Numbers& numbers, Is<Departures> auto& of) {
  visit(numbers, of.energy_start);
  visit(numbers, of.potential_start);
  visit(numbers, of.energy);
  visit(numbers, of.constraints);
}

/// Calls part(name, member, is_always_there) for each data set and attribute; what is not always
/// there lacks in files of earlier versions.
template <class Progress, class History, class Visit>
void visit_checkpoint(Progress& progress, History& history, const Visit& part) {
  part("t", progress.point.t, true);
  part("constraint_max", history.constraint_max, true);
  part("departures", history.departures, false);
  part("contacts", history.contacts, false);
  part("multipliers", history.multipliers, false);
  part("events", history.event_histories, false);
  part("ended_by", progress.ended_by, false);
  part("energy", history.energy, true);
  for (auto& integral : history.integrals) part("integral_" + integral.name, integral, true);
  const auto state = [&part](const std::string& name, auto& values) {
    part(name + "_t", values.t, true);
    part(name + "_q", values.q, true);
    part(name + "_v", values.v, true);
    part(name + "_lambda", values.lambda, true);
  };
  state("initial", progress.initial);
  state("final", progress.final);
  part("steps", progress.steps, true);
}

/// The data sets of cautions: one of each name, or of several in a group.
std::map<std::string, std::vector<Caution>> kept_cautions() {
  std::map<std::string, std::vector<Caution>> sets;
  for (const CautionKind& kind : caution_kinds())
    if (kind.is_kept) sets[*kind.group == '\0' ? kind.name : kind.group].push_back(kind.caution);
  return sets;
}

/// Room for the numbers of a run as it is planned.
void make_room(const RunPlan& plan, RunProgress& progress, RunHistory& history) {
  const std::size_t constraints =
      plan.system.is_skew_gradient() ? 0 : plan.system.constraint_count();
  history.departures.constraints.resize(constraints);
  history.multipliers.resize(plan.carries_multiplier() ? plan.system.nonholonomic_count() : 0);
  history.contacts.resize(plan.contacts.names().size());
  history.event_histories.resize(plan.events.size());
  for (const std::string& name : plan.columns.integral_names()) history.integrals.push_back({name});
  for (StateValues* state : {&progress.initial, &progress.final}) {
    state->q.resize(plan.columns.q_count);
    state->v.resize(plan.columns.velocity_count);
    state->lambda.resize(plan.columns.lambda_count);
  }
}

/// Reads as many numbers as the part has.
void read_numbers(hid_t group, const std::string& name, auto& part) {
  NumbersOut room;
  visit(room, part);
  NumbersIn found{read_values(group, name, room.numbers.size())};
  visit(found, part);
}

}  // namespace

void write_checkpoint(hid_t run, const RunProgress& progress, const RunHistory& history) {
  const Handle group = exists(run, "state") ? open_group(run, "state") : make_group(run, "state");
  for (const auto& [name, part] : point_parts) write_vector(group, name, progress.point.*part);
  visit_checkpoint(progress, history, [&](const std::string& name, const auto& part, bool) {
    using Part = std::remove_cvref_t<decltype(part)>;
    if constexpr (std::same_as<Part, std::string> || std::same_as<Part, std::uint64_t>) {
      write_attribute(group, name, part);
    } else {
      NumbersOut out;
      visit(out, part);
      write_vector(group, name, out.numbers);
    }
  });
  for (const auto& [name, cautions] : kept_cautions()) {
    NumbersOut out;
    for (const Caution caution : cautions) out.number(history.cautions[caution]);
    write_vector(group, name, out.numbers);
  }
}

void read_checkpoint(hid_t run, const RunPlan& plan, RunProgress& progress, RunHistory& history) {
  if (!exists(run, "state")) return;
  const Handle group = open_group(run, "state");
  for (const auto& [name, part] : point_parts)
    progress.point.*part = read_part(group, name, *plan.program);
  make_room(progress.point, *plan.program);
  make_room(plan, progress, history);
  visit_checkpoint(progress, history,
                   [&](const std::string& name, auto& part, bool is_always_there) {
                     using Part = std::remove_cvref_t<decltype(part)>;
                     if constexpr (std::same_as<Part, std::string>) {
                       if (has_attribute(group, name)) part = read_text_attribute(group, name);
                     } else if constexpr (std::same_as<Part, std::uint64_t>) {
                       part = read_whole_attribute(group, name);
                     } else if (is_always_there || exists(group, name)) {
                       read_numbers(group, name, part);
                     }
                   });
  for (const auto& [name, cautions] : kept_cautions()) {
    if (!exists(group, name)) continue;  // not in files of earlier versions
    NumbersIn found{read_values(group, name, cautions.size())};
    for (const Caution caution : cautions) found.number(history.cautions[caution]);
  }
}

}  // namespace dalembert::study
