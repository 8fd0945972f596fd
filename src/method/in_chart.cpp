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
  Vector symbols;  // start of the step, its time and size, base point and reference

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
    symbols = concatenate(
        {before.q, before.v, before.lambda, {before.t, h}, chart.base, chart.reference});
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
  Expr operator()(const Expr& expression) const { return (*this)(Vector{expression}).front(); }
  /// Lets these stand for symbols of the step in the chart, too.
  void add(const Vector& symbols, const Vector& values) {
    from = concatenate({from, symbols});
    to = concatenate({to, values});
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
      add(group.symbols, unknowns.groups().back().symbols);
    }
  }
};

/// The stages of a step in the chart, if what they need of it is known to sweeps: also what they
/// start from. Without constraints there is no frame, and momenta are those of the chart: around an
/// origin in the middle they begin with numbers that depend on the end.
const StageIteration* stages_to_hand_on(const Equations& equations, const System& in_chart,
                                        bool centred) {
  if (centred && in_chart.constraint_count() == 0) return nullptr;
  const auto& stages = equations.stages;
  return stages && stages->end.empty() && !stages->end_weights.empty() ? &*stages : nullptr;
}

/// The step in the chart, as a part of the whole step.
struct ChartOfStep {
  const StepInChart& step;
  const Configuration& space;
  Retraction retraction;
  bool centred;  // at the middle of the step, else at its start
  const State& before;
  Expr h;

  /// The origin, half a step from the start.
  Vector around(const Vector& half) const {
    return centred ? space.move(retraction, before.q, half) : before.q;
  }
  Translation translation(const Vector& half) const {
    const Vector rate = centred ? space.tangent_inverse(retraction, -half, before.v) : before.v;
    return {h.graph(), step.symbols,
            concatenate({-half, rate, before.lambda, {before.t, h}, around(half), before.q})};
  }
  /// Translation with another origin and the unknowns of a first one.
  Translation translation(const Vector& half, const Translation& other) const {
    const std::size_t known = step.symbols.size(), more = other.from.size() - known;
    Translation result = translation(half);
    result.add(slice(other.from, known, more), slice(other.to, known, more));
    return result;
  }
  /// Half of the displacement by the rates of all stages.
  Vector half_by(const StageIteration& stages) const {
    Vector sum = zeros(space.dof());
    for (std::size_t j = 0; j < stages.rates.size(); ++j)
      sum = sum + Expr(stages.end_weights[j]) * slice(stages.rates[j], 0, space.dof());
    return (0.5 * stages.step) * sum;
  }
  /// The stages of the whole step, whose places are displacements from its start. `at_start`: the
  /// translation where the origin is the start of the step. What moves with velocities there is the
  /// same around every origin, as the frame is one of the group.
  StageIteration stages(const StageIteration& given, const Translation& at_start) const {
    const std::size_t p = given.positions;
    const GraphPointer& graph = h.graph();
    StageIteration result = given;
    result.state = new_symbols(graph, "stage", given.state.size());
    result.time = make_symbol(graph, "stage_time");
    result.means.means = new_symbols(graph, "mean", given.means.means.size());
    if (centred) result.end = new_symbols(graph, "step_displacement", p);
    const Vector half = centred ? 0.5 * result.end : zeros(p);
    Translation there = translation(half);
    there.add(given.state, concatenate({slice(result.state, 0, p) - half,
                                        slice(result.state, p, given.state.size() - p)}));
    there.add(concatenate({{given.time}, given.means.means}),
              concatenate({{result.time}, result.means.means}));
    result.rate = there(given.rate);
    result.means.function = there(given.means.function);
    result.before =
        concatenate({zeros(p), slice(at_start(given.before), p, given.before.size() - p)});
    result.start_time = at_start(given.start_time);
    result.step = at_start(given.step);
    for (Vector& rates : result.rates) rates = at_start(rates);
    return result;
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
  const ChartOfStep chart_of_step{step, space, retraction, origin == ChartBase::middle, a, h};
  const StageIteration* stages =
      stages_to_hand_on(step.equations, chart.system, chart_of_step.centred);
  const bool is_unknown = chart_of_step.centred && stages == nullptr;
  Vector half = is_unknown ? 0.5 * u.vector("displacement", h * a.v) : zeros(s.dof());
  Translation here = chart_of_step.translation(half);
  here.add(step.unknowns, u);
  std::optional<StageIteration> swept;
  if (stages != nullptr) {
    swept = chart_of_step.stages(*stages, here);
    if (chart_of_step.centred) {
      half = chart_of_step.half_by(*swept);
      here = chart_of_step.translation(half, here);
    }
  }
  const Vector zero = here(step.equations.zero), constraint = here(step.equations.constraint);
  const State& end = step.equations.after;
  const Vector x = here(end.q), rate_at_end = here(end.v), lambda = here(end.lambda);
  const Vector velocity = space.tangent(retraction, x, rate_at_end);
  const Vector place = space.normalised(space.move(retraction, chart_of_step.around(half), x));
  return {.zero = is_unknown ? concatenate({zero, x - half}) : zero,
          .constraint = constraint,
          .after = {place, velocity, lambda},
          .stages = std::move(swept)};
}

}  // namespace dalembert
