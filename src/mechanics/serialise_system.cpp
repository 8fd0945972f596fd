#include "dalembert/mechanics/serialise_system.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "dalembert/expression/text/serialise.hpp"
#include "mechanics/definition/symbol_names.hpp"

namespace dalembert {
namespace {

constexpr std::string_view kind = "system";

// Each value is written and read by one function each, in the same order.

void write(SerialWriter& out, const SystemDescription& description) {
  for (const std::string* text : {&description.name, &description.description, &description.source})
    out.text(*text);
  out.whole(description.coordinates.size());
  for (const Coordinate& coordinate : description.coordinates) {
    out.text(coordinate.name);
    // 0: a number, 1: an angle, 2: an element of the group that follows.
    out.whole(coordinate.group.empty() ? coordinate.is_angle : 2);
    if (!coordinate.group.empty()) out.text(coordinate.group);
  }
  out.whole(description.parameters.size());
  for (const Parameter& parameter : description.parameters) {
    out.text(parameter.name);
    for (const double number : {parameter.value, parameter.min, parameter.max}) out.number(number);
    out.whole(parameter.min_exclusive);
    out.whole(parameter.max_exclusive);
    out.text(parameter.description);
  }
}

SystemDescription read_description(SerialReader& in) {
  SystemDescription description;
  for (std::string* text : {&description.name, &description.description, &description.source})
    *text = in.text();
  description.coordinates.resize(in.count());
  for (Coordinate& coordinate : description.coordinates) {
    coordinate.name = in.text();
    const std::uint64_t form = in.whole(2);
    coordinate.is_angle = form == 1;
    if (form == 2) coordinate.group = in.text();
  }
  description.parameters.resize(in.count());
  for (Parameter& parameter : description.parameters) {
    parameter.name = in.text();
    for (double* number : {&parameter.value, &parameter.min, &parameter.max}) *number = in.number();
    parameter.min_exclusive = in.flag();
    parameter.max_exclusive = in.flag();
    parameter.description = in.text();
  }
  return description;
}

void write(SerialWriter& out, const std::optional<SkewGradient>& given, std::size_t size) {
  out.whole(given.has_value());
  if (!given) return;
  out.expression(given->hamiltonian);
  for (std::size_t i = 0; i < size * size; ++i) out.expression(given->structure.entries()[i]);
}

std::optional<SkewGradient> read_skew_gradient(SerialReader& in, std::size_t size) {
  if (!in.flag()) return std::nullopt;
  SkewGradient given{in.expression(), Matrix(size, size)};
  for (Expr& entry : given.structure.entries()) entry = in.expression();
  return given;
}

void write(SerialWriter& out, const Mechanics& mechanics, std::size_t dof) {
  out.expression(mechanics.kinetic);
  out.expression(mechanics.potential);
  out.whole(mechanics.lagrangian.has_value());
  if (mechanics.lagrangian) out.expression(*mechanics.lagrangian);
  for (const Vector* list : {&mechanics.constraints, &mechanics.holonomic, &mechanics.force})
    out.expressions(*list);
  out.whole(mechanics.integrals.size());
  for (const auto& [name, integral] : mechanics.integrals) {
    out.text(name);
    out.expression(integral);
  }
  out.whole(mechanics.reversal.has_value());
  if (mechanics.reversal) {
    for (const double sign : *mechanics.reversal) out.number(sign);
  }
  write(out, mechanics.skew_gradient, dof);
  out.whole(mechanics.frame.size());
  for (const Vector& field : mechanics.frame) out.expressions(field);
}

Mechanics read_mechanics(SerialReader& in, std::size_t coordinates, std::size_t dof) {
  Mechanics mechanics{.kinetic = in.expression(), .potential = in.expression()};
  if (in.flag()) mechanics.lagrangian = in.expression();
  for (Vector* list : {&mechanics.constraints, &mechanics.holonomic, &mechanics.force})
    *list = in.expressions();
  mechanics.integrals.resize(in.count());
  for (auto& [name, integral] : mechanics.integrals) {
    name = in.text();
    integral = in.expression();
  }
  if (in.flag()) {
    mechanics.reversal.emplace(coordinates);
    for (double& sign : *mechanics.reversal) sign = in.number();
  }
  mechanics.skew_gradient = read_skew_gradient(in, coordinates);
  mechanics.frame.resize(in.count());
  for (Vector& field : mechanics.frame) {
    field = in.expressions();
    if (field.size() != dof) in.refuse("a field of its frame has another size");
  }
  return mechanics;
}

/// Names and reactions of constraints are a last part; texts of systems without both end before it,
/// those with names alone after these.
void write_constraints(SerialWriter& out, const SystemDescription& description,
                       const std::vector<Vector>& reactions) {
  const bool has_names = std::ranges::any_of(description.multiplier_names,
                                             [](const std::string& name) { return !name.empty(); });
  if (!has_names && reactions.empty()) return;
  out.whole(description.multiplier_names.size());
  for (const std::string& name : description.multiplier_names) out.text(name);
  if (reactions.empty()) return;
  out.whole(reactions.size());
  for (const Vector& reaction : reactions) out.expressions(reaction);
}

void read_constraints(SerialReader& in, SystemDescription& description,
                      std::vector<Vector>& reactions) {
  if (in.is_at_end()) return;
  description.multiplier_names.resize(in.count());
  for (std::string& name : description.multiplier_names) name = in.text();
  if (in.is_at_end()) return;
  reactions.resize(in.count());
  for (Vector& reaction : reactions) reaction = in.expressions();
}

}  // namespace

std::string serialise(const System& system) {
  SerialWriter out(kind);
  write(out, system.description());
  // All nodes, also those that only the derivation of the equations has left: what is built later
  // finds them under their numbers. A new overlay has just the nodes of the system.
  const Symbols symbols = system.symbols();
  const Graph& graph = *symbols.t.graph();
  std::vector<NodeId> ids(graph.size());
  std::iota(ids.begin(), ids.end(), NodeId{0});
  out.nodes(graph, ids);
  write(out, system.mechanics(), system.dof());
  write_constraints(out, system.description(), system.mechanics().reactions);
  return out.finish();
}

System deserialise_system(std::string_view text) {
  SerialReader in(text, kind);
  SystemDescription description = read_description(in);
  auto [graph, symbols] = System::make_symbols(description);
  in.nodes(graph);
  Mechanics mechanics = read_mechanics(in, description.coordinates.size(), symbols.v.size());
  read_constraints(in, description, mechanics.reactions);
  in.finish();
  check_names_in(*graph);
  return System::define(std::move(description), std::move(graph), std::move(symbols),
                        std::move(mechanics));
}

}  // namespace dalembert
