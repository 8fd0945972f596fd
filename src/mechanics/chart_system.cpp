#include "dalembert/mechanics/chart_system.hpp"

#include "dalembert/error.hpp"
#include "mechanics/new_symbols.hpp"

namespace dalembert {
namespace {

/// A place in the chart as the original system sees it.
struct Place {
  Vector position, velocity;
  Expr t;
};

SystemDescription description_of(const System& original) {
  SystemDescription description{.name = original.name(), .coordinates = {}};
  description.parameters = original.description().parameters;
  for (std::size_t i = 0; i < original.dof(); ++i)
    description.coordinates.push_back({"chart_" + std::to_string(i + 1)});
  for (const std::string point : {"base_", "reference_"}) {
    for (const Coordinate& number : original.configuration().storage())
      description.parameters.push_back({.name = point + number.name});
  }
  return description;
}

/// Symbols of the chart beside those of the original, in one graph; those of the two points last
/// among the parameters.
Symbols symbols_of(const SystemDescription& description, const Symbols& original) {
  Symbols symbols = original;
  const GraphPointer graph = original.t.graph();
  const std::size_t n = description.coordinates.size();
  symbols.q = new_symbols(graph, "chart", n);
  symbols.v = new_symbols(graph, "chart_dot", n);
  symbols.variables = symbols.q;
  symbols.elements.clear();
  for (std::size_t i = 0; i < n; ++i) {
    symbols.elements.emplace(description.coordinates[i].name,
                             Symbols::Element{{symbols.q[i]}, {symbols.v[i]}, {}});
  }
  for (std::size_t i = original.parameter_list.size(); i < description.parameters.size(); ++i) {
    const std::string& name = description.parameters[i].name;
    symbols.parameter_list.push_back(make_symbol(graph, name));
    symbols.parameters.emplace(name, symbols.parameter_list.back());
  }
  return symbols;
}

/// What the original says, at that place, in the graph of the symbols.
Mechanics mechanics_of(const System& original, Retraction retraction, const Vector& x,
                       const Place& place) {
  const GraphPointer graph = x.front().graph();
  const Configuration& space = original.configuration();
  const Mechanics& given = original.mechanics();
  const auto here = [&](const Vector& expressions) {
    return in_graph(original.at(expressions, place.position, place.velocity, place.t), graph);
  };
  Mechanics result;
  result.lagrangian = in_graph(original.lagrangian(place.position, place.velocity, place.t), graph);
  result.constraints = here(given.constraints);
  result.holonomic = here(given.holonomic);
  if (!given.force.empty())
    result.force = space.tangent_transpose(retraction, x, here(given.force));
  for (const Vector& reaction : given.reactions)
    result.reactions.push_back(
        reaction.empty() ? Vector{} : space.tangent_transpose(retraction, x, here(reaction)));
  return result;
}

/// The fields of the frame on the group, at that place.
std::vector<Vector> fields_at(const System& original, std::optional<FrameKind> kind,
                              const Vector& reference, const Place& place) {
  if (!kind && original.mechanics().frame.empty()) return {};
  const Matrix frame =
      Frame(original, kind.value_or(FrameKind::given), reference).at(place.position);
  std::vector<Vector> fields;
  for (std::size_t a = 0; a < frame.columns(); ++a) fields.push_back(frame.column(a));
  return fields;
}

}  // namespace

ChartSystem chart_system(const System& original, Retraction retraction,
                         std::optional<FrameKind> frame) {
  if (original.is_skew_gradient()) {
    throw RequestError("a chart needs a Lagrangian, and system \"" + original.name() +
                       "\" is in skew-gradient form");
  }
  SystemDescription description = description_of(original);
  Symbols symbols = symbols_of(description, original.symbols());
  const GraphPointer graph = symbols.t.graph();
  const Configuration& space = original.configuration();
  const std::size_t known = original.description().parameters.size(),
                    stored = space.storage_count();
  const Vector base = slice(symbols.parameter_list, known, stored),
               reference = slice(symbols.parameter_list, known + stored, stored);
  Place place{space.move(retraction, base, symbols.q), {}, symbols.t};
  place.velocity = space.tangent(retraction, symbols.q, symbols.v);
  Mechanics mechanics = mechanics_of(original, retraction, symbols.q, place);
  for (const Vector& field : fields_at(original, frame, reference, place))
    mechanics.frame.push_back(space.tangent_inverse(retraction, symbols.q, in_graph(field, graph)));
  return {System::define(std::move(description), graph, std::move(symbols), std::move(mechanics)),
          base, reference};
}

}  // namespace dalembert
