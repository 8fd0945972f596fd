#include "dalembert/method/energy/collocation.hpp"

#include <algorithm>
#include <utility>

#include "dalembert/expression/derivative.hpp"
#include "dalembert/expression/query.hpp"
#include "dalembert/mechanics/difference/quadrature.hpp"
#include "method/stage/weighted_sum.hpp"
#include "reduced_system.hpp"

namespace dalembert {
namespace {

/// Of a rule that is exact to round-off for steps that resolve a function.
constexpr int nodes_beside_stages = 7;

}  // namespace

MethodPage<EnergyCollocation> EnergyCollocation::page() {
  return {
      .name = "energy-collocation",
      .title = "energy-preserving collocation on D*",
      .use = {"energy and constraints must both be exact, and order 2 is not enough",
              "a tolerance is all that matters: gauss takes a fraction of the work; with "
              "forces, explicit time or constraints on positions it is refused"},
      .description =
          "High order with exact constraint, and with exact energy where the quadrature along a "
          "step is: near their singularities roots and quotients need more nodes or a smaller "
          "step. One stage is the mean-value reduced gradient. With an orthonormal frame driver "
          "and passenger of a coupled system keep their energies separately.",
      .source = "CohenHairer2011 on the equations of Celledoni2019, Sect. 2",
      .formula = {"zeta = (q, rho), H and Pi on D* as for reduced-gradient; b, c the Gauss weights "
                  "and nodes, l_i Lagrange polynomials",
                  "u(0) = zeta0, u polynomial of degree s in tau",
                  "0 = u'(c_i) - h*Pi(u(c_i)) int_0^1 l_i(tau)/b_i dH(u(tau)) dtau, i = 1..s",
                  "zeta1 = u(1)"},
      .facts = &EnergyCollocation::facts,
      .requirements = reduced_requirements(),
      .equations = &EnergyCollocation::equations,
      .options = {{"stages", &EnergyCollocation::stages,
                   "number of stages; the order is twice as high", 1, 16},
                  {"frame", &EnergyCollocation::frame, frame_sentence, frame_words()},
                  {"quadrature", &EnergyCollocation::quadrature,
                   "nodes of the integral along a step; auto: enough for polynomials up to degree "
                   "8, else stages + 7, and more where the first 200 steps of a run need them",
                   1, most_quadrature_nodes}},
      .conflict = &EnergyCollocation::conflict,
      .misfit = &EnergyCollocation::misfit};
}

std::optional<std::string> EnergyCollocation::conflict() const {
  if (!quadrature || *quadrature >= stages) return std::nullopt;
  return "has " + std::to_string(stages) + " stages and only " + std::to_string(*quadrature) +
         " nodes of quadrature; it needs as many nodes as stages for its order";
}

Facts EnergyCollocation::facts() const {
  return {.order = 2 * stages,
          .multiplier_order = 2 * stages,
          .continuous_multiplier = true,
          .symmetric = true,
          .reversible = true,
          .maps_constraint_set = true,
          // With fewer nodes than it would choose itself nothing is promised.
          .exact_energy = !quadrature || *quadrature >= stages + nodes_beside_stages,
          .keeps_fibration = false};  // as for the reduced gradient
}

std::optional<std::string> EnergyCollocation::misfit(const System& system) const {
  if (system.is_skew_gradient()) return std::nullopt;
  return Frame::misfit(system, frame);
}

namespace {

/// Points of a Gauss rule for dH along a polynomial of degree `stages` times l_i: exact for a
/// polynomial energy of moderate degree, else to round-off for steps that resolve the solution.
int quadrature_points(const Expr& energy, const Vector& variables, int stages) {
  const int degree = polynomial_degree(energy, variables);
  if (degree > 8) return stages + nodes_beside_stages;
  return std::max(stages, (stages * std::max(degree - 1, 0) + stages - 1 + 2) / 2);
}

/// Of the mean of a function with l_i/b_i along a step: those of its values at the fine nodes.
std::vector<Constant> mean_weights(const QuadratureRule& nodes, const QuadratureRule& fine,
                                   std::size_t i) {
  std::vector<Constant> weights;
  for (std::size_t k = 0; k < fine.nodes.size(); ++k) {
    weights.push_back(fine.weights[k] * lagrange_value(nodes.nodes, i, fine.nodes[k]) /
                      nodes.weights[i]);
  }
  return weights;
}

/// True if sweeps find the stages faster than Newton's iteration: for many unknowns, and where the
/// derivatives of long gradients at all nodes are needed, as in the chart of a step on groups,
/// which gives its frame.
bool is_swept(const System& s, std::size_t stages, FrameKind frame) {
  constexpr std::size_t smallest_size = 8;
  return stages > 1 && (stages * s.dof() >= smallest_size || frame == FrameKind::given);
}

/// The same equations as a fixed point: the rates, h u' at the stages, are h Pi times the means of
/// dH.
StageIteration stages_of(const ReducedSystem& reduced, const Vector& before,
                         const std::vector<Vector>& path, const Expr& h,
                         const QuadratureRule& nodes, const QuadratureRule& fine,
                         const Vector& gradient_of_energy) {
  const auto symbols = [&](const std::string& name) {
    Vector result;
    for (std::size_t i = 0; i < before.size(); ++i)
      result.push_back(make_symbol(h.graph(), name + "_" + std::to_string(i + 1)));
    return result;
  };
  StageIteration stages;
  stages.state = symbols("stage");
  stages.positions = reduced.has_frame() ? reduced.dof() : before.size();
  stages.time = make_symbol(h.graph(), "stage_time");
  stages.means.means = symbols("mean_slope");
  stages.means.function = substitute(gradient_of_energy, reduced.variables(), stages.state);
  for (const Constant& tau : fine.nodes)
    stages.means.path.push_back(integrated_lagrange(nodes.nodes, tau));
  for (std::size_t i = 0; i < nodes.nodes.size(); ++i)
    stages.means.weights.push_back(mean_weights(nodes, fine, i));
  stages.rate = h * reduced.apply_structure(stages.state, stages.means.means, 0.0);
  stages.before = before;
  stages.step = 1.0;
  stages.nodes = nodes.nodes;
  stages.weights = collocation_coefficients(nodes.nodes);
  stages.rates = path;
  stages.end_weights = nodes.weights;
  return stages;
}

}  // namespace

Equations EnergyCollocation::equations(const System& s, const State& a, Unknowns& u,
                                       const Expr& h) const {
  const ReducedSystem reduced(s, frame, a.q);
  const Vector before = reduced.point(a.q, a.v);
  const auto count = static_cast<std::size_t>(stages);
  const QuadratureRule nodes = gauss_rule(stages);
  const int chosen = quadrature_points(reduced.energy(), reduced.variables(), stages);
  const QuadratureRule fine = gauss_rule(quadrature.value_or(chosen));
  // The unknowns are h u'(c_j): products of h with weights would be rounded alike in every step.
  std::vector<Vector> path;
  for (std::size_t j = 0; j < count; ++j)
    path.push_back(u.vector("path_" + std::to_string(j + 1), zeros(before.size())));
  const auto at = [&](const std::vector<Constant>& weights) {
    return before + weighted_sum(1.0, weights, path);
  };
  const Vector gradient_of_energy = gradient(reduced.energy(), reduced.variables());
  std::vector<Vector> gradients_at;
  for (const Constant& tau : fine.nodes) {
    gradients_at.push_back(substitute(gradient_of_energy, reduced.variables(),
                                      at(integrated_lagrange(nodes.nodes, tau))));
  }
  Vector zero;
  for (std::size_t i = 0; i < count; ++i) {
    const Vector mean = weighted_sum(1.0, mean_weights(nodes, fine, i), gradients_at);
    const Vector stage = at(integrated_lagrange(nodes.nodes, nodes.nodes[i]));
    zero = concatenate({zero, path[i] - h * reduced.apply_structure(stage, mean, 0.0)});
  }
  std::optional<StageIteration> stage_iteration;
  if (is_swept(s, count, frame))
    stage_iteration = stages_of(reduced, before, path, h, nodes, fine, gradient_of_energy);
  const Vector zeta = at(nodes.weights), change = weighted_sum(1.0, nodes.weights, path),
               dv = reduced.velocity_change(before, change);
  return {.zero = zero,
          .constraint = {},
          .after = {reduced.position(zeta), reduced.velocity(zeta)},
          .velocity_change = dv,
          .velocity_rest = reduced.velocity_rest(before, change, a.v, dv),
          .stages = std::move(stage_iteration)};
}

}  // namespace dalembert
