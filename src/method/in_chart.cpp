#include "dalembert/method/in_chart.hpp"

#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/chart_system.hpp"
#include "mechanics/new_symbols.hpp"
#include "method/stage/retraction_words.hpp"

namespace dalembert {
namespace {

/// One step of a method in a chart, in symbols of its own.
struct StepInChart {
  State before;
  Expr h;
  Unknowns unknowns;
  Equations equations;
  Vector symbols;  // the start of the step, its time and size, and the base point

  StepInChart(const Method& method, const ChartSystem& chart)
      : StepInChart(method, chart, chart.system.symbols().t.graph()) {}

 private:
  StepInChart(const Method& method, const ChartSystem& chart, const GraphPointer& graph)
      : unknowns(graph) {
    const std::size_t n = chart.system.dof();
    before.q = new_symbols(graph, "x", n);
    before.v = new_symbols(graph, "u", n);
    before.lambda = new_symbols(graph, "multiplier", chart.system.constraint_count());
    before.t = make_symbol(graph, "time");
    h = make_symbol(graph, "h", {}, true);
    symbols = concatenate({before.q, before.v, before.lambda, {before.t, h}, chart.base});
    equations = method.equations(chart.system, before, unknowns, h);
  }
};

/// The frame that the base asks for; nothing for a base without that option.
std::optional<FrameKind> frame_of(const Method& base) {
  const auto option = base.definition().values.find("frame");
  if (option == base.definition().values.end()) return std::nullopt;
  const auto* name = std::get_if<std::string>(&option->second);
  return name == nullptr ? std::nullopt : std::optional(frame_kind(*name));
}

/// The base with the frame that the chart supplies: one of the group, which knows nothing of the
/// chart.
Method with_given_frame(const Method& base) {
  if (!frame_of(base)) return base;
  MethodSpec spec = base.spec();
  spec.options["frame"] = std::string("given");
  return make_method(spec);
}

/// What stands here, in the graph of the whole step, for symbols of the step in the chart.
struct Translation {
  GraphPointer graph;
  Vector from, to;

  Vector operator()(const Vector& expressions) const {
    return rebuild_in(graph, expressions, from, to);
  }
  /// Takes the unknowns among those of the whole step.
  void add(const Unknowns& in_chart, Unknowns& unknowns) {
    for (const Unknowns::Group& group : in_chart.groups()) {
      if (group.is_multiplier) {
        unknowns.multiplier(group.name, (*this)(group.start));
      } else {
        const Vector guess = substitute(group.value, group.symbols, zeros(group.symbols.size()));
        unknowns.vector(group.name, (*this)(guess));
      }
      from = concatenate({from, group.symbols});
      to = concatenate({to, unknowns.groups().back().symbols});
    }
  }
};

}  // namespace

MethodPage<InChart> InChart::page() {
  return {
      .name = "chart",
      .title = "a method on R^n, on groups in the chart of a step",
      .use = {"a method that needs coordinates shall run on a Lie group",
              "there are no groups, where it is its base, or the method runs on groups by "
              "itself, as lobatto and gauss do"},
      .description =
          "Takes each step of the base in coordinates around a point of the step, so that methods "
          "which need coordinates work on Lie groups: order, constraints and exact energy carry "
          "over. Momenta in space, which methods made for groups keep, do not.",
      .source = "MartinDeDiegoSato2018, Sect. 6, for charts of a step",
      .formula = {"gc = q0 tau(theta*xi), theta = 1/2 for origin = middle, 0 for start",
                  "L^(x, u) = L(gc tau(x), T(x) u), Phi^(x, u) = Phi(gc tau(x), T(x) u)",
                  "(x1, u1): the step of the base with L^ and Phi^ from (-theta*xi, "
                  "T(-theta*xi)^-1 v0)",
                  "0 = x1 - (1 - theta)*xi", "q1 = gc tau(x1), v1 = T(x1) u1"},
      .facts = &InChart::facts,
      .requirements = &InChart::requirements,
      .equations = &InChart::equations,
      .options = {{"base", &InChart::base, "the method on R^n"},
                  {"retraction", &InChart::retraction, "the retraction tau", retraction_words()},
                  {"origin", &InChart::origin,
                   "the origin of the chart: in the middle of the step, or at its start",
                   Words<ChartBase>{{ChartBase::middle, "middle"}, {ChartBase::start, "start"}}}},
      .conflict = &InChart::conflict,
      .misfit = &InChart::misfit};
}

Facts InChart::facts() const {
  Facts facts = base.facts();
  facts.asymmetric_on_groups = origin == ChartBase::start;
  return facts;
}

Requirements InChart::requirements() const {
  Requirements requirements = base.requirements();
  requirements.handles_groups = true;
  return requirements;
}

std::optional<std::string> InChart::conflict() const {
  const std::string which = "cannot take \"" + base.name() + "\" as base: ";
  if (base.requirements().handles_groups && !base.requirements().takes_charts) {
    return which +
           "it handles groups itself, and in a chart it would lose the momenta that it "
           "keeps there; use it without";
  }
  if (base.definition().carries)
    return which + "it carries more than q and v from step to step, in the coordinates of a chart";
  return std::nullopt;
}

std::optional<std::string> InChart::misfit(const System& system) const {
  if (!system.traits().has_groups) return base.misfit(system);
  // A frame of the group can be asked for only where there is one.
  std::optional<std::string> reason;
  if (const auto kind = frame_of(base)) reason = Frame::misfit(system, *kind);
  if (!reason) {
    const ChartSystem chart = chart_system(system, retraction, frame_of(base));
    reason = with_given_frame(base).misfit(chart.system);
  }
  if (!reason) return std::nullopt;
  return "in the chart of a step, " + *reason;
}

Equations InChart::equations(const System& s, const State& a, Unknowns& u, const Expr& h) const {
  if (!s.traits().has_groups) return base.equations(s, a, u, h);
  const Configuration& space = s.configuration();
  const ChartSystem chart = chart_system(s, retraction, frame_of(base));
  const StepInChart step(with_given_frame(base), chart);
  const bool centred = origin == ChartBase::middle;
  const Vector half = centred ? 0.5 * u.vector("displacement", h * a.v) : zeros(s.dof());
  const Vector around = centred ? space.move(retraction, a.q, half) : a.q;
  const Vector rate = centred ? space.tangent_inverse(retraction, -half, a.v) : a.v;
  Translation here{h.graph(), step.symbols, concatenate({-half, rate, a.lambda, {a.t, h}, around})};
  here.add(step.unknowns, u);
  const Vector zero = here(step.equations.zero), constraint = here(step.equations.constraint);
  const State& end = step.equations.after;
  const Vector x = here(end.q), rate_at_end = here(end.v), lambda = here(end.lambda);
  const Vector velocity = space.tangent(retraction, x, rate_at_end);
  const Vector place = space.normalised(space.move(retraction, around, x));
  return {.zero = centred ? concatenate({zero, x - half}) : zero,
          .constraint = constraint,
          .after = {place, velocity, lambda}};
}

}  // namespace dalembert
