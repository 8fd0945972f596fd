#include "dalembert/mechanics/rank/redundancy.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace dalembert {
namespace {

std::vector<std::size_t> others_than(const std::vector<std::size_t>& kept, std::size_t count) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < count; ++i)
    if (!std::ranges::binary_search(kept, i)) others.push_back(i);
  return others;
}

Vector entries_at(const Vector& all, const std::vector<std::size_t>& kept, std::size_t first) {
  Vector entries;
  for (const std::size_t i : kept)
    if (i >= first && i < first + all.size()) entries.push_back(all[i - first]);
  return entries;
}

/// System with some of the constraints of another.
System with_constraints(const System& system, const std::vector<std::size_t>& kept) {
  SystemDescription description = system.description();
  const std::vector<std::string> names = std::exchange(description.multiplier_names, {});
  for (const std::size_t i : kept)
    if (!names.empty()) description.multiplier_names.push_back(names[i]);
  Symbols symbols = system.symbols();
  const GraphPointer graph = symbols.t.graph();
  Mechanics mechanics = system.mechanics();
  mechanics.constraints = entries_at(mechanics.constraints, kept, 0);
  mechanics.holonomic = entries_at(mechanics.holonomic, kept, system.nonholonomic_count());
  if (!mechanics.reactions.empty()) {
    std::vector<Vector> reactions;
    for (const std::size_t i : kept) reactions.push_back(in_graph(mechanics.reactions[i], graph));
    mechanics.reactions = std::move(reactions);
  }
  for (Expr* one : {&mechanics.kinetic, &mechanics.potential}) *one = in_graph(*one, graph);
  if (mechanics.lagrangian) mechanics.lagrangian = in_graph(*mechanics.lagrangian, graph);
  for (Vector* list : {&mechanics.constraints, &mechanics.holonomic, &mechanics.force})
    *list = in_graph(*list, graph);
  for (auto& [name, integral] : mechanics.integrals) integral = in_graph(integral, graph);
  for (Vector& field : mechanics.frame) field = in_graph(field, graph);
  return System::define(std::move(description), graph, std::move(symbols), std::move(mechanics));
}

std::vector<std::string> names_of(const System& system, const std::vector<std::size_t>& which) {
  const std::vector<std::string> all = system.multiplier_names();
  std::vector<std::string> names;
  for (const std::size_t i : which) names.push_back(all[i]);
  return names;
}

std::string comma_list(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

Redundancy::Redundancy(System all, std::vector<std::size_t> kept, std::vector<bool> shared)
    : all_(std::move(all)),
      kept_(std::move(kept)),
      left_out_(others_than(kept_, all_.constraint_count())),
      shared_(std::move(shared)),
      working_(with_constraints(all_, kept_)) {}

std::vector<std::string> Redundancy::left_out_names() const { return names_of(all_, left_out_); }

std::vector<std::string> Redundancy::shared_names() const {
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < shared_.size(); ++i)
    if (shared_[i]) which.push_back(i);
  return names_of(all_, which);
}

std::string Redundancy::sentence() const {
  return constraint_list(all_, left_out_) + (left_out_.size() == 1 ? " follows" : " follow") +
         " from the others; of the multipliers " + comma_list(shared_names()) +
         ", which share reactions, those of least norm are shown";
}

std::string constraint_list(const System& system, const std::vector<std::size_t>& which) {
  const std::vector<std::string> names = system.multiplier_names();
  std::vector<std::string> words;
  for (const std::size_t i : which) {
    const std::string number = std::to_string(i + 1);
    words.push_back(names[i] == "lambda_" + number ? number : names[i]);
  }
  return (which.size() == 1 ? "constraint " : "constraints ") + comma_list(words);
}

}  // namespace dalembert
